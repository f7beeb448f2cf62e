import { type JsonObject } from '../../src/base/index.ts';
import type { Report } from '../../src/core/progress/index.ts';
import type { KubeObject } from '../../src/edge/kube/port.ts';
import { StatusPublisher, type PublisherOptions } from '../../src/control/runtime/status/publisher.ts';
import { FakeClock } from '../fake-clock.ts';
import { ScriptedCluster } from './index.ts';
import { recordingLog } from './recording-log.ts';

const TYPE = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
export const TARGET = { type: TYPE, namespace: 'velero', name: 'b1' };
export const OBJECT: KubeObject = {
  apiVersion: 'velero.io/v1',
  kind: 'Backup',
  metadata: { namespace: 'velero', name: 'b1' },
};

export function running(done: number, more: Partial<Report> = {}): Report {
  return {
    state: 'running',
    measures: [{ unit: 'items', done, total: { kind: 'exact', value: 1000 } }],
    children: [],
    ...more,
  };
}
export const COMPLETED = running(1000, { state: 'completed', percent: 100 });

function statusOf(report: Report): JsonObject {
  const eta = report.etaSeconds;
  return {
    phase: report.state,
    progress: { done: report.measures[0]?.done ?? 0, ...(eta === undefined ? {} : { etaSeconds: eta }) },
  };
}

/** A publisher of one Backup in a cluster in memory. */
export async function setUpPublisher(options: Partial<PublisherOptions> = {}) {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const log = recordingLog();
  if (options.subresource === 'status') cluster.kindsWithStatus.add('Backup');
  const object = await cluster.create(TARGET, OBJECT);
  const stop = new AbortController();
  const publisher = new StatusPublisher(
    {
      target: TARGET,
      object,
      statusOf,
      isOver: ({ status }) => /completed|failed/.test(JSON.stringify(status)),
      signal: stop.signal,
      ...options,
    },
    { kube: cluster, clock, log, random: () => 0 },
  );
  const status = () => cluster.peek(TARGET)?.['status'];
  const patches = () => cluster.calls.filter((call) => call.verb === 'patch');
  const touch = () =>
    cluster.patch(TARGET, { kind: 'merge', body: { metadata: { annotations: { at: String(clock.now()) } } } });
  return { clock, cluster, log, publisher, stop, status, patches, touch };
}
