import { expect, it } from 'vitest';
import { Backup, toCrd } from '../../src/api/index.ts';
import { NO_LOG, type JsonObject } from '../../src/base/index.ts';
import { Leader, StatusPublisher } from '../../src/control/runtime/index.ts';
import { exact, toStatusProgress, type Report } from '../../src/core/progress/index.ts';
import type { KubeClient, KubeObject, NamedTarget } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { onEveryTarget } from '../client-target.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { CRDS, newNamespace, objectOf } from '../kube-kinds.ts';

const ITEMS = 200;
const runtime = { clock: systemClock, log: NO_LOG, random: Math.random };

const statusOf = (object: KubeObject): JsonObject => (object['status'] ?? {}) as JsonObject;
const percentOf = (object: KubeObject): number | undefined =>
  (statusOf(object)['progress'] as JsonObject | undefined)?.['percent'] as number | undefined;

function reportOf(done: number, state: Report['state']): Report {
  const percent = state === 'completed' ? 100 : Math.min(99, Math.floor((done / ITEMS) * 100));
  return { state, percent, measures: [{ unit: 'items', done, total: exact(ITEMS) }], children: [] };
}

function publisherOf(kube: KubeClient, target: NamedTarget, object: KubeObject): StatusPublisher {
  return new StatusPublisher(
    {
      target,
      object,
      statusOf: (report) => ({
        phase: report.state === 'completed' ? 'Completed' : 'InProgress',
        progress: {
          ...toStatusProgress(report),
          itemsBackedUp: report.measures[0]!.done,
          totalItems: ITEMS,
        },
      }),
      isOver: (it) => statusOf(it)['phase'] === 'Completed',
      signal: new AbortController().signal,
    },
    { ...runtime, kube },
  );
}

/** What anybody may do to an object at any time: label it by a patch, and write a status field by replacing it whole. */
async function interfere(kube: KubeClient, target: NamedTarget, turn: number): Promise<void> {
  await kube.patch(target, { kind: 'merge', body: { metadata: { annotations: { turn: String(turn) } } } });
  await eventually(async () => {
    const found = await kube.get(target);
    await kube.replace(target, { ...found, status: { ...statusOf(found), formatVersion: String(turn) } });
  });
}

/** Every state that the server shows, up to the last one. */
async function history(kube: KubeClient, target: NamedTarget, signal: AbortSignal): Promise<KubeObject[]> {
  const states: KubeObject[] = [];
  const fieldSelector = `metadata.name=${target.name}`;
  for await (const event of kube.watch(target, { fieldSelector, signal })) {
    if (event.type === 'BOOKMARK') continue;
    states.push(event.object);
    if (statusOf(event.object)['phase'] === 'Completed') break;
  }
  return states;
}

onEveryTarget('the control loop', (place) => {
  it('publishes beside a writer that does not rest: nothing of either is lost, and the percent never falls', async () => {
    const { kube } = place;
    await kube.create({ type: CRDS }, toCrd(Backup) as unknown as KubeObject);
    const target = { type: Backup, namespace: await newNamespace(kube), name: 'busy' };
    const backup = objectOf(Backup, 'busy', { spec: {} });
    await eventually(() => kube.create(target, backup, { dryRun: true }), { withinMs: 15_000 });
    const object = await kube.create(target, backup);
    const somebody = await clientFor(place.target.kubeconfig);
    const watching = history(kube, target, AbortSignal.timeout(60_000));
    const publisher = publisherOf(kube, target, object);
    const startedAt = performance.now();
    for (let done = 1; done <= ITEMS; done += 1) {
      await interfere(somebody, target, done);
      publisher.publish(reportOf(done, 'running'));
    }
    const finishing = publisher.finish(reportOf(ITEMS, 'completed'), { completionTimestamp: '2026-01-01T00:00:00Z' });
    let turn = ITEMS;
    let isOver = false;
    const ended = finishing.finally(() => (isOver = true));
    while (!isOver) await interfere(somebody, target, (turn += 1));
    expect(await ended).toBe('written');
    const seconds = (performance.now() - startedAt) / 1000;
    const states = await watching;
    const percents = states.map(percentOf).filter((percent) => percent !== undefined);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(states.filter((state) => percentOf(state) === 100)).toHaveLength(1);
    const writes = new Set(percents).size;
    expect(writes).toBeGreaterThan(1);
    expect(writes).toBeLessThanOrEqual(seconds + 2);
    console.log(`${turn} foreign writes, ${writes} of our own in ${seconds.toFixed(1)} s`);
    const last = await kube.get(target);
    expect(last.metadata.annotations).toEqual({ turn: String(turn) });
    expect(last['status']).toMatchObject({
      phase: 'Completed',
      completionTimestamp: '2026-01-01T00:00:00Z',
      formatVersion: String(turn),
      progress: { percent: 100, itemsBackedUp: ITEMS, totalItems: ITEMS },
    });
    await somebody.close();
  }, 120_000);

  it('leads again within the time of a lease whose holder vanished', async () => {
    const namespace = await newNamespace(place.kube);
    const terms = { namespace, name: 'lease', leaseDurationMs: 2500, renewDeadlineMs: 1500, retryPeriodMs: 250 };
    const other = await clientFor(place.target.kubeconfig);
    const leader = (kube: KubeClient, identity: string) => new Leader({ ...terms, identity }, { ...runtime, kube });
    const stop = AbortSignal.timeout(30_000);
    const leadership = await leader(place.kube, 'first').acquire(stop);
    const waiting = leader(other, 'second').acquire(stop);
    leadership.abandon();
    const abandonedAt = performance.now();
    const successor = await waiting;
    const tookMs = performance.now() - abandonedAt;
    // From the first sight of the lease, which may be before or after it was abandoned; a busy machine adds to it.
    expect(tookMs).toBeGreaterThan(terms.leaseDurationMs - terms.retryPeriodMs);
    expect(tookMs).toBeLessThan(4 * terms.leaseDurationMs);
    await successor.release(2000);
    await other.close();
  }, 60_000);
});
