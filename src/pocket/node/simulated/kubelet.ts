import { isWorkingPod } from '../../../api/meta/pod-labels.ts';
import { NODES, PODS, type Pod } from '../../controllers/kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../../controllers/loop.ts';
import { controllerOf } from '../../controllers/owner-index.ts';
import { isFinished, isGoing } from '../../controllers/pod-state.ts';
import { NODE_NAME } from '../../controllers/node-name.ts';
import type { ControllerDeps } from '../../controllers/ports.ts';
import { simulatedStatus, type Stage } from './kubelet-status.ts';
import type { PodAddresses } from '../network/index.ts';

/** Takes the pods of the node through lives that only their status knows, one write after the other. */
export function kubeletController({ client, clock }: ControllerDeps, addresses: PodAddresses): Controller {
  const isHere = (pod: Pod): boolean => {
    const { nodeName = '' } = pod.spec;
    if (nodeName === NODE_NAME) return true;
    // Nobody else would let go of a pod whose node does not exist.
    return nodeName !== '' && isGoing(pod) && client.get(NODES, '', nodeName) === undefined;
  };
  return {
    name: 'kubelet',
    watches: [
      watch(PODS, ({ type, object }) => (type !== 'DELETED' && isHere(object) ? [keyOf(object.metadata)] : [])),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const pod = client.get(PODS, namespace, name);
      if (pod === undefined || !isHere(pod)) return undefined;
      const stage = nextStage(pod);
      if (stage !== undefined) {
        const hasAddress = stage !== 'creating' && stage !== 'refused';
        const podIP = hasAddress ? addresses.of(pod.metadata.uid ?? '') : '';
        await client.update(
          PODS,
          { ...pod, status: simulatedStatus(pod, stage, { now: clock.now(), podIP }) },
          'status',
        );
      } else if (isGoing(pod) && pod.metadata.deletionGracePeriodSeconds !== 0) {
        const { uid = '' } = pod.metadata;
        await client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
      }
      return undefined;
    },
  };
}

/** What the status should say next; undefined when it says all there is to say. */
export function nextStage(pod: Pod): Stage | undefined {
  if (isFinished(pod)) return undefined;
  if (isGoing(pod)) {
    // Somebody holds the pod and will look at how it ended; otherwise it is gone before anybody could.
    return (pod.metadata.finalizers ?? []).length > 0 ? 'killed' : undefined;
  }
  if (isWorkingPod(pod.metadata.labels)) return 'refused';
  if (pod.status?.startTime === undefined) return 'creating';
  if (pod.status.phase !== 'Running') return 'running';
  // No process runs that could end: the work of a job counts as done as soon as it began.
  if (controllerOf(pod)?.kind === 'Job' && pod.spec.restartPolicy !== 'Always') return 'succeeded';
  return isBehind(pod) ? 'running' : undefined;
}

/** Somebody changed the pod or a condition its readiness depends on. */
function isBehind(pod: Pod): boolean {
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const gates = pod.spec.readinessGates ?? [];
  const isMet = gates.every(({ conditionType }) =>
    pod.status?.conditions?.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  const isObserved = pod.status?.['observedGeneration'] === (pod.metadata.generation ?? 1);
  return (ready?.status === 'True') !== isMet || !isObserved;
}
