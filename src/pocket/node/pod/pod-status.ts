import type { Json, JsonObject } from '../../../base/index.ts';
import type { Container, ContainerStatus, Pod, PodStatus } from '../../controllers/kinds/index.ts';
import { timestamp } from '../../controllers/timestamp.ts';
import { NODE_IP } from '../node-object.ts';
import { isSidecar, newRecord, type ContainerRecord, type Ended, type Records } from './container-record.ts';
import { podConditions } from './pod-conditions.ts';
import { podPhase, type Phase } from './pod-phase.ts';

export interface PodFacts {
  records: Records;
  now: number;
  /** Undefined until it has one. */
  podIP: string | undefined;
  /** Address and volumes are there. */
  isPrepared: boolean;
  /** It ends, or was ended, and nothing in it is started again. */
  isEnding: boolean;
  /** Why the pod as a whole has failed, if it has. */
  failure?: { reason: string; message: string } | undefined;
}

/** The status of a pod as a kubelet writes it. */
export function podStatus(pod: Pod, facts: PodFacts): PodStatus {
  const { records, now, podIP, isPrepared, isEnding, failure } = facts;
  const time = timestamp(now);
  const before = pod.status ?? {};
  const phase = phaseOf(pod, facts);
  const address = pod.spec.hostNetwork === true && podIP !== undefined ? NODE_IP : podIP;
  const status = (container: Container): ContainerStatus =>
    containerStatus(pod, container, records.get(container.name) ?? newRecord(container.name), isEnding);
  return {
    ...before,
    observedGeneration: pod.metadata.generation ?? 1,
    phase,
    ...(failure === undefined ? {} : failure),
    conditions: podConditions(pod, { records, phase, isPrepared, time }),
    hostIP: NODE_IP,
    hostIPs: [{ ip: NODE_IP }],
    startTime: before.startTime ?? time,
    ...(address === undefined ? {} : { podIP: address, podIPs: [{ ip: address }] }),
    resources: {},
    ...(pod.spec.initContainers === undefined ? {} : { initContainerStatuses: pod.spec.initContainers.map(status) }),
    containerStatuses: pod.spec.containers.map(status),
  };
}

/** A pod that failed as a whole says so when the last of its containers has ended. */
function phaseOf(pod: Pod, { records, isEnding, failure }: PodFacts): Phase {
  if (failure === undefined) return podPhase(pod, records, isEnding);
  const isRunning = [...records.values()].some(({ state }) => state.kind === 'running');
  return isRunning ? podPhase(pod, records, isEnding) : 'Failed';
}

function containerStatus(pod: Pod, container: Container, record: ContainerRecord, isEnding: boolean): ContainerStatus {
  const { state, last, restarts } = record;
  const { name, image = '' } = container;
  const id = state.kind === 'waiting' ? last?.id : state.id;
  const isBefore = (pod.spec.initContainers ?? []).includes(container) && !isSidecar(container);
  const hasDone = isBefore && state.kind === 'ended' && state.exitCode === 0;
  return {
    name,
    state: stateOf(pod, record, isEnding),
    lastState: last === undefined ? {} : { terminated: terminated(last) },
    ready: hasDone || record.isReady,
    restartCount: restarts,
    image,
    imageID: '',
    ...(id === undefined ? {} : { containerID: id }),
    started: state.kind === 'running' && record.isStarted,
    resources: container.resources ?? {},
  };
}

function stateOf(pod: Pod, { state, last }: ContainerRecord, isEnding: boolean): Record<string, Json> {
  switch (state.kind) {
    case 'running':
      return { running: { startedAt: timestamp(state.startedAt) } };
    case 'ended':
      return { terminated: terminated(state) };
    case 'waiting': {
      // What waits for its next life when the pod ends has had its last.
      if (isEnding && last !== undefined) return { terminated: terminated(last) };
      const { reason = creating(pod), message } = state;
      return { waiting: { reason, ...(message === undefined ? {} : { message }) } };
    }
  }
}

function creating({ spec }: Pod): string {
  return (spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating';
}

function terminated({ exitCode, reason, message, startedAt, finishedAt, id }: Ended): JsonObject {
  return {
    exitCode,
    reason,
    ...(message === undefined || message === '' ? {} : { message }),
    startedAt: timestamp(startedAt),
    finishedAt: timestamp(finishedAt),
    containerID: id,
  };
}
