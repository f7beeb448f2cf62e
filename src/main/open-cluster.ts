import type { ClusterSession } from '../cli/index.ts';
import type { ConnectionChoice } from '../edge/kube/index.ts';
import { connect, type Machine } from './connect.ts';

/** The cluster of the flags and the environment, for the length of one command. */
export async function openCluster(choice: ConnectionChoice, machine: Machine): Promise<ClusterSession> {
  const { kube, connection } = await connect(choice, machine);
  return {
    kube,
    name: connection.context ?? 'in-cluster',
    namespace: connection.namespace,
    [Symbol.asyncDispose]: () => kube.close(),
  };
}
