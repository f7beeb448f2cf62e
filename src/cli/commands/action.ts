import { Command } from 'commander';
import type { ActionLogsFlags } from '../actions/action-logs.ts';
import type { ActionFlags, CreateActionFlags } from '../actions/create-action.ts';
import { SERVER_OPTION, withCluster } from '../flags/connection.ts';
import { parseList, parseMap } from '../flags/values.ts';
import { printInstead, withWait, type CommandScope } from './builder.ts';

/** What only actions have: `create` and `logs`. */
export function addActionCommands(parent: Command, scope: CommandScope): void {
  parent.addCommand(createCommand(scope));
  parent.addCommand(logsCommand(scope));
}

function inNamespace(command: Command): Command {
  return withCluster(command.option('-n, --namespace <name>', 'namespace of the actions and Blueprints', 'default'));
}

function createCommand({ deps, act }: CommandScope): Command {
  return inNamespace(
    withWait(
      new Command('create')
        .description('run an action of a Blueprint on objects, or continue from an earlier action')
        .argument('[name]', 'name of the action set (default: the action and the time)')
        .option('-a, --action <name>', 'action of the Blueprint, such as backup')
        .option('-b, --blueprint <name>', 'Blueprint with the action')
        .option(
          '--object <object>',
          'what it is done to: KIND/NAMESPACE/NAME, namespace/NAME or GROUP/VERSION/RESOURCE/NAMESPACE/NAME; may be given again',
          parseList,
        )
        .option('-f, --from <name>', 'take objects, artifacts and the rest from this action set, which is complete')
        .option('--profile <[namespace/]name>', 'Profile with location and credentials')
        .option('--options <key=value>', 'values for `.Options` in templates', parseMap)
        .option('--secrets <key=namespace/name>', 'Secrets for `.Secrets` in templates', parseMap)
        .option('--config-maps <key=namespace/name>', 'ConfigMaps for `.ConfigMaps` in templates', parseMap)
        .option('--labels <key=value>', 'labels of the action set', parseMap)
        .option('--pod-labels <key=value>', 'labels of the pods of functions', parseMap)
        .option('--pod-annotations <key=value>', 'annotations of the pods of functions', parseMap)
        .option('--ttl <seconds>', 'delete the action set so many seconds after its end')
        .option('--dry-run', 'show the arguments of every phase as far as they are known, and create nothing')
        .addOption(printInstead()),
      'show progress until it finishes; the exit code is its result',
    ),
  ).action(
    act(async (name: string | undefined, flags: ActionFlags & CreateActionFlags) =>
      (await import('../actions/create-action.ts')).createAction(deps, name, flags),
    ),
  );
}

function logsCommand({ deps, act }: CommandScope): Command {
  return inNamespace(
    new Command('logs')
      .description('print what an action prints, while it runs; afterwards its last lines and its events')
      .argument('<name>', 'name of the action set')
      .option('--phase <name>', 'only of this phase')
      .option('-f, --follow', 'until it has ended (default)')
      .option('--no-follow', 'print what is there so far, and stop')
      .option(...SERVER_OPTION),
  ).action(
    act(async (name: string, flags: ActionLogsFlags) => {
      const [{ printActionLogs }, { withKube }] = await Promise.all([
        import('../actions/action-logs.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      return await withKube(deps, flags, (scope) => printActionLogs(scope, name, flags));
    }),
  );
}
