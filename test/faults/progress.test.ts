import { setInterval } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { needsBed } from '../bed/index.ts';
import { CONFIG_MAPS, SECRETS } from '../kube-kinds.ts';
import { FaultCluster } from './fault-cluster.ts';
import { itemsOnDisk } from './growing-archive.ts';
import { expectWholeBackup, expectWholeRestore } from './outcome.ts';
import { expectFresh, expectSteady, FRESH_MS, Ledger, SLACK_MS } from './progress-rules.ts';
import { createSample } from './sample-application.ts';
import { numberAt, StatusRecord } from './status-record.ts';

/** So far away that a run takes seconds. */
const LATE_MS = 250;
const LOOK_EVERY_MS = 100;

/** Counts what a restore has brought into a namespace, as it comes. */
function follow(kube: KubeClient, restore: string, namespace: string, signal: AbortSignal): Ledger {
  const ledger = new Ledger();
  const labelSelector = `velero.io/restore-name=${restore}`;
  const watch = async (type: typeof CONFIG_MAPS): Promise<void> => {
    // A server ends a watch when it likes to; the next one begins with what is there.
    while (!signal.aborted) {
      try {
        for await (const event of kube.watch({ type, namespace }, { signal, labelSelector, resourceVersion: '0' })) {
          if (event.type === 'ADDED') ledger.add(event.object.metadata.uid ?? '');
        }
      } catch (error) {
        if (!signal.aborted) ledger.problems.push(error);
      }
    }
  };
  void Promise.all([watch(CONFIG_MAPS), watch(SECRETS)]);
  return ledger;
}

/** What was on the disk at which moment. */
async function lookAtDisk(cluster: FaultCluster, backup: string, signal: AbortSignal): Promise<[number, number][]> {
  const looks: [number, number][] = [];
  try {
    for await (const _ of setInterval(LOOK_EVERY_MS, undefined, { signal })) {
      looks.push([Date.now(), itemsOnDisk(cluster.fsDirectory, backup)]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return looks;
}

const bed = needsBed({ clusters: 1, s3: true });
describe.each([
  { where: 'pocket', options: { cluster: 'pocket', store: 'fs' }, isMissing: false },
  { where: bed.title('the bed'), options: { cluster: 'bed', store: 's3' }, isMissing: bed.missing },
] as const)('progress as seen from outside, on $where', ({ options, isMissing }) => {
  describe.skipIf(isMissing)('with a distant API server', () => {
    let cluster: FaultCluster;
    let items: Set<string>;

    beforeAll(async () => {
      cluster = await FaultCluster.start(options);
      items = await createSample(cluster.kube, 'app', { configMaps: 900, secrets: 50, blobs: 4 });
      await cluster.served();
      cluster.api.rule(() => ({ kind: 'late', ms: LATE_MS }));
    }, 180_000);

    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    it('a backup tells what is in its archive', { timeout: 90_000 }, async () => {
      const stop = new AbortController();
      const looking = options.store === 'fs' ? lookAtDisk(cluster, 'b', stop.signal) : Promise.resolve([]);
      await using backup = await StatusRecord.of(cluster.kube, Backup, {
        name: 'b',
        spec: { includedNamespaces: ['app'] },
      });
      const end = await backup.ended();
      stop.abort();
      await expectWholeBackup(cluster.store, 'b', end, items);
      backup.expectPercentNeverFalls();
      expectSteady(backup.seen, ['itemsBackedUp', 'bytesDone']);
      const looks = await looking;
      for (const { at, progress } of backup.seen) {
        const before = looks.findLast(([time]) => time <= at - FRESH_MS - SLACK_MS)?.[1] ?? 0;
        expect(numberAt(progress, 'itemsBackedUp') ?? 0, JSON.stringify(progress)).toBeGreaterThanOrEqual(before);
      }
      if (options.store === 'fs') expect(Math.max(...looks.map(([, count]) => count))).toBeGreaterThan(0);
    });

    it('a restore tells what is in the cluster', { timeout: 90_000 }, async () => {
      const stop = new AbortController();
      const ledger = follow(cluster.kube, 'r', 'copy', stop.signal);
      await using restore = await StatusRecord.of(cluster.kube, Restore, {
        name: 'r',
        spec: { backupName: 'b', namespaceMapping: { app: 'copy' } },
      });
      const end = await restore.ended();
      stop.abort();
      await expectWholeRestore(cluster.kube, end, { namespace: 'copy', items });
      restore.expectPercentNeverFalls();
      expectSteady(restore.seen, ['itemsRestored', 'created', 'updated', 'skipped', 'failed']);
      const done = ({ progress }: (typeof restore.seen)[number]): number =>
        (numberAt(progress, 'created') ?? 0) + (numberAt(progress, 'updated') ?? 0);
      expect(ledger.problems).toEqual([]);
      // The namespace and its service account come first, and are no ConfigMaps or Secrets.
      const others = done(end) - ledger.size;
      expect(others).toBeGreaterThanOrEqual(1);
      expect(others).toBeLessThanOrEqual(3);
      expectFresh(restore.seen, (seen) => Math.max(0, done(seen) - others), ledger);
      for (const { progress } of restore.seen) {
        const sum = ['created', 'updated', 'skipped', 'failed'].map((field) => numberAt(progress, field) ?? 0);
        expect(sum.reduce((a, b) => a + b)).toBe(numberAt(progress, 'itemsRestored') ?? 0);
      }
    });
  });
});
