import { Command } from 'commander';
import type { InspectFlags } from '../actions/inspected.ts';
import { withServer } from '../flags/connection.ts';
import { outputOption, type CommandScope } from './builder.ts';

export function inspectCommand({ deps, act }: CommandScope): Command {
  return withServer(
    new Command('inspect')
      .description('look inside a backup: list it, its volumes and their files, show one item, or compare it')
      .argument('<backup>', 'name of the backup')
      .option('--item <ns/kind/name>', 'one item as YAML (kind/name without a namespace); Secrets are masked')
      .option('--diff <other>', 'compare with another backup, or with "cluster"')
      .option('--in-namespace <name>', 'only items of this namespace')
      .option('--kind <resource>', 'only items of this kind, such as services')
      .option('--search <text>', 'only items whose name contains this; with --files, only such paths')
      .option('--items', 'list every item instead of counting them')
      .option('--volumes', 'list the volumes whose data is in it')
      .option('--files <claim>', 'list the files of one volume: NAMESPACE/CLAIM, or its id')
      .addOption(outputOption(['json', 'yaml'])),
  ).action(
    act(async (backup: string, flags: InspectFlags) => {
      await (await import('../actions/inspect.ts')).inspectBackup(deps, backup, flags);
      return 0;
    }),
  );
}
