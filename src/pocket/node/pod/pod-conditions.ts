import { withCondition } from '../../controllers/conditions.ts';
import type { Condition, Pod } from '../../controllers/kinds/index.ts';
import { conditionOf } from '../../controllers/pod-state.ts';
import { isSidecar, wasUp, type Records } from './container-record.ts';
import type { Phase } from './pod-phase.ts';

interface Facts {
  records: Records;
  phase: Phase;
  /** Address and volumes are there. */
  isPrepared: boolean;
  time: string;
}

/** The conditions of a pod as a kubelet writes them; those of others stay. */
export function podConditions(pod: Pod, { records, phase, isPrepared, time }: Facts): Condition[] {
  const containersReady = readyCondition(pod, records, phase);
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const wanted: Condition[] = [
    { type: 'PodReadyToStartContainers', status: is(isPrepared && !isOver) },
    initialized(pod, records, phase),
    { type: 'Ready', ...(containersReady.status === 'True' ? gatesCondition(pod) : containersReady) },
    { type: 'ContainersReady', ...containersReady },
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

type Said = Pick<Condition, 'status' | 'reason' | 'message'>;

function is(value: boolean): string {
  return value ? 'True' : 'False';
}

function initialized(pod: Pod, records: Records, phase: Phase): Condition {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  const incomplete = (pod.spec.initContainers ?? []).filter((container) => {
    const record = records.get(container.name);
    if (isSidecar(container)) return record?.isStarted !== true;
    return !(record?.state.kind === 'ended' && record.state.exitCode === 0);
  });
  if (wasUp(pod, records) || incomplete.length === 0) return { type, status: 'True' };
  const message = `containers with incomplete status: [${incomplete.map(({ name }) => name).join(' ')}]`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function readyCondition(pod: Pod, records: Records, phase: Phase): Said {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const counted = [...(pod.spec.initContainers ?? []).filter(isSidecar), ...pod.spec.containers];
  const unready = counted.filter(({ name }) => records.get(name)?.isReady !== true);
  if (unready.length === 0) return { status: 'True' };
  const message = `containers with unready status: [${unready.map(({ name }) => name).join(' ')}]`;
  return { status: 'False', reason: 'ContainersNotReady', message };
}

/** Somebody else may have a say in whether the pod is ready. */
function gatesCondition(pod: Pod): Said {
  const unmet = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = conditionOf(pod, conditionType);
    if (condition?.status === 'True') return [];
    const gate = `pod readiness gate "${conditionType}"`;
    return condition === undefined
      ? [`corresponding condition of ${gate} does not exist.`]
      : [`the status of ${gate} is not "True", but ${condition.status}`];
  });
  if (unmet.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: unmet.join(', ') };
}
