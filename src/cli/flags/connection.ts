import type { Command } from 'commander';
import type { ClusterChoice } from '../ports.ts';

export interface ConnectionFlags {
  namespace: string;
  context?: string;
  kubeconfig?: string;
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

export function withCluster(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG or ~/.kube/config')
    .option('--context <name>', 'context to use instead of the current one');
}

/** For every command that works on objects. */
export function withNamespace(command: Command): Command {
  return withCluster(
    command.option('-n, --namespace <name>', 'namespace of the backups, restores and schedules', 'velero'),
  );
}

/** For commands that look into backups or plan: the server does that, with the rights of the kubeconfig's user. */
export function withServer(command: Command): Command {
  return withNamespace(command).option(
    '--server <url>',
    'address of the Headway server (default: $HEADWAY_SERVER, or the one on this machine)',
  );
}

export function clusterOf(flags: { context?: string; kubeconfig?: string }): ClusterChoice {
  return {
    ...(flags.kubeconfig === undefined ? {} : { kubeconfig: flags.kubeconfig }),
    ...(flags.context === undefined ? {} : { context: flags.context }),
  };
}
