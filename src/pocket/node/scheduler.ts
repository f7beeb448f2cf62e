import { CLAIMS, NODES, PODS, STORAGE_CLASSES, VOLUMES, type Pod } from '../controllers/kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../controllers/loop.ts';
import { isFinished, isGoing } from '../controllers/pod-state.ts';
import { NODE_NAME } from '../controllers/node-name.ts';
import type { ControllerDeps } from '../controllers/ports.ts';
import { timestamp } from '../controllers/timestamp.ts';
import { SELECTED_NODE } from '../controllers/volumes/claim-state.ts';
import { boundPod, decide, waitingPod, type SchedulerView } from './scheduler-plan.ts';

/** Where what was decided is told; nowhere in a simulated cluster. */
export interface SchedulerOptions {
  areSizesReal: boolean;
  onScheduled(pod: Pod): void;
  onWaiting(pod: Pod, message: string): void;
}

/** Gives every pod that fits the one node, and says why where it does not. */
export function schedulerController(deps: ControllerDeps, options: SchedulerOptions): Controller {
  const { client, clock } = deps;
  const isOurs = (pod: Pod): boolean =>
    (pod.spec.nodeName ?? '') === '' &&
    (pod.spec.schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
    !isFinished(pod) &&
    !isGoing(pod);
  const waiting = (namespace?: string): string[] =>
    client.list(PODS, namespace).flatMap((pod) => (isOurs(pod) ? [keyOf(pod.metadata)] : []));
  return {
    name: 'scheduler',
    watches: [
      watch(PODS, ({ type, object }) => (type !== 'DELETED' && isOurs(object) ? [keyOf(object.metadata)] : [])),
      watch(NODES, () => waiting()),
      watch(CLAIMS, ({ object }) => waiting(object.metadata.namespace)),
      watch(STORAGE_CLASSES, () => waiting()),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const pod = client.get(PODS, namespace, name);
      if (pod === undefined || !isOurs(pod)) return undefined;
      const now = timestamp(clock.now());
      const decision = decide(pod, { ...viewOf(deps, namespace), areSizesReal: options.areSizesReal });
      switch (decision.kind) {
        case 'bind':
          await client.update(PODS, boundPod(pod, NODE_NAME, now), 'binding');
          options.onScheduled(pod);
          break;
        case 'wait':
          await client.update(PODS, waitingPod(pod, decision, now), 'status');
          if (decision.reason === 'Unschedulable') options.onWaiting(pod, decision.message);
          break;
        case 'selectNode':
          for (const claim of decision.claims) {
            const annotations = { ...claim.metadata.annotations, [SELECTED_NODE]: NODE_NAME };
            await client.update(CLAIMS, { ...claim, metadata: { ...claim.metadata, annotations } });
          }
      }
      return undefined;
    },
  };
}

function viewOf({ client }: ControllerDeps, namespace: string): Omit<SchedulerView, 'areSizesReal'> {
  return {
    node: client.get(NODES, '', NODE_NAME),
    claim: (name) => client.get(CLAIMS, namespace, name),
    volume: (name) => client.get(VOLUMES, '', name),
    storageClass: (name) => client.get(STORAGE_CLASSES, '', name),
  };
}
