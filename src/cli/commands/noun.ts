import { Command } from 'commander';
import type { DeleteFlags } from '../actions/delete.ts';
import type { DescribeFlags } from '../actions/describe.ts';
import type { GetFlags } from '../actions/get.ts';
import type { LogsFlags } from '../actions/logs.ts';
import {
  withCluster,
  withClusters,
  withNamespace,
  withPlace,
  withServer,
  type PlaceFlags,
} from '../flags/connection.ts';
import { outputOption, withTimeout, withWait, type CommandScope } from './builder.ts';
import { watchOptions, type WatchFlags } from './watch.ts';

export interface NounWords {
  noun: string;
  /** Where its kinds are, of those that are not all in the namespace of the backups. */
  usual?: string;
  /** Its kinds leave a log in a location, and lists of items. */
  hasFiles?: true;
  /** What it is called where the noun alone would promise too much. */
  one?: string;
  many?: string;
  /** What deleting does, where that is less than it sounds. */
  deletes?: string;
}

/** `get`, `describe` and `delete`, the same for every kind. */
export function addObjectCommands(parent: Command, words: NounWords, scope: CommandScope): void {
  parent.addCommand(getCommand(words, scope));
  parent.addCommand(describeCommand(words, scope));
  parent.addCommand(deleteCommand(words, scope));
}

/** `watch`, `logs` and `cancel`, for kinds that do something over time. */
export function addOperationCommands(parent: Command, words: NounWords, scope: CommandScope): void {
  parent.addCommand(watchOneCommand(words, scope));
  if (words.hasFiles === true) parent.addCommand(logsCommand(words, scope));
  parent.addCommand(cancelCommand(words, scope));
}

function placed(command: Command, { usual }: NounWords): Command {
  return usual === undefined ? withNamespace(command) : withCluster(withPlace(command, usual));
}

/** Nothing of these is needed for `--help`. */
async function open(noun: string) {
  const [{ kindsOf }, { withKube }] = await Promise.all([
    import('../objects/kinds.ts'),
    import('../actions/open-cluster.ts'),
  ]);
  return { kinds: kindsOf(noun), withKube };
}

function getCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun } = words;
  return placed(
    new Command('get')
      .alias('ls')
      .description(`list ${manyOf(words)}, newest first`)
      .argument('[names...]', `names of the ${noun}s (default: all)`)
      .option('-l, --selector <labels>', 'only those with these labels')
      .option('-A, --all-namespaces', 'list those in every namespace')
      .option('-w, --watch', 'print a line for every change, until Ctrl-C')
      .option('--no-headers', 'print no headings')
      .addOption(outputOption(['table', 'wide', 'json', 'yaml', 'name'], 'table')),
    words,
  ).action(
    act(async (names: string[], flags: GetFlags & PlaceFlags) => {
      const [{ getObjects }, { kinds, withKube }] = await Promise.all([import('../actions/get.ts'), open(noun)]);
      return await withKube(deps, flags, (scope) => getObjects(scope, kinds, { names, flags }));
    }),
  );
}

function describeCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun } = words;
  const command = new Command('describe')
    .description(`show everything about ${oneOf(words)}`)
    .argument('[names...]', `names of the ${noun}s (default: all)`);
  const detailed = words.hasFiles === true ? command.option('--details', 'include every item') : command;
  return placed(detailed.addOption(outputOption(['json', 'yaml'])), words).action(
    act(async (names: string[], flags: DescribeFlags & PlaceFlags) => {
      const [{ describeObjects }, { kinds, withKube }] = await Promise.all([
        import('../actions/describe.ts'),
        open(noun),
      ]);
      await withKube(deps, flags, (scope) => describeObjects(scope, kinds, { names, flags }));
      return 0;
    }),
  );
}

function deleteCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun } = words;
  return placed(
    withWait(
      new Command('delete')
        .description(words.deletes ?? `delete ${manyOf(words)}`)
        .argument('[names...]', `names of the ${noun}s`)
        .option('--all', `all ${noun}s in the namespace`)
        .option('-l, --selector <labels>', 'those with these labels')
        .option('--confirm', 'delete without being asked'),
      'wait until they are gone',
    ),
    words,
  ).action(
    act(async (names: string[], flags: DeleteFlags & PlaceFlags) => {
      const [{ deleteObjects }, { kinds, withKube }] = await Promise.all([import('../actions/delete.ts'), open(noun)]);
      return await withKube(deps, flags, (scope) => deleteObjects(scope, kinds, { names, flags }));
    }),
  );
}

function watchOneCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun, usual } = words;
  const command = withTimeout(
    new Command('watch')
      .description(`show the progress of ${oneOf(words)} until it finishes`)
      .argument('<name>', `name of the ${noun}`)
      .addOption(outputOption(['table', 'json'], 'table')),
  );
  return (usual === undefined ? withNamespace(command) : withClusters(withPlace(command, usual))).action(
    act(async (name: string, flags: WatchFlags) => {
      const [{ watchOperations }, { withKubes }] = await Promise.all([
        import('../actions/watch.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      const options = watchOptions(flags, { kind: noun, name });
      return await withKubes(deps, flags, (scopes) => watchOperations(scopes, options));
    }),
  );
}

function logsCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun } = words;
  return withServer(
    new Command('logs')
      .description(`print the log of ${oneOf(words)}, and follow it while it runs`)
      .argument('<name>', `name of the ${noun}`)
      .option('--no-follow', 'print what is there so far, and stop'),
  ).action(
    act(async (name: string, flags: LogsFlags) => {
      const [{ printLogs }, { kinds, withKube }] = await Promise.all([import('../actions/logs.ts'), open(noun)]);
      await withKube(deps, flags, (scope) => printLogs(scope, kinds, { name, flags }));
      return 0;
    }),
  );
}

function cancelCommand(words: NounWords, { deps, act }: CommandScope): Command {
  const { noun } = words;
  return placed(
    withWait(
      new Command('cancel')
        .description(`stop ${oneOf(words)} that is running`)
        .argument('<name>', `name of the ${noun}`),
      'watch it until it has stopped',
    ),
    words,
  ).action(
    act(async (name: string, flags: PlaceFlags & { wait?: true; timeout?: number }) => {
      const [{ cancelOperation }, { kinds, withKube }] = await Promise.all([
        import('../actions/cancel.ts'),
        open(noun),
      ]);
      const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
      const wish = { name, wait: flags.wait === true, ...timeout };
      return await withKube(deps, flags, (scope) => cancelOperation(scope, kinds, wish));
    }),
  );
}

function oneOf({ noun, one = noun }: NounWords): string {
  return `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`;
}

function manyOf({ noun, many = `${noun}s` }: NounWords): string {
  return many;
}
