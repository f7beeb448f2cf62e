import { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { clusterOf, withCluster, withNamespace, type ConnectionFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import type { Printer } from '../print/printer.ts';
import type { CommandScope } from './builder.ts';

interface InstallFlags extends ConnectionFlags {
  crdsOnly: boolean;
}

export function installCommand({ deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('install')
      .description('put into a cluster what Headway needs there')
      .option('--crds-only', 'only the kinds (CustomResourceDefinitions)', false),
  ).action(
    act(async (flags: InstallFlags) => {
      const { namespace, crdsOnly } = flags;
      await (await deps.installer()).install({ ...clusterOf(flags), namespace, crdsOnly }, tellOn(deps.output));
      return 0;
    }),
  );
}

export function uninstallCommand({ deps, act }: CommandScope): Command {
  return withCluster(
    new Command('uninstall')
      .description('take the kinds of Headway out of a cluster, with all their objects; files in locations stay')
      .option('--confirm', 'do not ask'),
  ).action(
    act(async (flags: Omit<ConnectionFlags, 'namespace'> & { confirm?: true }) => {
      if (flags.confirm !== true) await askFirst(deps);
      await (await deps.installer()).uninstall(clusterOf(flags), tellOn(deps.output));
      return 0;
    }),
  );
}

async function askFirst(deps: CliDeps): Promise<void> {
  const question =
    'Delete every backup, restore, schedule and location object of this cluster? (files in locations stay) [y/N] ';
  const answer = await deps.confirm(question);
  if (answer === undefined) throw new AppError('usage', 'uninstall needs --confirm where nobody can be asked');
  if (!answer) throw new AppError('canceled', 'nothing was deleted');
}

function tellOn(output: Printer): (line: string) => void {
  return (line) => {
    output.line(line);
  };
}
