import type { Json } from '../../base/index.ts';
import { scalarTextAt, listAt } from '../apiserver/object/index.ts';
import { LEASES, NODES, type Node } from '../controllers/kinds/index.ts';
import { watch, type Controller } from '../controllers/loop.ts';
import { NODE_NAME } from '../controllers/node-name.ts';
import type { ControllerDeps } from '../controllers/ports.ts';
import { microTimestamp } from '../controllers/timestamp.ts';
import {
  LEASE_SECONDS,
  leaseObject,
  nodeObject,
  nodeStatus,
  SANDBOX_CONDITION,
  type SandboxFacts,
} from './node-object.ts';

const RENEW_MS = (LEASE_SECONDS / 4) * 1000;
const LEASE_NAMESPACE = 'kube-node-lease';

/** Registers the node and shows that it lives, as a kubelet does. A node that somebody deletes comes back. */
export function heartbeatController(
  { client, clock }: ControllerDeps,
  { sandbox, podPrefix }: { sandbox: SandboxFacts; podPrefix: string },
): Controller {
  return {
    name: 'node-heartbeat',
    watches: [
      // The first key comes from nowhere: there is no node yet.
      { subscribe: (_deps, add) => (add(`/${NODE_NAME}`), () => undefined) },
      watch(NODES, ({ type, object }) => (type === 'DELETED' && isUs(object) ? [`/${NODE_NAME}`] : [])),
    ],
    reconcile: async () => {
      const now = clock.now();
      const node = client.get(NODES, '', NODE_NAME) ?? (await client.create(NODES, nodeObject(podPrefix)));
      if (!isWellDescribed(node, sandbox)) {
        await client.update(NODES, { ...node, status: nodeStatus(now, sandbox) }, 'status');
      }
      const lease = client.get(LEASES, LEASE_NAMESPACE, NODE_NAME);
      if (lease === undefined) await client.create(LEASES, leaseObject(node.metadata.uid ?? '', now));
      else await client.update(LEASES, { ...lease, spec: { ...lease.spec, renewTime: microTimestamp(now) } });
      return RENEW_MS;
    },
  };
}

/** It may have been another machine, or another way to start, when the node was last looked at. */
function isWellDescribed(node: Node, sandbox: SandboxFacts): boolean {
  const condition = (type: string): Json | undefined =>
    listAt(node.status, 'conditions').find((one) => scalarTextAt(one, 'type') === type);
  const isReady = scalarTextAt(condition('Ready'), 'status') === 'True';
  return isReady && scalarTextAt(condition(SANDBOX_CONDITION), 'message') === sandbox.message;
}

function isUs(node: Node): boolean {
  return node.metadata.name === NODE_NAME;
}
