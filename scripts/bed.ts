/** The bed as a tool: `npm run bed -- build|up|down|status|env`. Only the command line; the work is in test/bed. */
import { Command, InvalidArgumentError } from 'commander';
import { buildAll, buildTable } from '../test/bed/build.ts';
import { isPartName, PARTS, type PartName, partNamed, partNames } from '../test/bed/parts.ts';

const INTERRUPTED = 130;

interface UpFlags {
  name: string;
  clusters: number;
  nodes?: true;
  s3?: true;
  velero?: true;
}

// Loaded when needed: a `build` that finds everything in the cache is to be over at once.
const running = async () => ({
  ...(await import('../test/bed/bring-up.ts')),
  ...(await import('../test/bed/describe.ts')),
  ...(await import('../test/bed/state.ts')),
  ...(await import('../test/bed/tenure.ts')),
});

const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

async function build(names: PartName[], signal: AbortSignal): Promise<void> {
  const parts = names.length > 0 ? names.map(partNamed) : PARTS;
  const results = await buildAll(parts, { signal, print });
  print('');
  for (const line of buildTable(results)) print(line);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const { error } of failed) process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

async function up(flags: UpFlags, signal: AbortSignal): Promise<void> {
  const { bringUp, bedStatus, homeDirectory } = await running();
  const started = Date.now();
  const { name, clusters, nodes = false, s3 = false, velero = false } = flags;
  const outcome = await bringUp({ name, clusters, nodes, s3, velero, signal });
  const took = outcome === 'started' ? `, ready after ${((Date.now() - started) / 1000).toFixed(1)} s` : ' already';
  print(`bed ${name} is up${took}`);
  for (const line of bedStatus(homeDirectory(), name)) print(line);
  if (nodes) print('its nodes have the image busybox:1; npm run image gives them headway:dev');
  print(`use it with: eval "$(npm run --silent bed -- env${name === 'default' ? '' : ` --name ${name}`})"`);
}

async function down(flags: { name: string }): Promise<void> {
  const { endBed, homeDirectory } = await running();
  const ended = await endBed(homeDirectory(), flags.name);
  print(ended === undefined ? `no bed ${flags.name}` : `bed ${flags.name} is down, ${ended} processes ended`);
}

async function status(flags: { name?: string }): Promise<void> {
  const { bedStatus, homeDirectory } = await running();
  const lines = bedStatus(homeDirectory(), flags.name);
  if (lines.length === 0) {
    print('no bed is up');
    process.exitCode = 1;
  }
  for (const line of lines) print(line);
}

function parsePart(value: string, previous: PartName[] = []): PartName[] {
  if (!isPartName(value)) throw new InvalidArgumentError(`Expected one of ${partNames().join(', ')}.`);
  return [...previous, value];
}

function parseCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0 || count > 9) throw new InvalidArgumentError('Expected 0 to 9.');
  return count;
}

function parseName(value: string): string {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(value)) throw new InvalidArgumentError('Expected a-z, 0-9 and dashes.');
  return value;
}

function program(signal: AbortSignal): Command {
  const bed = new Command('bed').description('A real control plane, S3 server and Velero on this machine, for tests.');
  const nameFlag = ['--name <name>', 'which bed', parseName, 'default'] as const;
  bed
    .command('build')
    .description('Build the programs with Go into the cache (HEADWAY_BED_CACHE); what is there is kept.')
    .argument('[part...]', `some of ${partNames().join(', ')}; all if none is named`, parsePart)
    .action(async (names: PartName[] = []) => {
      await build(names, signal);
    });
  bed
    .command('up')
    .description('Start a bed in the background; its files are under HEADWAY_BED_HOME.')
    .option('--clusters <n>', 'how many clusters', parseCount, 1)
    .option('--nodes', 'with a real node in every cluster, so that pods run (needs root)')
    .option('--s3', 'with an S3 server and a bucket')
    .option('--velero', 'with Velero beside every cluster (brings S3 along)')
    .option(...nameFlag)
    .action(async (flags: UpFlags) => {
      await up(flags, signal);
    });
  bed
    .command('down')
    .description('End a bed: its processes, and only these, and its files.')
    .option(...nameFlag)
    .action(down);
  bed
    .command('status')
    .description('Show the beds, or one of them; exits 1 when there is none.')
    .option('--name <name>', 'which bed', parseName)
    .action(status);
  bed
    .command('env')
    .description('Print shell exports: KUBECONFIG, S3 endpoint and keys, PATH.')
    .option(...nameFlag)
    .action(async (flags: { name: string }) => {
      const { bedEnvironment, homeDirectory } = await running();
      for (const line of bedEnvironment(homeDirectory(), flags.name)) print(line);
    });
  return bed;
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    interrupted.abort(new Error(`stopped by ${name}`));
  });
}
try {
  await program(interrupted.signal).parseAsync();
} catch (error) {
  const why: unknown = interrupted.signal.aborted ? interrupted.signal.reason : error;
  process.stderr.write(`bed: ${why instanceof Error ? why.message : String(why)}\n`);
  process.exitCode = interrupted.signal.aborted ? INTERRUPTED : 1;
}
