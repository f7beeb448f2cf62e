import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Restore } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { createRestoreController, type RestoreOptions } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import { CONFIG_MAP, listAll } from './cluster-objects.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeArchive, storeBackup } from './stored-backup.ts';

const ITEMS = 60;
let cluster: EngineCluster;
const engines: Engine[] = [];

beforeEach(async () => {
  cluster = await startCluster();
}, 60_000);

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
  await cluster[Symbol.asyncDispose]();
});

async function run(options: RestoreOptions = {}, kube?: KubeClient): Promise<Engine> {
  const engine = await startEngine(cluster, {
    controllers: (deps, caches) => createRestoreController(options, deps, caches).parts,
    ...(kube === undefined ? {} : { kube }),
  });
  engines.push(engine);
  return engine;
}

const many = (space: string): ReturnType<typeof configMap>[] =>
  Array.from({ length: ITEMS }, (_, index) => configMap(space, `item-${index}`));
const target = (name: string) => ({ type: Restore, namespace: NAMESPACE, name });
const statusOf = (restore: KubeObject): Restore['status'] => Restore.parse(restore).value.status;
const read = async (name: string): Promise<Restore['status']> => statusOf(await cluster.kube.get(target(name)));
const patch = (name: string, body: JsonObject): Promise<KubeObject> =>
  cluster.kube.patch(target(name), { kind: 'merge', body });

/** A cluster that takes `limit` ConfigMaps and then lets the next ones wait for `open`. */
function gated(limit: number): { kube: KubeClient; open: () => void; created: () => number } {
  const gate = Promise.withResolvers<undefined>();
  let count = 0;
  const kube: KubeClient = {
    ...cluster.kube,
    createText: async (into, text, options) => {
      if (into.type.kind === 'ConfigMap') {
        count += 1;
        if (count > limit) await Promise.race([gate.promise, aborted(options?.signal)]);
      }
      return await cluster.kube.createText(into, text, options);
    },
  };
  return {
    kube,
    open: () => {
      gate.resolve(undefined);
    },
    created: () => count,
  };
}

