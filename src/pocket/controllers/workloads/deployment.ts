import { isAppError } from '../../../base/index.ts';
import { DEPLOYMENTS, PODS, REPLICA_SETS, type Deployment, type ReplicaSet } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { ownedObjects, ownerKeys } from '../owned.ts';
import { controllerOf } from '../owner-index.ts';
import { isFinished, isGoing } from '../pod-state.ts';
import type { Change, ControllerDeps } from '../ports.ts';
import { isEmptySelector, matchesSelector } from '../selector.ts';
import {
  isSameTemplate,
  newReplicaSet,
  REVISION,
  revisionOf,
  scaledReplicaSet,
  sortReplicaSets,
  syncedReplicaSet,
} from './deployment-revision.ts';
import {
  isRecreate,
  pausedStep,
  recreateStep,
  replicasOf,
  rollingStep,
  type ReplicaSets,
  type Scaling,
} from './deployment-scale.ts';
import { deadlineInMs, deploymentStatus, isComplete } from './deployment-status.ts';
import type { Pod } from '../kinds/index.ts';

/** Rolls a deployment's template out through ReplicaSets. */
export function deploymentController(deps: ControllerDeps): Controller {
  const { client } = deps;
  const selects = (deployment: Deployment, set: ReplicaSet): boolean =>
    !isEmptySelector(deployment.spec.selector) && matchesSelector(deployment.spec.selector, set.metadata.labels);
  return {
    name: 'deployment',
    watches: [
      watch(DEPLOYMENTS),
      watch(REPLICA_SETS, ownerKeys(deps, DEPLOYMENTS, selects)),
      watch(PODS, (change) => recreateKeys(deps, change)),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const deployment = client.get(DEPLOYMENTS, namespace, name);
      if (deployment === undefined || isEmptySelector(deployment.spec.selector)) return undefined;
      const all = await ownedObjects(deps, {
        owner: deployment,
        ownerType: DEPLOYMENTS,
        type: REPLICA_SETS,
        storage: 'replicasets.apps',
        matches: (set) => selects(deployment, set),
      });
      const sets = sortReplicaSets(deployment, all);
      // What is changed here calls again; the status follows when there is nothing left to change.
      if (!isGoing(deployment) && (await act(deps, deployment, sets))) return undefined;
      return writeStatus(deps, deployment, sets);
    },
  };
}

/** Recreate waits until the last old pod is gone. */
function* recreateKeys({ client }: ControllerDeps, { type, object }: Change<Pod>): Iterable<string> {
  const reference = type === 'DELETED' ? controllerOf(object) : undefined;
  if (reference?.kind !== 'ReplicaSet') return;
  const namespace = object.metadata.namespace ?? '';
  const set = client.get(REPLICA_SETS, namespace, reference.name);
  const owner = set === undefined ? undefined : controllerOf(set);
  if (owner?.kind === 'Deployment') yield keyOf({ namespace, name: owner.name });
}

/** One step towards the wanted state; false when there is none. */
async function act(deps: ControllerDeps, deployment: Deployment, sets: ReplicaSets): Promise<boolean> {
  const { client } = deps;
  const { current } = sets;
  if (current !== undefined) {
    const synced = syncedReplicaSet(deployment, current, sets.old);
    if (synced !== current) {
      await client.update(REPLICA_SETS, synced);
      return true;
    }
    if (revisionOf(deployment) !== revisionOf(current)) {
      const annotations = { ...deployment.metadata.annotations, [REVISION]: String(revisionOf(current)) };
      // As status, so that this note of ours does not count as a change of what the user asked for.
      await client.update(DEPLOYMENTS, { ...deployment, metadata: { ...deployment.metadata, annotations } }, 'status');
      return true;
    }
  }
  if (deployment.spec.paused === true) return scale(deps, deployment, sets, pausedStep(deployment, sets));
  if (isRecreate(deployment)) {
    const isScaled = await scale(deps, deployment, sets, recreateStep(deployment, sets));
    if (isScaled || hasOldPods(deps, sets)) return isScaled;
  }
  if (current === undefined) return create(deps, deployment, sets);
  if (!isRecreate(deployment)) {
    const step = rollingStep(deployment, { ...sets, current });
    if (await scale(deps, deployment, sets, step)) return true;
  }
  return isComplete(deployment, deployment.status ?? {}) && (await trimHistory(deps, deployment, sets.old));
}

async function scale(
  { client }: ControllerDeps,
  deployment: Deployment,
  sets: ReplicaSets,
  scaling: Scaling,
): Promise<boolean> {
  const all = sets.current === undefined ? sets.old : [...sets.old, sets.current];
  const writes = all.flatMap((set) => {
    const replicas = scaling.get(set.metadata.name);
    return replicas === undefined ? [] : [client.update(REPLICA_SETS, scaledReplicaSet(deployment, set, replicas))];
  });
  await Promise.all(writes);
  return writes.length > 0;
}

async function create({ client }: ControllerDeps, deployment: Deployment, sets: ReplicaSets): Promise<boolean> {
  const wanted = newReplicaSet(deployment, sets);
  try {
    await client.create(REPLICA_SETS, wanted);
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    const namespace = deployment.metadata.namespace ?? '';
    const existing = client.get(REPLICA_SETS, namespace, wanted.metadata.name);
    const isOurs = existing !== undefined && controllerOf(existing)?.uid === deployment.metadata.uid;
    if (isOurs && isSameTemplate(existing.spec.template, deployment.spec.template)) throw error;
    // Another template has the same hash: the next one is salted.
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    await client.update(DEPLOYMENTS, { ...deployment, status: { ...deployment.status, collisionCount } }, 'status');
  }
  return true;
}

function hasOldPods({ client, owners }: ControllerDeps, { old }: ReplicaSets): boolean {
  return old.some((set) =>
    owners.dependents(set.metadata.uid ?? '').some((place) => {
      const pod = place.storage === 'pods' ? client.get(PODS, place.namespace, place.name) : undefined;
      return pod !== undefined && !isFinished(pod);
    }),
  );
}

async function trimHistory(
  { client }: ControllerDeps,
  deployment: Deployment,
  old: readonly ReplicaSet[],
): Promise<boolean> {
  const surplus = old.length - (deployment.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return false;
  const oldest = old.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus);
  const empty = oldest.filter(
    (set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !isGoing(set) && isObserved(set),
  );
  for (const set of empty) {
    await client.delete(REPLICA_SETS, set.metadata.namespace ?? '', set.metadata.name, { propagation: 'Background' });
  }
  return empty.length > 0;
}

function isObserved({ metadata, status }: ReplicaSet): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

async function writeStatus(
  { client, clock }: ControllerDeps,
  deployment: Deployment,
  sets: ReplicaSets,
): Promise<number | undefined> {
  const now = clock.now();
  const status = deploymentStatus(deployment, sets, now);
  await client.update(DEPLOYMENTS, { ...deployment, status }, 'status');
  return deadlineInMs(deployment, status, now);
}
