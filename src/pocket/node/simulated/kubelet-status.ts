import { scalarTextAt } from '../../apiserver/object/index.ts';
import type { Container, Pod, PodStatus } from '../../controllers/kinds/index.ts';
import { timeOf } from '../../controllers/timestamp.ts';
import {
  allContainers,
  containerId,
  isSidecar,
  newRecord,
  podStatus,
  type ContainerRecord,
  type Ended,
} from '../pod/index.ts';

/** The moments in a simulated pod's life. */
export type Stage = 'creating' | 'running' | 'succeeded' | 'killed' | 'refused';

export interface Moment {
  now: number;
  podIP: string;
}

/** What Headway starts does real work, and nothing here does. */
const REFUSAL = {
  reason: 'CannotRun',
  message: 'pods of this cluster are simulated, and a pod of Headway itself never is',
};

/** What a kubelet would say of a pod at a moment of its life. */
export function simulatedStatus(pod: Pod, stage: Stage, { now, podIP }: Moment): PodStatus {
  const isUp = stage !== 'creating' && stage !== 'refused';
  const records = new Map(allContainers(pod).map((one) => [one.name, recordOf(pod, one, stage, now)]));
  return podStatus(pod, {
    records,
    now,
    podIP: isUp ? podIP : undefined,
    isPrepared: isUp,
    isEnding: stage === 'killed' || stage === 'succeeded',
    failure: stage === 'refused' ? REFUSAL : undefined,
  });
}

function recordOf(pod: Pod, container: Container, stage: Stage, now: number): ContainerRecord {
  const record = newRecord(container.name);
  if (stage === 'creating' || stage === 'refused') return record;
  const id = containerId(pod, container.name, 0);
  const since = runningSince(pod, container);
  const ended = (exitCode: number, reason: string): Ended => {
    const startedAt = timeOf(pod.status?.startTime);
    return { exitCode, reason, startedAt: Number.isNaN(startedAt) ? now : startedAt, finishedAt: now, id };
  };
  const isFirst = (pod.spec.initContainers ?? []).includes(container) && !isSidecar(container);
  if (isFirst || stage === 'succeeded') return { ...record, state: { kind: 'ended', ...ended(0, 'Completed') } };
  if (stage === 'killed') return { ...record, state: { kind: 'ended', ...ended(137, 'Error') } };
  const state = { kind: 'running', startedAt: Number.isNaN(since) ? now : since, id } as const;
  return { ...record, state, isStarted: true, isReady: true };
}

function runningSince(pod: Pod, { name }: Container): number {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const before = all.find((status) => status.name === name);
  return timeOf(scalarTextAt(before?.state, 'running', 'startedAt') || undefined);
}