async function aborted(signal: AbortSignal | undefined): Promise<never> {
  return await new Promise((_, reject) => {
    signal?.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

describe('a restart', () => {
  it('goes on: nothing twice, all counted, the percent not falling', async () => {
    await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
    const gate = gated(30);
    const first = await run({ parallel: 5 }, gate.kube);
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    const seen = await eventually(async () => {
      const { progress } = await read('r');
      expect(progress?.created).toBe(31);
      return progress;
    });
    await first.kill();
    expect((await read('r')).phase).toBe('InProgress');
    const before = await listAll(cluster.kube, 'v1', 'ConfigMap', 'app');
    await run();
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status).toMatchObject({ phase: 'Completed', errors: 0, warnings: 0 });
    expect(status.progress).toMatchObject({ created: ITEMS + 1, skipped: 0, totalItems: ITEMS + 1, percent: 100 });
    expect(seen?.percent).toBeLessThan(100);
    const after = await listAll(cluster.kube, 'v1', 'ConfigMap', 'app');
    expect(after.filter(({ metadata }) => metadata.name.startsWith('item-'))).toHaveLength(ITEMS);
    const versions = new Map(after.map(({ metadata }) => [metadata.uid, metadata.resourceVersion]));
    for (const { metadata } of before) expect(versions.get(metadata.uid)).toBe(metadata.resourceVersion);
  });
});

describe('a cancel', () => {
  it('ends a running restore as failed, says so, and keeps what was restored', async () => {
    await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
    const gate = gated(20);
    await run({ parallel: 5 }, gate.kube);
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    await eventually(() => {
      expect(gate.created()).toBeGreaterThan(20);
    });
    await patch('r', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(status.conditions).toMatchObject([{ type: 'Canceled', status: 'True' }]);
    expect(status.progress).toMatchObject({ created: 21, totalItems: ITEMS + 1 });
    expect(status.progress?.percent).toBeLessThan(100);
    expect(existsSync(join(cluster.bucket, 'restores/r/restore-r-logs.gz'))).toBe(true);
  });

  it.each(['while it restores', 'before it begins'])(
    '%s leaves a retry everything that it did not restore',
    async (moment) => {
      await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
      const gate = gated(20);
      const metadata = { annotations: { 'headway.io/cancel': 'true' } };
      const isEarly = moment === 'before it begins';
      await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' }, ...(isEarly ? { metadata } : {}) });
      await run({ parallel: 5 }, gate.kube);
      if (!isEarly) {
        await eventually(() => {
          expect(gate.created()).toBeGreaterThan(20);
        });
        await patch('r', { metadata });
      }
      const { created = 0 } = statusOf(await ended(cluster.kube, Restore, 'r')).progress ?? {};
      gate.open();
      const retry = { annotations: { 'headway.io/retry-of': 'r' } };
      await request(cluster.kube, Restore, 'again', { spec: { backupName: 'b' }, metadata: retry });
      const status = statusOf(await ended(cluster.kube, Restore, 'again'));
      expect(status).toMatchObject({ phase: 'Completed', progress: { created: ITEMS + 1 - created } });
      // Of what the first one had restored, only the namespace is looked at again.
      expect(status.progress?.skipped).toBe(isEarly ? 0 : 1);
      const names = (await listAll(cluster.kube, 'v1', 'ConfigMap', 'app')).map(({ metadata: { name } }) => name);
      expect(names.filter((name) => name.startsWith('item-'))).toHaveLength(ITEMS);
    },
  );

  it('ends one that another process began, with the counts that were told', async () => {
    await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
    const gate = gated(30);
    const first = await run({ parallel: 5 }, gate.kube);
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    await eventually(async () => {
      expect((await read('r')).progress?.created).toBe(31);
    });
    await first.kill();
    await patch('r', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    await run();
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(status.progress).toMatchObject({ created: 31, itemsRestored: 31, totalItems: ITEMS + 1 });
  });

  it('ends one that another process began and for which there is no room', async () => {
    await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
    for (const name of ['busy', 'waiting']) {
      const status = { phase: 'InProgress', startTimestamp: '2026-01-01T00:00:00Z' };
      await request(cluster.kube, Restore, name, { spec: { backupName: 'b' }, status });
    }
    const gate = gated(10);
    await run({ concurrent: 1, parallel: 5 }, gate.kube);
    await eventually(() => {
      expect(gate.created()).toBeGreaterThan(10);
    });
    await patch('waiting', { metadata: { annotations: { 'headway.io/cancel': 'true' } } });
    expect(statusOf(await ended(cluster.kube, Restore, 'waiting'))).toMatchObject({ failureReason: 'canceled' });
    gate.open();
    expect(statusOf(await ended(cluster.kube, Restore, 'busy'))).toMatchObject({ phase: 'Completed' });
  });

  it('ends one that has not begun', async () => {
    await storeBackup(cluster, 'b', [configMap('app', 'a')]);
    const metadata = { annotations: { 'headway.io/cancel': 'true' } };
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' }, metadata });
    await run();
    expect(statusOf(await ended(cluster.kube, Restore, 'r'))).toMatchObject({
      phase: 'Failed',
      failureReason: 'canceled',
    });
    expect((await listAll(cluster.kube, 'v1', 'Namespace')).map(({ metadata: { name } }) => name)).not.toContain('app');
  });
});

describe('a deletion', () => {
  it('stops the restore, and its files go with it', async () => {
    await storeBackup(cluster, 'b', [namespace('app'), ...many('app')]);
    const gate = gated(20);
    await run({ parallel: 5 }, gate.kube);
    await request(cluster.kube, Restore, 'done', { spec: { backupName: 'b', includedResources: ['namespaces'] } });
    await ended(cluster.kube, Restore, 'done');
    expect(existsSync(join(cluster.bucket, 'restores/done'))).toBe(true);
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    await eventually(() => {
      expect(gate.created()).toBeGreaterThan(20);
    });
    for (const name of ['r', 'done']) {
      await cluster.kube.delete(target(name));
      await eventually(async () => {
        await expect(cluster.kube.get(target(name))).rejects.toMatchObject({ code: 'notFound' });
      });
    }
    expect(existsSync(join(cluster.bucket, 'restores/done/restore-done-logs.gz'))).toBe(false);
    gate.open();
    const left = await listAll(cluster.kube, 'v1', 'ConfigMap', 'app');
    expect(left.filter(({ metadata }) => metadata.name.startsWith('item-'))).toHaveLength(20);
  });
});

describe('several restores', () => {
  it('run at the same time in different namespaces and wait for each other in the same', async () => {
    await storeBackup(cluster, 'b', [...many('one'), configMap('two', 'a')]);
    await storeBackup(cluster, 'whole', [namespace('one')]);
    const gate = gated(10);
    await run({ parallel: 5 }, gate.kube);
    const into = (name: string): JsonObject => ({ backupName: 'b', includedNamespaces: [name] });
    await request(cluster.kube, Restore, 'r1', { spec: into('one') });
    await eventually(() => {
      expect(gate.created()).toBeGreaterThan(10);
    });
    await request(cluster.kube, Restore, 'r2', { spec: into('one') });
    await eventually(async () => {
      const { phase, conditions } = await read('r2');
      expect(phase).toBe('New');
      expect(conditions).toMatchObject([
        { type: 'Waiting', status: 'True', message: 'restore r1 is ahead and goes into the same namespace, one' },
      ]);
    });
    const mapped = { ...into('two'), includedResources: ['namespaces'], namespaceMapping: { two: 'three' } };
    await request(cluster.kube, Restore, 'r3', { spec: mapped });
    expect(statusOf(await ended(cluster.kube, Restore, 'r3')).phase).toBe('Completed');
    // It names no namespaces, but its backup does.
    const whole = { backupName: 'whole', namespaceMapping: { one: 'four' } };
    await request(cluster.kube, Restore, 'r4', { spec: whole });
    expect(statusOf(await ended(cluster.kube, Restore, 'r4'))).toMatchObject({ phase: 'Completed', warnings: 0 });
    gate.open();
    expect(statusOf(await ended(cluster.kube, Restore, 'r1')).progress).toMatchObject({ created: ITEMS + 1 });
    const second = statusOf(await ended(cluster.kube, Restore, 'r2'));
    expect(second.progress).toMatchObject({ created: 0, skipped: ITEMS + 1 });
    expect(second.conditions ?? []).toEqual([]);
  });
});

describe('a hostile or broken archive', () => {
  it.each([
    ['cut off', Buffer.from('1f8b0800000000000003', 'hex')],
    ['no archive at all', Buffer.from('hello')],
  ])('that is %s fails, and nothing is created', async (_title, bytes) => {
    await storeArchive(cluster, 'bad', bytes);
    await run();
    const before = (await listAll(cluster.kube, 'v1', 'Namespace')).length;
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'bad' } });
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status.phase).toBe('Failed');
    expect(status.failureReason).toContain('archive');
    expect(await listAll(cluster.kube, 'v1', 'Namespace')).toHaveLength(before);
  });

  it('that is another one than was written fails, and nothing is created', async () => {
    await storeBackup(cluster, 'b', [configMap('app', 'a')]);
    const stored = { metadata: { name: 'b' }, status: { archive: { items: 1, sha256: '0'.repeat(64) } } };
    const file = join(cluster.bucket, 'backups/b/velero-backup.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Backup', ...stored }));
    await run();
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status.phase).toBe('Failed');
    expect(status.failureReason).toContain('is not the one that was written: expected sha256 0000');
    expect((await listAll(cluster.kube, 'v1', 'Namespace')).map(({ metadata: { name } }) => name)).not.toContain('app');
  });

  it('of which one item is broken fails that item before anything is created', async () => {
    const broken = { groupResource: 'configmaps', object: { ...configMap('app', 'x').object, kind: 'Secret' } };
    await storeBackup(cluster, 'b', [configMap('app', 'a'), broken]);
    await run();
    await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b' } });
    const status = statusOf(await ended(cluster.kube, Restore, 'r'));
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 1 });
    expect(status.progress).toMatchObject({ created: 2, failed: 1, totalItems: 3 });
    expect(textAt(await cluster.kube.get({ type: CONFIG_MAP, namespace: 'app', name: 'a' }), 'data', 'k')).toBe('v');
  });
});
