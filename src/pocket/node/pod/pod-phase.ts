import type { Pod } from '../../controllers/kinds/index.ts';
import { isSidecar, wasUp, type ContainerRecord, type Records } from './container-record.ts';
import { isRestarted } from './pod-plan.ts';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** `isEnding`: whatever has ended stays so, also where it would be started again. */
export function podPhase(pod: Pod, records: Records, isEnding: boolean): Phase {
  const before = beforeCounts(pod, records);
  const counts = containerCounts(pod, records);
  if (before.failedForGood > 0) return counts.running > 0 ? 'Pending' : 'Failed';
  if (before.pending > 0 || counts.waiting > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (!isEnding && counts.willRestart > 0) return 'Running';
  return counts.failed > 0 ? 'Failed' : 'Succeeded';
}

function beforeCounts(pod: Pod, records: Records): { pending: number; failedForGood: number } {
  const counts = { pending: 0, failedForGood: 0 };
  if (wasUp(pod, records)) return counts;
  for (const container of pod.spec.initContainers ?? []) {
    const record = records.get(container.name);
    const state = record?.state;
    if (isSidecar(container)) {
      if (!hasCome(record)) counts.pending += 1;
    } else if (state?.kind !== 'ended') counts.pending += 1;
    else if (state.exitCode !== 0) {
      counts[isRestarted(pod, container, state.exitCode) ? 'pending' : 'failedForGood'] += 1;
    }
  }
  return counts;
}

/** What runs beside the others is there, or was. */
function hasCome(record: ContainerRecord | undefined): boolean {
  if (record?.state.kind === 'running') return record.isStarted;
  return record?.state.kind === 'ended' || record?.last !== undefined;
}

interface Counts {
  running: number;
  waiting: number;
  failed: number;
  willRestart: number;
}

function containerCounts(pod: Pod, records: Records): Counts {
  const counts = { running: 0, waiting: 0, failed: 0, willRestart: 0 };
  const beside = (pod.spec.initContainers ?? []).filter(isSidecar);
  counts.running += beside.filter(({ name }) => records.get(name)?.state.kind === 'running').length;
  for (const container of pod.spec.containers) {
    const record = records.get(container.name);
    const state = record?.state ?? { kind: 'waiting' };
    const ended = state.kind === 'ended' ? state : record?.last;
    if (state.kind === 'running') counts.running += 1;
    else if (ended === undefined) counts.waiting += 1;
    else {
      if (ended.exitCode !== 0) counts.failed += 1;
      if (isRestarted(pod, container, ended.exitCode)) counts.willRestart += 1;
    }
  }
  return counts;
}
