import { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { clusterOf, withNamespace, type ConnectionFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import { asTyped } from '../print/as-typed.ts';
import type { CommandScope } from './builder.ts';

interface InstallFlags extends ConnectionFlags {
  crdsOnly: boolean;
  serverKubeconfig?: string;
}

export function installCommand({ deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('install')
      .description('install what Headway needs in a cluster: CRDs and namespaces')
      .option('--crds-only', 'only the CRDs', false)
      .option('--server-kubeconfig <file>', 'also create an account for the server, and write its kubeconfig here'),
  ).action(
    act(async (flags: InstallFlags) => {
      const { namespace, crdsOnly, serverKubeconfig } = flags;
      if (crdsOnly && serverKubeconfig !== undefined) {
        throw new AppError('usage', '--crds-only and --server-kubeconfig exclude each other: give one of them');
      }
      const account = serverKubeconfig === undefined ? {} : { serverKubeconfig };
      const options = { ...clusterOf(flags), namespace, crdsOnly, ...account };
      await (await deps.installer()).install(options, tellOn(deps));
      return 0;
    }),
  );
}

export function uninstallCommand({ deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('uninstall')
      .description(
        'remove Headway from a cluster: CRDs with all their objects, account, rights; backups in stores stay',
      )
      .option('--confirm', 'remove without being asked'),
  ).action(
    act(async (flags: ConnectionFlags & { confirm?: true }) => {
      const confirm = async (): Promise<void> => {
        if (flags.confirm !== true) await askFirst(deps);
      };
      const options = { ...clusterOf(flags), namespace: flags.namespace };
      await (await deps.installer()).uninstall(options, { tell: tellOn(deps), confirm });
      return 0;
    }),
  );
}

async function askFirst(deps: CliDeps): Promise<void> {
  const answer = await deps.confirm('Remove all this? [y/N] ');
  if (answer === true) return;
  if (answer === false) throw new AppError('canceled', 'nothing was removed');
  throw new AppError('usage', 'nothing was removed: without a terminal to ask on, uninstall needs --confirm');
}

function tellOn({ output, programName }: CliDeps): (line: string) => void {
  return (line) => {
    output.line(asTyped(line, programName));
  };
}
