import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { AppError, type Clock } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { CONFIG_MAP, NAMESPACE_TYPE } from './cluster-objects.ts';
import { ended, request, startCluster, startEngine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup } from './stored-backup.ts';

let cluster: EngineCluster;
beforeEach(async () => {
  cluster = await startCluster();
}, 60_000);
afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A second of it has ten minutes, but nobody sleeps longer or shorter for that. */
const fast: Clock = { ...systemClock, uptime: () => systemClock.uptime() * 600 };
/** Half an hour by that clock: longer than anybody waits for a server that is away. */
const BUSY_MS = 3000;

/** Turns everybody away until half an hour after the first call. */
function busyAtFirst(): () => Promise<void> {
  let until: number | undefined;
  return async () => {
    until ??= performance.now() + BUSY_MS;
    // As long as a server needs that has much to do.
    await setTimeout(5);
    if (performance.now() < until) throw new AppError('throttled', 'too many requests', { retry: { afterMs: 10 } });
  };
}

it('a restore whose items are turned away for half an hour restores them all', async () => {
  await storeBackup(cluster, 'b', [namespace('app'), ...['x', 'y', 'z'].map((name) => configMap('app', name))]);
  const turn = busyAtFirst();
  const kube: KubeClient = {
    ...cluster.kube,
    createText: async (target, ...args) => {
      if (target.type.kind === 'ConfigMap') await turn();
      return await cluster.kube.createText(target, ...args);
    },
  };
  await using _engine = await startEngine(cluster, {
    ...{ kube, clock: fast },
    controllers: (deps, caches) => createRestoreController({ parallel: 10 }, deps, caches).parts,
  });
  await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
  const { status } = Restore.parse(await ended(cluster.kube, Restore, 'r', 30_000)).value;
  expect(status).toMatchObject({ phase: 'Completed', errors: 0, progress: { created: 4, failed: 0 } });
}, 40_000);

it('a backup whose lists are turned away for half an hour has everything', async () => {
  const app = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'app' } };
  await cluster.kube.create({ type: NAMESPACE_TYPE }, app);
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } } satisfies KubeObject;
  await cluster.kube.create({ type: CONFIG_MAP, namespace: 'app' }, map);
  const turn = busyAtFirst();
  const kube: KubeClient = {
    ...cluster.kube,
    list: async function* (target, ...args) {
      if (target.type.kind === 'ConfigMap') await turn();
      yield* cluster.kube.list(target, ...args);
    },
  };
  await using _engine = await startEngine(cluster, {
    ...{ kube, clock: fast },
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
  const spec = { includedNamespaces: ['app'], includedResources: ['configmaps'] };
  await request(cluster.kube, Backup, 'b', { spec });
  const { status } = Backup.parse(await ended(cluster.kube, Backup, 'b', 30_000)).value;
  // The map, and the one of every namespace with the certificates of the API server.
  expect(status).toMatchObject({ phase: 'Completed', progress: { itemsBackedUp: 2 } });
}, 40_000);
