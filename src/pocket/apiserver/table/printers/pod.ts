import { isObject, valueAt, type Json } from '../../../../base/index.ts';
import { listAt, numberAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { age } from '../age.ts';
import { AGE, NAME, text, wide, type Column } from '../column.ts';
import { hasCondition, NONE, orNone } from './cells.ts';

type Pod = Readonly<ApiObject>;

interface Summary {
  ready: number;
  restarts: number;
  lastRestart: string;
  reason: string;
}

export const POD_COLUMNS: readonly Column[] = [
  NAME,
  text('Ready', (pod) => `${summarize(pod).ready}/${totalContainers(pod)}`),
  text('Status', (pod) => statusOf(pod, summarize(pod).reason)),
  text('Restarts', (pod, now) => formatRestarts(summarize(pod), now)),
  AGE,
  wide(text('IP', (pod) => orNone(scalarTextAt(listAt(pod, 'status', 'podIPs')[0], 'ip')))),
  wide(text('Node', (pod) => orNone(scalarTextAt(pod, 'spec', 'nodeName')))),
  wide(text('Nominated Node', (pod) => orNone(scalarTextAt(pod, 'status', 'nominatedNodeName')))),
  wide(text('Readiness Gates', readinessGates)),
];

function totalContainers(pod: Pod): number {
  return listAt(pod, 'spec', 'containers').length + listAt(pod, 'spec', 'initContainers').filter(isSidecar).length;
}

function isSidecar(container: Json): boolean {
  return scalarTextAt(container, 'restartPolicy') === 'Always';
}

const GATED = 'SchedulingGated';

function summarize(pod: Pod): Summary {
  const isGated = listAt(pod, 'status', 'conditions').some(
    (one) => scalarTextAt(one, 'type') === 'PodScheduled' && scalarTextAt(one, 'reason') === GATED,
  );
  const phase = scalarTextAt(pod, 'status', 'reason') || (isGated ? GATED : scalarTextAt(pod, 'status', 'phase'));
  const init = summarizeInit(pod, phase);
  if (init.isInitializing && !hasCondition(pod, 'Initialized')) return init;
  return summarizeContainers(pod, { ...init, restarts: 0, lastRestart: '', reason: phase });
}

function summarizeInit(pod: Pod, phase: string): Summary & { isInitializing: boolean } {
  const sidecars = new Set(
    listAt(pod, 'spec', 'initContainers')
      .filter(isSidecar)
      .map((one) => scalarTextAt(one, 'name')),
  );
  const summary = { ready: 0, restarts: 0, lastRestart: '', reason: phase, isInitializing: false };
  for (const [i, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    count(summary, status);
    const terminated = valueAt(status, 'state', 'terminated');
    if (isObject(terminated) && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecars.has(scalarTextAt(status, 'name')) && valueAt(status, 'started') === true) {
      if (valueAt(status, 'ready') === true) summary.ready += 1;
      continue;
    }
    const waiting = scalarTextAt(status, 'state', 'waiting', 'reason');
    if (isObject(terminated)) summary.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') summary.reason = `Init:${waiting}`;
    else summary.reason = `Init:${i}/${listAt(pod, 'spec', 'initContainers').length}`;
    summary.isInitializing = true;
    break;
  }
  return summary;
}

function summarizeContainers(pod: Pod, start: Summary): Summary {
  const summary = { ...start };
  let hasRunning = false;
  let errorReason = '';
  for (const status of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    count(summary, status);
    const terminated = valueAt(status, 'state', 'terminated');
    const waiting = scalarTextAt(status, 'state', 'waiting', 'reason');
    if (waiting !== '') summary.reason = waiting;
    else if (isObject(terminated)) {
      summary.reason = terminationReason(terminated);
      if (numberAt(terminated, 'exitCode') !== 0) errorReason = summary.reason;
    } else if (valueAt(status, 'ready') === true && isObject(valueAt(status, 'state', 'running'))) {
      hasRunning = true;
      summary.ready += 1;
    }
  }
  if (summary.reason === 'Completed') {
    if (hasRunning && hasCondition(pod, 'Ready')) summary.reason = 'Running';
    else if (errorReason !== '') summary.reason = errorReason;
    else if (hasRunning) summary.reason = 'NotReady';
  }
  return summary;
}

function count(summary: Summary, status: Json): void {
  summary.restarts += numberAt(status, 'restartCount');
  const finished = scalarTextAt(status, 'lastState', 'terminated', 'finishedAt');
  if (finished > summary.lastRestart) summary.lastRestart = finished;
}

function terminationReason(terminated: Json): string {
  const reason = scalarTextAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

function statusOf(pod: Pod, reason: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return reason;
  if (scalarTextAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return ['Succeeded', 'Failed'].includes(scalarTextAt(pod, 'status', 'phase')) ? reason : 'Terminating';
}

function formatRestarts({ restarts, lastRestart }: Summary, now: number): string {
  return restarts === 0 || lastRestart === '' ? String(restarts) : `${restarts} (${age(lastRestart, now)} ago)`;
}

function readinessGates(pod: Pod): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return NONE;
  return `${gates.filter((gate) => hasCondition(pod, scalarTextAt(gate, 'conditionType'))).length}/${gates.length}`;
}
