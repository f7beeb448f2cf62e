import { LEASE } from '../src/api/index.ts';
import { LEADER_LEASE } from '../src/core/operations/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import type { Running } from './headway-process.ts';

/**
 * kill -9. The lease of the dead is taken away, because waiting 15 s for its end each time proves nothing; what two
 * replicas make of it is a test of its own.
 */
export async function killLeader(server: Running, kube: KubeClient): Promise<void> {
  server.child.kill('SIGKILL');
  await server.finished();
  // It may not have led yet, and the cluster may be away.
  await kube.delete({ type: LEASE, namespace: 'velero', name: LEADER_LEASE }).catch(() => undefined);
}
