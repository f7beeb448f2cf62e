import type { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import type { ClusterChoice } from '../ports.ts';
import { parseAgain } from './values.ts';

export interface ClusterFlags {
  context?: readonly string[];
  kubeconfig?: string;
}

export interface ConnectionFlags extends ClusterFlags {
  namespace: string;
}

/** Where to look: in the usual namespaces of each kind, unless one is named or all are meant. */
export interface PlaceFlags extends ClusterFlags {
  namespace?: string;
  allNamespaces?: true;
}

export interface ServerFlags extends ConnectionFlags {
  server?: string;
}

/** Flags that may also stand before the command, as kubectl allows. Each takes a value. */
export const LEADING_FLAGS: ReadonlySet<string> = new Set([
  '-n',
  '--namespace',
  '--context',
  '--kubeconfig',
  '--server',
]);

const NAMESPACE = 'namespace of the backups, restores and schedules';

export function withCluster(command: Command, about = 'context to use instead of the current one'): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG or ~/.kube/config')
    .option('--context <name>', about, parseAgain);
}

/** For commands that show: several clusters side by side. */
export function withClusters(command: Command): Command {
  return withCluster(command, 'context to use instead of the current one; may be given again, for several clusters');
}

/** For every command that works on objects in the namespace of the backups. */
export function withNamespace(command: Command): Command {
  return withCluster(command.option('-n, --namespace <name>', NAMESPACE, 'velero'));
}

/** For commands on kinds of which not all are in the namespace of the backups; `usual` says where they are. */
export function withPlace(command: Command, usual: string): Command {
  return command.option('-n, --namespace <name>', `only what is in this namespace (default: ${usual})`);
}

export const SERVER_OPTION = [
  '--server <url>',
  'address of the Headway server (default: $HEADWAY_SERVER, or the one on this machine)',
] as const;

/** For commands that look into backups or plan: the server does that, with the rights of the kubeconfig's user. */
export function withServer(command: Command): Command {
  return withNamespace(command).option(...SERVER_OPTION);
}

/** The one cluster that is meant. Taking the last of several could change the wrong one. */
export function clusterOf(flags: ClusterFlags): ClusterChoice {
  const [choice = {}, ...others] = clustersOf(flags);
  if (others.length === 0) return choice;
  throw new AppError('usage', 'this command works on one cluster: give --context once');
}

/** Each once, in the order of the flags. */
export function clustersOf({ context = [], kubeconfig }: ClusterFlags): ClusterChoice[] {
  const file = kubeconfig === undefined ? {} : { kubeconfig };
  return context.length === 0 ? [file] : [...new Set(context)].map((name) => ({ ...file, context: name }));
}
