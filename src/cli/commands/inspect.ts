import { Command } from 'commander';
import type { InspectFlags } from '../actions/inspect.ts';
import { withServer } from '../flags/connection.ts';
import { outputOption, type CommandScope } from './builder.ts';

export function inspectCommand({ deps, act }: CommandScope): Command {
  return withServer(
    new Command('inspect')
      .description('look into a backup: what is in it, one item, what differs')
      .argument('<backup>', 'name of the backup')
      .option('--item <ns/kind/name>', 'one item as YAML (kind/name without a namespace); Secrets are masked')
      .option('--diff <other>', 'what differs in another backup, or in the cluster: a name, or "cluster"')
      .option('--in-namespace <name>', 'only items of this namespace')
      .option('--kind <resource>', 'only items of this kind, such as services')
      .option('--search <text>', 'only items whose name contains this')
      .option('--items', 'every item instead of their number')
      .addOption(outputOption(['json', 'yaml'])),
  ).action(
    act(async (backup: string, flags: InspectFlags) => {
      await (await import('../actions/inspect.ts')).inspectBackup(deps, backup, flags);
      return 0;
    }),
  );
}
