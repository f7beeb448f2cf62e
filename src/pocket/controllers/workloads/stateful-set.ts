import { CLAIMS, PODS, STATEFUL_SETS, type ControllerRevision, type Pod, type StatefulSet } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { ownedObjects, ownerKeys } from '../owned.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { isEmptySelector, matchesSelector } from '../selector.ts';
import { syncRevisions, templateOf, trimRevisions } from './revisions.ts';
import { claimNames, retainedClaim, statefulClaims, statefulPod } from './stateful-set-objects.ts';
import {
  condemnedPods,
  ordinalOf,
  planStatefulSet,
  revisionOf,
  statefulStatus,
  type StatefulState,
} from './stateful-set-plan.ts';

/** Keeps numbered pods, each with claims of its own. */
export function statefulSetController(deps: ControllerDeps): Controller {
  const { client } = deps;
  const selects = (set: StatefulSet, pod: Pod): boolean =>
    !isEmptySelector(set.spec.selector) &&
    matchesSelector(set.spec.selector, pod.metadata.labels) &&
    ordinalOf(set, pod) >= 0;
  return {
    name: 'statefulset',
    watches: [
      watch(STATEFUL_SETS),
      watch(PODS, ownerKeys(deps, STATEFUL_SETS, selects)),
      // A pod may be waiting for an old claim to be gone.
      watch(CLAIMS, ({ type, object }) =>
        type === 'DELETED'
          ? client.list(STATEFUL_SETS, object.metadata.namespace).map((set) => keyOf(set.metadata))
          : [],
      ),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const set = client.get(STATEFUL_SETS, namespace, name);
      if (set === undefined || isEmptySelector(set.spec.selector)) return undefined;
      const pods = await ownedObjects(deps, {
        owner: set,
        ownerType: STATEFUL_SETS,
        type: PODS,
        storage: 'pods',
        matches: (pod) => selects(set, pod),
      });
      if (isGoing(set)) return undefined;
      const revisions = await syncRevisions(deps, {
        owner: set,
        type: STATEFUL_SETS,
        hashLabel: 'controller.kubernetes.io/hash',
        collisions: set.status?.collisionCount ?? 0,
      });
      if (revisions === 'collision') return saltHash(deps, set);
      return advance(deps, { set, pods, revisions });
    },
  };
}

async function saltHash({ client }: ControllerDeps, set: StatefulSet): Promise<undefined> {
  const collisionCount = (set.status?.collisionCount ?? 0) + 1;
  await client.update(STATEFUL_SETS, { ...set, status: { ...set.status, collisionCount } }, 'status');
}

interface Situation {
  set: StatefulSet;
  pods: readonly Pod[];
  revisions: { newest: ControllerRevision; all: ControllerRevision[] };
}

async function advance(deps: ControllerDeps, { set, pods, revisions }: Situation): Promise<number | undefined> {
  const { client, clock } = deps;
  const { newest, all } = revisions;
  const rolledOut = all.find((revision) => revision.metadata.name === set.status?.currentRevision) ?? newest;
  const state = {
    set,
    pods,
    current: rolledOut.metadata.name,
    update: newest.metadata.name,
    now: clock.now(),
  };
  const plan = planStatefulSet(state);
  await applyRetention(deps, state);
  for (const { ordinal, revision } of plan.create) {
    const template = revision === newest.metadata.name ? set.spec.template : templateOf(rolledOut);
    await createClaims(deps, set, ordinal);
    await client.create(PODS, statefulPod(set, { ordinal, revision, template }));
  }
  await Promise.all(plan.remove.map(({ metadata }) => client.delete(PODS, metadata.namespace ?? '', metadata.name)));
  // The pods that were made or removed call again, and then they can be counted.
  if (plan.create.length > 0 || plan.remove.length > 0) return undefined;
  const { status, nextInMs } = statefulStatus(state);
  await client.update(STATEFUL_SETS, { ...set, status }, 'status');
  const used = new Set([...pods.map(revisionOf), status.currentRevision, status.updateRevision]);
  await trimRevisions(deps, all, {
    limit: set.spec.revisionHistoryLimit ?? 10,
    isUsed: (revision) => used.has(revision.metadata.name),
  });
  return nextInMs;
}

/** A claim that is about to go is refused as existing: the pod must not start on it, and the queue tries again. */
async function createClaims({ client }: ControllerDeps, set: StatefulSet, ordinal: number): Promise<void> {
  for (const claim of statefulClaims(set, ordinal)) {
    const existing = client.get(CLAIMS, set.metadata.namespace ?? '', claim.metadata.name);
    if (existing === undefined || isGoing(existing)) await client.create(CLAIMS, claim);
  }
}

async function applyRetention({ client }: ControllerDeps, state: StatefulState): Promise<void> {
  const { set, pods } = state;
  const condemned = new Set(condemnedPods(state));
  for (const pod of pods) {
    for (const name of claimNames(set, ordinalOf(set, pod)).values()) {
      const claim = client.get(CLAIMS, pod.metadata.namespace ?? '', name);
      if (claim === undefined || isGoing(claim)) continue;
      const wanted = retainedClaim(set, claim, pod, condemned.has(pod));
      const isChanged = wanted.metadata.ownerReferences?.length !== (claim.metadata.ownerReferences ?? []).length;
      if (isChanged || isOtherOwner(wanted, claim)) await client.update(CLAIMS, wanted);
    }
  }
}

function isOtherOwner(
  a: { metadata: { ownerReferences?: { uid: string }[] } },
  b: { metadata: { ownerReferences?: { uid: string }[] } },
): boolean {
  const owners = new Set((b.metadata.ownerReferences ?? []).map(({ uid }) => uid));
  return (a.metadata.ownerReferences ?? []).some(({ uid }) => !owners.has(uid));
}
