import { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { clusterOf, withNamespace, type ConnectionFlags } from '../flags/connection.ts';
import { parseList } from '../flags/values.ts';
import type { CliDeps, InClusterOptions } from '../ports.ts';
import { asTyped } from '../print/as-typed.ts';
import type { CommandScope } from './builder.ts';

interface InstallFlags extends ConnectionFlags {
  crdsOnly: boolean;
  serverKubeconfig?: string;
  image?: string;
  allowedHosts?: string[];
  tlsSecret?: string;
  wait: boolean;
}

export function installCommand({ deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('install')
      .description('install what Headway needs in a cluster: CRDs and namespaces, and with --image the server')
      .option('--crds-only', 'only the CRDs', false)
      .option('--server-kubeconfig <file>', 'also create an account for the server, and write its kubeconfig here')
      .option('--image <name>', 'also run the server in the cluster, from this image')
      .option('--allowed-hosts <names>', 'with --image: host names of the page, such as an Ingress', parseList)
      .option('--tls-secret <name>', 'with --image: Secret with the page’s certificate (default: one is created)')
      .option('--no-wait', 'with --image: do not wait until the server runs'),
  ).action(
    act(async (flags: InstallFlags) => {
      const { namespace, crdsOnly, serverKubeconfig } = flags;
      refuseTogether(flags);
      const inCluster = inClusterOf(flags);
      const account = serverKubeconfig === undefined ? {} : { serverKubeconfig };
      const server = inCluster === undefined ? {} : { inCluster };
      const options = { ...clusterOf(flags), namespace, crdsOnly, ...account, ...server };
      await (await deps.installer()).install(options, tellOn(deps));
      return 0;
    }),
  );
}

/** Each of them says where the server runs: nowhere, outside, inside. */
function refuseTogether({ crdsOnly, serverKubeconfig, image, allowedHosts, tlsSecret }: InstallFlags): void {
  const given = [
    ...(crdsOnly ? ['--crds-only'] : []),
    ...(serverKubeconfig === undefined ? [] : ['--server-kubeconfig']),
    ...(image === undefined ? [] : ['--image']),
  ];
  if (given.length > 1) {
    throw new AppError('usage', `${given.join(' and ')} exclude each other: give one of them`);
  }
  const [extra] = [
    ...(allowedHosts === undefined ? [] : ['--allowed-hosts']),
    ...(tlsSecret === undefined ? [] : ['--tls-secret']),
  ];
  if (extra !== undefined && image === undefined) throw new AppError('usage', `${extra} needs --image`);
}

function inClusterOf({ image, allowedHosts = [], tlsSecret, wait }: InstallFlags): InClusterOptions | undefined {
  if (image === undefined) return undefined;
  if (image.trim() === '') throw new AppError('usage', '--image: expected the name of an image, got nothing');
  return { image, allowedHosts, wait, ...(tlsSecret === undefined ? {} : { tlsSecret }) };
}

export function uninstallCommand({ deps, act }: CommandScope): Command {
  return withNamespace(
    new Command('uninstall')
      .description(
        'remove Headway from a cluster: server, CRDs with all their objects, accounts, rights; backups in stores stay',
      )
      .option('--confirm', 'remove without being asked')
      .option('--force', 'also while operations run; their pods may stay frozen', false),
  ).action(
    act(async (flags: ConnectionFlags & { confirm?: true; force: boolean }) => {
      const confirm = async (): Promise<void> => {
        if (flags.confirm !== true) await askFirst(deps);
      };
      const options = { ...clusterOf(flags), namespace: flags.namespace, force: flags.force };
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
