/**
 * The composition root of the command line: the only place that reads the environment and constructs things.
 * It must never hold logic of its own; whatever decides lives in a folder with tests.
 */
import { VERSION } from './version.ts';
import { Printer, runCli, type CliDeps } from '../cli/index.ts';
import { homeDirectory } from './home.ts';
import { programName } from './program-name.ts';
import { stopOnSignals } from './signals.ts';
import { endStragglers } from './stragglers.ts';
import { systemClock } from './system-clock.ts';
import { terminalOutput } from './terminal-output.ts';

const { env } = process;
const signal = stopOnSignals(process);
const home = homeDirectory(env);

const output = new Printer(terminalOutput(process.stdout, process.stderr, env));
const tell = (line: string): void => {
  output.note(line);
};

/** Two parts of one command may find the same cluster; the user hears of it once. */
const told = new Set<string>();
const machine = {
  home,
  env,
  tell: (line: string): void => {
    if (!told.has(line)) tell(line);
    told.add(line);
  },
};

const program = programName(env['HEADWAY_CALLED_AS'], process.cwd());

const deps: CliDeps = {
  version: VERSION,
  nodeVersion: process.versions.node,
  programName: program,
  output,
  signal,
  clock: systemClock,
  cluster: async (choice) => (await import('./cluster-info.ts')).clusterInfo(choice, machine, signal),
  connect: async (choice) => (await import('./open-cluster.ts')).openCluster(choice, machine),
  server: async (choice) => (await import('./server-client.ts')).serverClient(choice, { ...machine, signal }),
  download: async function* (url) {
    yield* (await import('./download-lines.ts')).downloadLines(url, signal);
  },
  previewActions: async (kube, set) => {
    const { previewSet } = await import('../control/action/index.ts');
    return await previewSet(set, { kube, clock: systemClock, random: Math.random }, signal);
  },
  readFile: async (path) => (await import('./read-file.ts')).readNamedFile(path),
  confirm: async (question) =>
    (await import('./confirm.ts')).confirm(question, { input: process.stdin, output: process.stderr, signal }),
  pocket: async () => (await import('./pocket-control.ts')).pocketControl({ home, env, signal }),
  demo: async () => (await import('./up/up.ts')).up({ home, env, program }),
  serve: async (options) => (await import('./serve/serve.ts')).serve(options, { ...machine, signal }),
  installer: async () => (await import('./install/installer.ts')).installer({ ...machine, signal }),
  mover: async (file) => {
    const [{ runMover }, { patientStdout }] = await Promise.all([
      import('./mover/mover.ts'),
      import('./mover/stdio-archives.ts'),
    ]);
    const { stdin, stderr } = process;
    const stdout = patientStdout(process);
    return await runMover(file, { stdin, stdout, stderr, env, clock: systemClock, signal });
  },
};

// Setting exitCode lets buffered output reach a pipe; process.exit would cut it off.
process.exitCode = await runCli(process.argv.slice(2), deps);
endStragglers(process);
