import { withCondition, withoutCondition } from '../conditions.ts';
import type { Pod, ReplicaSet } from '../kinds/index.ts';
import { conditionOf, countPods, isActive, isReady } from '../pod-state.ts';
import { matchesLabels } from '../selector.ts';
import { timeOf, timestamp } from '../timestamp.ts';

/** One pass creates and deletes no more than this; what is left follows in the next. */
const MAX_AT_ONCE = 500;

interface ReplicaPlan {
  create: number;
  remove: Pod[];
}

export function planReplicas(set: ReplicaSet, pods: readonly Pod[]): ReplicaPlan {
  const active = pods.filter(isActive);
  const surplus = active.length - (set.spec.replicas ?? 1);
  if (surplus <= 0) return { create: Math.min(Math.abs(surplus), MAX_AT_ONCE), remove: [] };
  return { create: 0, remove: active.toSorted(dearerLast).slice(0, Math.min(surplus, MAX_AT_ONCE)) };
}

const PHASES = ['Pending', 'Unknown', 'Running'];

/** The pods that are missed least come first: not scheduled, not running, not ready, cheap, young. */
function dearerLast(a: Pod, b: Pod): number {
  const byNode = Number((a.spec.nodeName ?? '') !== '') - Number((b.spec.nodeName ?? '') !== '');
  const byPhase = PHASES.indexOf(a.status?.phase ?? 'Pending') - PHASES.indexOf(b.status?.phase ?? 'Pending');
  const byReadiness = Number(isReady(a)) - Number(isReady(b));
  const byAge =
    readySince(b) - readySince(a) || timeOf(b.metadata.creationTimestamp) - timeOf(a.metadata.creationTimestamp);
  return byNode || byPhase || byReadiness || deletionCost(a) - deletionCost(b) || byAge || byName(a, b);
}

function readySince(pod: Pod): number {
  return isReady(pod) ? timeOf(conditionOf(pod, 'Ready')?.lastTransitionTime) || 0 : 0;
}

function deletionCost(pod: Pod): number {
  const cost = Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '0');
  return Number.isInteger(cost) ? cost : 0;
}

function byName(a: Pod, b: Pod): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

export interface ReplicaFailure {
  reason: 'FailedCreate' | 'FailedDelete';
  message: string;
}

export function replicaStatus(
  set: ReplicaSet,
  pods: readonly Pod[],
  now: number,
  failure?: ReplicaFailure,
): { status: NonNullable<ReplicaSet['status']>; nextInMs: number | undefined } {
  const { active, terminating, ready, available, nextInMs } = countPods(pods, set.spec.minReadySeconds ?? 0, now);
  const template = set.spec.template.metadata?.labels ?? {};
  const conditions =
    failure === undefined
      ? withoutCondition(set.status?.conditions, 'ReplicaFailure')
      : withCondition(set.status?.conditions, { type: 'ReplicaFailure', status: 'True', ...failure }, timestamp(now));
  const status = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) => matchesLabels(template, pod.metadata.labels)).length,
    readyReplicas: ready,
    availableReplicas: available,
    terminatingReplicas: terminating,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  return { status, nextInMs };
}
