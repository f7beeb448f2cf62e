import { afterAll, beforeAll, expect, it } from 'vitest';
import { Restore } from '../../src/api/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { CONFIG_MAP } from './cluster-objects.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup } from './stored-backup.ts';

const ITEMS = 1500;
/** What a status may lag behind, and what the watch that sees it may lag behind that. */
const FRESH_MS = 1200;
const SLACK_MS = 300;

interface Seen {
  at: number;
  status: Restore['status'];
}

let cluster: EngineCluster;

beforeAll(async () => {
  cluster = await startCluster();
}, 60_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A cluster that is some milliseconds away, so that the restore takes seconds. */
function distant(kube: KubeClient): KubeClient {
  return {
    ...kube,
    createText: async (target, text, options) => {
      if (target.type.kind === 'ConfigMap') await systemClock.sleep(5);
      return await kube.createText(target, text, options);
    },
  };
}

async function record(
  target: Parameters<KubeClient['watch']>[0],
  signal: AbortSignal,
  see: (object: KubeObject) => void,
) {
  try {
    for await (const event of cluster.kube.watch(target, { signal, resourceVersion: '0' })) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED') see(event.object);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

it('tells the truth in every status it writes, at least every two seconds', async () => {
  const items = Array.from({ length: ITEMS }, (_, index) => configMap('app', `item-${index}`));
  await storeBackup(cluster, 'b', [namespace('app'), ...items]);
  const engine = await startEngine(cluster, {
    kube: distant(cluster.kube),
    controllers: (deps, caches) => createRestoreController({ parallel: 3 }, deps, caches).parts,
  });
  const stop = new AbortController();
  const statuses: Seen[] = [];
  const createdAt: number[] = [];
  const watching = [
    record({ type: Restore, namespace: NAMESPACE }, stop.signal, (object) => {
      statuses.push({ at: Date.now(), status: Restore.parse(object).value.status });
    }),
    record({ type: CONFIG_MAP, namespace: 'app' }, stop.signal, ({ metadata: { name } }) => {
      if (name.startsWith('item-')) createdAt.push(Date.now());
    }),
  ];
  await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
  const last = Restore.parse(await ended(cluster.kube, Restore, 'r', 60_000)).value.status;
  stop.abort();
  await Promise.all(watching);
  await engine.stop();

  expect(last).toMatchObject({ phase: 'Completed', progress: { percent: 100, created: ITEMS + 1 } });
  const running = statuses.filter(({ status }) => status.phase !== undefined && status.phase !== 'New');
  expect(running.length).toBeGreaterThan(4);
  checkPace(running);
  checkTruth(running, createdAt);
  const middle = running.filter(({ status }) => status.progress?.stage === 'restoring');
  expect(middle.some(({ status }) => status.progress?.etaSeconds !== undefined || status.progress?.ratePerSecond)).toBe(
    true,
  );
  expect(last.stages?.map(({ stage }) => stage)).toEqual([
    'discovering',
    'downloading',
    'checking',
    'collecting',
    'restoring',
    'finalizing',
  ]);
}, 90_000);

function checkPace(running: readonly Seen[]): void {
  for (const [before, after] of running.slice(1).map((seen, at) => [running[at]!, seen] as const)) {
    expect(after.at - before.at, 'silence').toBeLessThan(2000);
    const [was, is] = [before.status.progress ?? {}, after.status.progress ?? {}];
    expect(is.percent ?? 0).toBeGreaterThanOrEqual(was.percent ?? 0);
    expect(is.itemsRestored ?? 0).toBeGreaterThanOrEqual(was.itemsRestored ?? 0);
  }
}

function checkTruth(running: readonly Seen[], createdAt: readonly number[]): void {
  const inCluster = (time: number): number => createdAt.filter((at) => at <= time).length;
  for (const { at, status } of running) {
    const { created = 0, updated = 0, skipped = 0, failed = 0, itemsRestored = 0, totalItems } = status.progress ?? {};
    expect(created + updated + skipped + failed).toBe(itemsRestored);
    if (totalItems !== undefined) expect(totalItems).toBe(ITEMS + 1);
    // The namespace is one of the created.
    const told = Math.max(0, created + updated - 1);
    expect(told).toBeLessThanOrEqual(inCluster(at + SLACK_MS));
    expect(told).toBeGreaterThanOrEqual(inCluster(at - FRESH_MS - SLACK_MS));
  }
}
