import { Command } from 'commander';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { DeleteFlags } from '../actions/delete.ts';
import type { DescribeFlags } from '../actions/describe.ts';
import type { GetFlags } from '../actions/get.ts';
import type { LogsFlags } from '../actions/logs.ts';
import type { WatchOptions } from '../actions/watch.ts';
import { withNamespace, withServer, type ConnectionFlags } from '../flags/connection.ts';
import { outputOption, withTimeout, withWait, type CommandScope } from './builder.ts';

interface Noun {
  noun: string;
  type: ResourceType;
}

/** `get`, `describe` and `delete`, the same for every kind. */
export function addObjectCommands(parent: Command, noun: Noun, scope: CommandScope): void {
  parent.addCommand(getCommand(noun, scope));
  parent.addCommand(describeCommand(noun, scope));
  parent.addCommand(deleteCommand(noun, scope));
}

function getCommand({ noun, type }: Noun, { deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('get')
      .alias('ls')
      .description(`list ${noun}s, newest first`)
      .argument('[names...]', `names of the ${noun}s (default: all)`)
      .option('-l, --selector <labels>', 'only those with these labels')
      .option('-A, --all-namespaces', 'list those in every namespace')
      .option('-w, --watch', 'print a line for every change, until Ctrl-C')
      .option('--no-headers', 'print no headings')
      .addOption(outputOption(['table', 'wide', 'json', 'yaml', 'name'], 'table')),
  ).action(
    act(async (names: string[], flags: GetFlags & ConnectionFlags) => {
      const [{ getObjects }, { withKube }] = await Promise.all([
        import('../actions/get.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      return await withKube(deps, flags, (scope) => getObjects(scope, type, { names, flags }));
    }),
  );
}

function describeCommand({ noun, type }: Noun, { deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('describe')
      .description(`show everything about a ${noun}`)
      .argument('[names...]', `names of the ${noun}s (default: all)`)
      .option('--details', 'include every item')
      .addOption(outputOption(['json', 'yaml'])),
  ).action(
    act(async (names: string[], flags: DescribeFlags & ConnectionFlags) => {
      const [{ describeObjects }, { withKube }] = await Promise.all([
        import('../actions/describe.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      await withKube(deps, flags, (scope) => describeObjects(scope, type, { names, flags }));
      return 0;
    }),
  );
}

function deleteCommand({ noun, type }: Noun, { deps, act }: CommandScope): Command {
  return withNamespace(
    withWait(
      new Command('delete')
        .description(`delete ${noun}s`)
        .argument('[names...]', `names of the ${noun}s`)
        .option('--all', `all ${noun}s in the namespace`)
        .option('-l, --selector <labels>', 'those with these labels')
        .option('--confirm', 'delete without being asked'),
      'wait until they are gone',
    ),
  ).action(
    act(async (names: string[], flags: DeleteFlags & ConnectionFlags) => {
      const [{ deleteObjects }, { withKube }] = await Promise.all([
        import('../actions/delete.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      return await withKube(deps, flags, (scope) => deleteObjects(scope, type, { names, flags }));
    }),
  );
}

/** `watch`, `logs` and `cancel`, for kinds that do something over time. */
export function addOperationCommands(parent: Command, noun: Noun, scope: CommandScope): void {
  parent.addCommand(watchOneCommand(noun, scope));
  parent.addCommand(logsCommand(noun, scope));
  parent.addCommand(cancelCommand(noun, scope));
}

function watchOneCommand({ noun }: Noun, { deps, act }: CommandScope): Command {
  return watchFlags(
    new Command('watch')
      .description(`show the progress of a ${noun} until it finishes`)
      .argument('<name>', `name of the ${noun}`),
  ).action(
    act(async (name: string, flags: WatchFlags) => {
      const [{ watchOperations }, { withKube }] = await Promise.all([
        import('../actions/watch.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      return await withKube(deps, flags, (scope) => watchOperations(scope, watchOptions(flags, { kind: noun, name })));
    }),
  );
}

function logsCommand({ noun, type }: Noun, { deps, act }: CommandScope): Command {
  return withServer(
    new Command('logs')
      .description(`print the log of a ${noun}, and follow it while it runs`)
      .argument('<name>', `name of the ${noun}`)
      .option('--no-follow', 'print what is there so far, and stop'),
  ).action(
    act(async (name: string, flags: LogsFlags) => {
      const [{ printLogs }, { withKube }] = await Promise.all([
        import('../actions/logs.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      const kind = type.kind === 'Backup' ? 'Backup' : 'Restore';
      await withKube(deps, flags, (scope) => printLogs(scope, { kind, name }, flags));
      return 0;
    }),
  );
}

function cancelCommand({ noun, type }: Noun, { deps, act }: CommandScope): Command {
  return withNamespace(
    withWait(
      new Command('cancel').description(`stop a running ${noun}`).argument('<name>', `name of the ${noun}`),
      'watch it until it has stopped',
    ),
  ).action(
    act(async (name: string, flags: ConnectionFlags & { wait?: true; timeout?: number }) => {
      const [{ cancelOperation }, { withKube }] = await Promise.all([
        import('../actions/cancel.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
      const wish = { name, wait: flags.wait === true, ...timeout };
      return await withKube(deps, flags, (scope) => cancelOperation(scope, type, wish));
    }),
  );
}

export interface WatchFlags extends ConnectionFlags {
  output?: string;
  timeout?: number;
}

export function watchFlags(command: Command): Command {
  return withNamespace(withTimeout(command.addOption(outputOption(['table', 'json'], 'table'))));
}

export function watchOptions(flags: WatchFlags, target: WatchOptions['target']): WatchOptions {
  return {
    ...(target === undefined ? {} : { target }),
    ...(flags.output === undefined ? {} : { output: flags.output }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
  };
}
