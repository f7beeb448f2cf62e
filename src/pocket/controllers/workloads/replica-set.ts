import { isAppError, messageOf } from '../../../base/index.ts';
import { PODS, REPLICA_SETS, type Pod, type ReplicaSet } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { controllerReference, ownedObjects, ownerKeys } from '../owned.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { isEmptySelector, matchesSelector } from '../selector.ts';
import { planReplicas, replicaStatus, type ReplicaFailure } from './replica-set-plan.ts';

/** Keeps as many pods as a ReplicaSet asks for. */
export function replicaSetController(deps: ControllerDeps): Controller {
  const selects = (set: ReplicaSet, pod: Pod): boolean =>
    !isEmptySelector(set.spec.selector) && matchesSelector(set.spec.selector, pod.metadata.labels);
  return {
    name: 'replicaset',
    watches: [watch(REPLICA_SETS), watch(PODS, ownerKeys(deps, REPLICA_SETS, selects))],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const set = deps.client.get(REPLICA_SETS, namespace, name);
      if (set === undefined) return undefined;
      const pods = await ownedObjects(deps, {
        owner: set,
        ownerType: REPLICA_SETS,
        type: PODS,
        storage: 'pods',
        matches: (pod) => selects(set, pod),
      });
      const isChanged = !isGoing(set) && (await scale(deps, set, pods));
      // The pods that were made or removed call again, and then they can be counted.
      return isChanged ? undefined : writeStatus(deps, set, pods);
    },
  };
}

async function scale(deps: ControllerDeps, set: ReplicaSet, pods: readonly Pod[]): Promise<boolean> {
  const { client } = deps;
  const plan = planReplicas(set, pods);
  const { namespace = '', name } = set.metadata;
  const origin = { namespace, generateName: `${name}-`, owner: controllerReference(REPLICA_SETS, set) };
  const made = Array.from({ length: plan.create }, () =>
    client.create(PODS, podFromTemplate(set.spec.template, origin)),
  );
  const removed = plan.remove.map((pod) => client.delete(PODS, namespace, pod.metadata.name));
  const results = await Promise.allSettled([...made, ...removed]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return results.length > 0;
  if (!isAppError(failed.reason, 'forbidden', 'conflict', 'notFound')) {
    const reason = plan.create > 0 ? 'FailedCreate' : 'FailedDelete';
    await writeStatus(deps, set, pods, { reason, message: messageOf(failed.reason) });
  }
  throw failed.reason as Error;
}

async function writeStatus(
  { client, clock }: ControllerDeps,
  set: ReplicaSet,
  pods: readonly Pod[],
  failure?: ReplicaFailure,
): Promise<number | undefined> {
  const { status, nextInMs } = replicaStatus(set, pods, clock.now(), failure);
  await client.update(REPLICA_SETS, { ...set, status }, 'status');
  return nextInMs;
}
