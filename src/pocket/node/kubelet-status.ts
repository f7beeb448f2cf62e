import type { Json, JsonObject } from '../../base/index.ts';
import { scalarTextAt } from '../apiserver/object/index.ts';
import { withCondition } from '../controllers/conditions.ts';
import type { Condition, Container, ContainerStatus, Pod, PodStatus } from '../controllers/kinds/index.ts';
import { conditionOf } from '../controllers/pod-state.ts';
import { timestamp } from '../controllers/timestamp.ts';
import { NODE_IP } from './node-object.ts';

/** The moments in a pod's life that a kubelet writes down. */
export type Stage = 'creating' | 'running' | 'succeeded' | 'killed';

export interface Moment {
  now: number;
  podIP: string;
}

export function podStatus(pod: Pod, stage: Stage, moment: Moment): PodStatus {
  const time = timestamp(moment.now);
  const before = pod.status ?? {};
  const isUp = stage !== 'creating';
  const podIP = pod.spec.hostNetwork === true ? NODE_IP : moment.podIP;
  return {
    ...before,
    observedGeneration: pod.metadata.generation ?? 1,
    phase: PHASE[stage],
    conditions: conditions(pod, stage, time),
    hostIP: NODE_IP,
    hostIPs: [{ ip: NODE_IP }],
    startTime: before.startTime ?? time,
    ...(isUp ? { podIP, podIPs: [{ ip: podIP }] } : {}),
    ...(pod.spec.initContainers === undefined
      ? {}
      : { initContainerStatuses: pod.spec.initContainers.map((one) => initStatus(pod, one, stage, time)) }),
    containerStatuses: pod.spec.containers.map((one) =>
      containerStatus(pod, one, { state: stateOf(pod, one, stage, time), isUp: stage === 'running' }),
    ),
  };
}

const PHASE = { creating: 'Pending', running: 'Running', succeeded: 'Succeeded', killed: 'Failed' } as const;

function conditions(pod: Pod, stage: Stage, time: string): Condition[] {
  const isRunning = stage === 'running';
  const ready = isRunning ? unmetGate(pod) : notReady(pod, stage);
  const wanted: Condition[] = [
    { type: 'PodReadyToStartContainers', status: is(isRunning) },
    initialized(pod, stage),
    { type: 'Ready', status: is(isRunning && ready.reason === undefined), ...ready },
    { type: 'ContainersReady', status: is(isRunning), ...(isRunning ? {} : notReady(pod, stage)) },
  ];
  const before = pod.status?.conditions ?? [];
  // A pod that came with its node was never scheduled.
  if (!before.some(({ type }) => type === 'PodScheduled')) wanted.push({ type: 'PodScheduled', status: 'True' });
  const observedGeneration = pod.metadata.generation ?? 1;
  return wanted.reduce<Condition[]>(
    (all, one) => withCondition(all, { ...one, lastProbeTime: null, observedGeneration }, time),
    [...before],
  );
}

function initialized(pod: Pod, stage: Stage): Condition {
  const names = (pod.spec.initContainers ?? []).map(({ name }) => name);
  if (stage !== 'creating' || names.length === 0) {
    const why = stage === 'succeeded' ? { reason: 'PodCompleted' } : {};
    return { type: 'Initialized', status: 'True', ...why };
  }
  const message = `containers with incomplete status: [${names.join(' ')}]`;
  return { type: 'Initialized', status: 'False', reason: 'ContainersNotInitialized', message };
}

function notReady(pod: Pod, stage: Stage): { reason?: string; message?: string } {
  if (stage === 'succeeded') return { reason: 'PodCompleted' };
  if (stage === 'killed') return { reason: 'PodFailed' };
  const names = pod.spec.containers.map(({ name }) => name);
  return { reason: 'ContainersNotReady', message: `containers with unready status: [${names.join(' ')}]` };
}

function unmetGate(pod: Pod): { reason?: string; message?: string } {
  const gates = pod.spec.readinessGates ?? [];
  const unmet = gates.find(({ conditionType }) => conditionOf(pod, conditionType)?.status !== 'True');
  if (unmet === undefined) return {};
  const message = `corresponding condition of pod readiness gate "${unmet.conditionType}" does not exist.`;
  return { reason: 'ReadinessGatesNotReady', message };
}

function is(value: boolean): string {
  return value ? 'True' : 'False';
}

function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

function initStatus(pod: Pod, container: Container, stage: Stage, time: string): ContainerStatus {
  if (isSidecar(container)) {
    const state = stateOf(pod, container, stage, time);
    return containerStatus(pod, container, { state, isUp: stage === 'running' });
  }
  if (stage === 'creating') return containerStatus(pod, container, { state: waiting('PodInitializing'), isUp: false });
  const state = terminated(pod, container, { exitCode: 0, reason: 'Completed', time });
  return { ...containerStatus(pod, container, { state, isUp: false }), ready: true };
}

function stateOf(pod: Pod, container: Container, stage: Stage, time: string): Record<string, Json> {
  switch (stage) {
    case 'creating':
      return waiting((pod.spec.initContainers ?? []).length > 0 ? 'PodInitializing' : 'ContainerCreating');
    case 'running':
      return { running: { startedAt: runningSince(pod, container) ?? time } };
    case 'succeeded':
      return terminated(pod, container, { exitCode: 0, reason: 'Completed', time });
    case 'killed':
      return terminated(pod, container, { exitCode: 137, reason: 'Error', time });
  }
}

function runningSince(pod: Pod, container: Container): string | undefined {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const before = all.find(({ name }) => name === container.name);
  return scalarTextAt(before?.state, 'running', 'startedAt') || undefined;
}

function waiting(reason: string): Record<string, Json> {
  return { waiting: { reason } };
}

function terminated(
  pod: Pod,
  container: Container,
  end: { exitCode: number; reason: string; time: string },
): Record<string, Json> {
  const { exitCode, reason, time } = end;
  const times = { startedAt: pod.status?.startTime ?? time, finishedAt: time };
  return { terminated: { exitCode, reason, ...times, containerID: containerId(pod, container) } };
}

function containerStatus(
  pod: Pod,
  container: Container,
  { state, isUp }: { state: Record<string, Json>; isUp: boolean },
): ContainerStatus {
  const wasStarted = state['waiting'] === undefined;
  const ids: JsonObject = wasStarted ? { containerID: containerId(pod, container) } : {};
  const { name, image = '' } = container;
  return { name, state, lastState: {}, ready: isUp, restartCount: 0, image, imageID: '', ...ids, started: isUp };
}

function containerId(pod: Pod, container: Container): string {
  return `pocket://${pod.metadata.uid ?? ''}/${container.name}`;
}
