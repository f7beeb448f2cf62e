import { Command } from 'commander';
import { formatDuration } from '../../base/index.ts';
import type { CliDeps, PocketOptions, PocketStatus } from '../ports.ts';
import { parsePort } from '../flags/values.ts';
import { podsLines } from '../print/pods-lines.ts';
import { printRows, printTable } from '../print/rows.ts';
import { printJson } from '../print/structured.ts';
import { outputOption, podsOption, withMoverPrograms, type CommandScope } from './builder.ts';

/** Embedded clusters for trying and testing; production is Kubernetes. */
export function pocketCommand({ deps }: CommandScope): Command {
  const pocket = new Command('pocket').description('embedded clusters for trying and testing');
  withMoverPrograms(
    pocket
      .command('up')
      .description('start a pocket cluster in the background and wait until it is ready')
      .argument('<name>', 'name of the cluster')
      .option('--port <number>', 'port to listen on (default: the one it had before, else a free one)', parsePort)
      .addOption(podsOption()),
  ).action((name: string, flags: PocketOptions) => up(name, flags, deps));
  pocket
    .command('down')
    .description('stop a pocket cluster')
    .argument('<name>', 'name of the cluster')
    .option('--purge', 'delete its data too', false)
    .action((name: string, flags: { purge: boolean }) => down(name, flags, deps));
  pocket
    .command('status')
    .description('show the pocket clusters of this machine')
    .argument('[name]', 'only this one')
    .addOption(outputOption(['table', 'json'], 'table'))
    .action((name: string | undefined, flags: { output: string }) => status(name, flags, deps));
  pocket
    .command('kubeconfig')
    .description('print the kubeconfig of a pocket cluster')
    .argument('<name>', 'name of the cluster')
    .action(async (name: string) => {
      deps.output.text(await (await deps.pocket()).kubeconfig(name));
    });
  withMoverPrograms(
    pocket
      .command('run', { hidden: true })
      .argument('<name>')
      .option('--port <number>', '', parsePort)
      .addOption(podsOption()),
  ).action(async (name: string, flags: PocketOptions) => {
    await (await deps.pocket()).run(name, flags, deps.signal);
  });
  return pocket;
}

async function up(name: string, flags: PocketOptions, deps: CliDeps): Promise<void> {
  const { status, readyMs, alreadyRunning, movedFrom } = await (await deps.pocket()).up(name, flags);
  const how = alreadyRunning ? 'is already running' : `ready in ${formatDuration(readyMs / 1000)}`;
  deps.output.line(`Pocket cluster "${name}" ${how}`);
  printRows(deps.output, [
    ['Server', status.server ?? '-'],
    ['kubectl', `export KUBECONFIG=${status.kubeconfig}`],
    ['Stop', `${deps.programName} pocket down ${name}`],
  ]);
  if (!alreadyRunning) for (const line of podsLines(status.pods ?? '')) deps.output.line(line);
  if (movedFrom !== undefined) {
    deps.output.note(
      `Another program uses port ${String(movedFrom)}, so the address has changed: replace copies of the kubeconfig`,
    );
  }
}

async function down(name: string, flags: { purge: boolean }, deps: CliDeps): Promise<void> {
  const { wasRunning } = await (await deps.pocket()).down(name, flags);
  const data = flags.purge ? ', its data is deleted' : '';
  deps.output.line(`Pocket cluster "${name}" ${wasRunning ? 'stopped' : 'was not running'}${data}`);
}

async function status(name: string | undefined, flags: { output: string }, deps: CliDeps): Promise<void> {
  const all = await (await deps.pocket()).status(name);
  if (flags.output === 'json') {
    printJson(deps.output, all, 2);
  } else if (all.length === 0) {
    deps.output.line(`No pocket clusters. Start one with: ${deps.programName} pocket up NAME`);
  } else {
    printTable(
      deps.output,
      ['NAME', 'STATE', 'SERVER', 'PID', 'AGE'],
      all.map((one) => row(one, deps.clock.now())),
    );
  }
}

function row(one: PocketStatus, now: number): string[] {
  const age = one.startedAt === undefined ? '-' : formatDuration((now - Date.parse(one.startedAt)) / 1000);
  return [one.name, one.state, one.server ?? '-', one.pid?.toString() ?? '-', age];
}
