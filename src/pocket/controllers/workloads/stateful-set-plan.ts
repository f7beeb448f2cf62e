import type { Pod, StatefulSet } from '../kinds/index.ts';
import { availableInMs, countPods, isFinished, isGoing, isReady } from '../pod-state.ts';
import { REVISION_LABEL } from './revisions.ts';

export interface StatefulState {
  set: StatefulSet;
  pods: readonly Pod[];
  /** The names of the revisions that are rolled out and to be rolled out. */
  current: string;
  update: string;
  now: number;
}

export interface StatefulPlan {
  /** Pods to make, each with the revision it gets. */
  create: { ordinal: number; revision: string }[];
  remove: Pod[];
}

export function ordinalOf(set: StatefulSet, pod: Pod): number {
  const { name } = pod.metadata;
  const prefix = `${set.metadata.name}-`;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(rest) ? Number(rest) : -1;
}

export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[REVISION_LABEL] ?? '';

export function ordinalsOf(set: StatefulSet): number[] {
  const start = set.spec.ordinals?.start ?? 0;
  return Array.from({ length: set.spec.replicas ?? 1 }, (_, i) => start + i);
}

/** What to do next. In order unless the set is `Parallel`: one pod at a time, and each only when all before it are well. */
export function planStatefulSet(state: StatefulState): StatefulPlan {
  const { set, pods } = state;
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const plan: StatefulPlan = { create: [], remove: [] };
  for (const ordinal of ordinalsOf(set)) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) plan.create.push({ ordinal, revision: revisionFor(state, ordinal) });
    else if (isFinished(pod) && !isGoing(pod)) plan.remove.push(pod);
    else if (isWell(state, pod)) continue;
    if (isOrdered) return plan;
  }
  const condemned = condemnedPods(state);
  if (condemned.length > 0) {
    const going = condemned.filter((pod) => !isGoing(pod));
    if (!isOrdered) return { create: plan.create, remove: [...plan.remove, ...going] };
    return condemned.some(isGoing) ? plan : { ...plan, remove: going.slice(0, 1) };
  }
  if (plan.create.length > 0 || plan.remove.length > 0) return plan;
  return { create: [], remove: nextToUpdate(state, byOrdinal) };
}

/** Pods beyond the wanted number, the highest first. */
export function condemnedPods({ set, pods }: StatefulState): Pod[] {
  const wanted = new Set(ordinalsOf(set));
  return pods
    .filter((pod) => ordinalOf(set, pod) >= 0 && !wanted.has(ordinalOf(set, pod)))
    .toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a));
}

function isWell({ set, now }: StatefulState, pod: Pod): boolean {
  return !isGoing(pod) && availableInMs(pod, set.spec.minReadySeconds ?? 0, now) === 0;
}

function partitionOf(set: StatefulSet): number {
  return set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
}

/** An update goes from the last pod to the first, so a pod that is missed before a later one was updated gets what it had. */
function revisionFor({ set, pods, current, update }: StatefulState, ordinal: number): string {
  if (set.spec.updateStrategy?.type === 'OnDelete') return update;
  const partition = partitionOf(set);
  if (partition > 0) return ordinal < (set.spec.ordinals?.start ?? 0) + partition ? current : update;
  const isBelowEdge = pods.some((pod) => ordinalOf(set, pod) > ordinal && revisionOf(pod) === current);
  return isBelowEdge ? current : update;
}

/** From the last pod down to the partition, one at a time, and only while all that were updated are well. */
function nextToUpdate(state: StatefulState, byOrdinal: ReadonlyMap<number, Pod>): Pod[] {
  const { set, update } = state;
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const first = (set.spec.ordinals?.start ?? 0) + partitionOf(set);
  for (const ordinal of ordinalsOf(set).toReversed()) {
    const pod = byOrdinal.get(ordinal);
    if (ordinal < first || pod === undefined) return [];
    if (revisionOf(pod) !== update && !isGoing(pod)) return [pod];
    if (!isWell(state, pod)) return [];
  }
  return [];
}

export function statefulStatus(state: StatefulState): {
  status: NonNullable<StatefulSet['status']>;
  nextInMs: number | undefined;
} {
  const { set, pods, current, update, now } = state;
  const ours = pods.filter((pod) => ordinalOf(set, pod) >= 0);
  const staying = ours.filter((pod) => !isGoing(pod));
  const count = (revision: string): number => staying.filter((pod) => revisionOf(pod) === revision).length;
  const { ready, available, nextInMs } = countPods(ours, set.spec.minReadySeconds ?? 0, now);
  const counts = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: ours.length,
    readyReplicas: ready,
    availableReplicas: available,
    updatedReplicas: count(update),
  };
  const isDone = counts.updatedReplicas === counts.replicas && ours.filter(isReady).length === counts.replicas;
  const isRolling = set.spec.updateStrategy?.type !== 'OnDelete';
  const next = isDone && isRolling ? update : current;
  const { collisionCount } = set.status ?? {};
  const status = {
    ...counts,
    currentReplicas: count(next),
    currentRevision: next,
    updateRevision: update,
    collisionCount: collisionCount ?? 0,
  };
  return { status, nextInMs };
}
