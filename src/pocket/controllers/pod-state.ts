import type { Condition, Pod } from './kinds/index.ts';

export function conditionOf(object: { status?: { conditions?: Condition[] } }, type: string): Condition | undefined {
  return object.status?.conditions?.find((condition) => condition.type === type);
}

export function isReady(pod: Pod): boolean {
  return conditionOf(pod, 'Ready')?.status === 'True';
}

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isGoing(object: { metadata: { deletionTimestamp?: string } }): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Counts for its controller: neither finished nor on its way out. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isGoing(pod);
}

/** Milliseconds until the pod counts as available: 0 when it is, undefined when it is not even ready. */
export function availableInMs(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(conditionOf(pod, 'Ready')?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? 0 : Math.max(0, since + minReadySeconds * 1000 - now);
}

export interface PodCounts {
  active: Pod[];
  terminating: number;
  ready: number;
  available: number;
  /** When the next ready pod becomes available, if only time is missing. */
  nextInMs: number | undefined;
}

export function countPods(pods: readonly Pod[], minReadySeconds: number, now: number): PodCounts {
  const active = pods.filter(isActive);
  const waits = active.map((pod) => availableInMs(pod, minReadySeconds, now));
  const later = waits.filter((wait) => wait !== undefined && wait > 0) as number[];
  return {
    active,
    terminating: pods.filter((pod) => isGoing(pod) && !isFinished(pod)).length,
    ready: waits.filter((wait) => wait !== undefined).length,
    available: waits.filter((wait) => wait === 0).length,
    nextInMs: later.length === 0 ? undefined : Math.min(...later),
  };
}
