import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { Backup, BackupStorageLocation, DeleteBackupRequest } from '../../../api/index.ts';
import { AppError, textAt, type JsonObject } from '../../../base/index.ts';
import type { Store } from '../../../edge/store/index.ts';
import type { ControlDeps } from '../ports.ts';
import { Sync } from './sync-controller.ts';

const RECORDED = new URL('../../../../test/fixtures/velero/velero-1.18.3-bucket.tar.gz', import.meta.url).pathname;

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A location of its own, whose store answers as `disturb` says. */
async function setUp(spec: JsonObject = {}) {
  const bench = new Workbench(cluster);
  const name = Workbench.newName('loc');
  await bench.create(BackupStorageLocation, name, {
    spec: { provider: 'headway.io/fs', objectStorage: { bucket: name }, ...spec },
    status: { phase: 'Available' },
  });
  const bucket = join(cluster.directory, 'stores', name);
  const disturbed: { store: (store: Store) => Store } = { store: (store) => store };
  const stores = {
    openFor: async (...args: Parameters<ControlDeps['stores']['openFor']>) => {
      const opened = await bench.deps.stores.openFor(...args);
      return { ...opened, store: disturbed.store(opened.store) };
    },
  } as ControlDeps['stores'];
  const kinds = { backups: Backup, locations: BackupStorageLocation, deleteRequests: DeleteBackupRequest };
  let caches = await bench.caches(kinds);
  const sync = new Sync(
    {},
    { ...bench.deps, stores },
    {
      get backups() {
        return caches.backups;
      },
      get locations() {
        return caches.locations;
      },
      get deleteRequests() {
        return caches.deleteRequests;
      },
    },
  );
  bench.now = Date.now();
  const put = (backup: string, text: string, file = 'velero-backup.json'): void => {
    mkdirSync(join(bucket, 'backups', backup), { recursive: true });
    writeFileSync(join(bucket, 'backups', backup, file), text);
  };
  return {
    bench,
    name,
    bucket,
    disturbed,
    put,
    store: (backup: string, status: JsonObject = { phase: 'Completed' }) => {
      put(
        backup,
        JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: backup }, spec: {}, status }),
      );
    },
    drop: (backup: string) => {
      rmSync(join(bucket, 'backups', backup), { recursive: true, force: true });
    },
    /** A minute later. */
    turn: async () => {
      bench.now = (bench.now ?? 0) + 60_000;
      caches = await bench.caches(kinds);
      return await sync.reconcile(`velero/${name}`, bench.signal);
    },
    backups: async () =>
      (await bench.list(Backup))
        .filter((one) => textAt(one, 'spec', 'storageLocation') === name)
        .map(({ metadata }) => metadata.name)
        .sort(),
    condition: async (type: string) => {
      const status = (await bench.get(BackupStorageLocation, name))['status'] as { conditions?: JsonObject[] };
      return status.conditions?.find((one) => one['type'] === type);
    },
  };
}

const names = (count: number): string[] => Array.from({ length: count }, () => Workbench.newName('b')).sort();

describe('sync', () => {
  it('imports what is in the store and leaves what is unfinished', async () => {
    const { bench, name, store, put, turn, backups, condition } = await setUp();
    const [done, failed, running, bare] = names(4) as [string, string, string, string];
    store(done);
    store(failed, { phase: 'Failed', failureReason: 'x' });
    store(running, { phase: 'InProgress' });
    put(bare, 'x', `${bare}.tar.gz`);
    expect(await turn()).toEqual({ requeueAfterMs: 60_000 });
    expect(await backups()).toEqual([done, failed].sort());
    const imported = await bench.get(Backup, done);
    expect(imported.metadata.labels).toEqual({ 'velero.io/storage-location': name });
    expect(imported['status']).toEqual({ phase: 'Completed' });
    expect(await condition('Synced')).toMatchObject({ status: 'True' });
    expect(textAt(await bench.get(BackupStorageLocation, name), 'status', 'lastSyncedTime')).toBeDefined();
  });

  it('imports what real Velero wrote', async () => {
    const { bench, bucket, turn, backups, condition } = await setUp();
    mkdirSync(bucket, { recursive: true });
    execFileSync('tar', ['xzf', RECORDED, '-C', bucket]);
    await turn();
    expect(await backups()).toContain('shop-1');
    expect(await condition('Synced')).toMatchObject({ status: 'True' });
    const imported = await bench.get(Backup, 'shop-1');
    expect(imported['status']).toMatchObject({ phase: 'Completed', formatVersion: '1.1.0' });
    expect(imported.metadata['ownerReferences']).toBeUndefined();
  });

  it('names what it cannot read and imports the rest', async () => {
    const { store, put, turn, backups, condition, bench } = await setUp();
    const [good, text, other, huge] = names(4) as [string, string, string, string];
    store(good);
    put(text, 'hello');
    put(
      other,
      JSON.stringify({
        apiVersion: 'velero.io/v1',
        kind: 'Backup',
        metadata: { name: good },
        status: { phase: 'Completed' },
      }),
    );
    put(huge, `"${'x'.repeat(4 * 1024 * 1024)}"`);
    put(
      'Not A Name',
      JSON.stringify({
        apiVersion: 'velero.io/v1',
        kind: 'Backup',
        metadata: { name: 'Not A Name' },
        status: { phase: 'Completed' },
      }),
    );
    await turn();
    expect(await backups()).toEqual([good]);
    const told = await condition('Synced');
    expect(told).toMatchObject({ status: 'False', reason: 'UnreadableBackups' });
    for (const bad of [text, other, huge, 'Not A Name']) expect(told?.['message']).toContain(`backups/${bad}: `);
    await turn();
    expect(bench.events.map(({ reason }) => reason)).toEqual(['UnreadableBackups']);
  });

  it('says which backups it leaves out because their name is that of one in another location', async () => {
    const { store, turn, backups, condition, bench } = await setUp();
    const [taken, free] = names(2) as [string, string];
    await bench.create(Backup, taken, { spec: { storageLocation: 'elsewhere' }, status: { phase: 'Completed' } });
    store(taken);
    store(free);
    await turn();
    expect(await backups()).toEqual([free]);
    const message = `not imported: backups/${taken}: its name is that of a backup in location elsewhere`;
    expect(await condition('Synced')).toMatchObject({ status: 'False', message });
  });

  it('removes an object only after two listings without it', async () => {
    const { bench, store, drop, turn, backups } = await setUp();
    const [a, b, c] = names(3) as [string, string, string];
    for (const one of [a, b, c]) store(one);
    await turn();
    drop(b);
    await turn();
    expect(await backups()).toEqual([a, b, c]);
    await turn();
    expect(await backups()).toEqual([a, c]);
    expect(bench.events.map(({ reason }) => reason)).toEqual(['BackupsGone']);
  });

  it('removes nothing when more than half would go, until it is told that this is right', async () => {
    const { bench, name, bucket, store, turn, backups, condition } = await setUp();
    const all = names(4);
    for (const one of all) store(one);
    await turn();
    rmSync(bucket, { recursive: true });
    await turn();
    await turn();
    await turn();
    expect(await backups()).toEqual(all);
    expect(await condition('RemovalHeld')).toMatchObject({
      status: 'True',
      message: expect.stringMatching(/^4 of 4 backups are gone/) as string,
    });
    expect(bench.events.map(({ reason }) => reason)).toEqual(['MoreThanHalfMissing']);
    await bench.patch(BackupStorageLocation, name, {
      metadata: { annotations: { 'headway.io/remove-missing-backups': 'true' } },
    });
    await turn();
    expect(await backups()).toEqual([]);
    expect((await bench.get(BackupStorageLocation, name)).metadata.annotations ?? {}).toEqual({});
    await turn();
    expect(await condition('RemovalHeld')).toBeUndefined();
  });

  it.each<[string, (store: Store) => Store]>([
    ['is empty', (store) => ({ ...delegate(store), listPrefixes: () => none() })],
    ['fails', (store) => ({ ...delegate(store), listPrefixes: () => failing() })],
    ['ends too early', (store) => ({ ...delegate(store), listPrefixes: (prefix) => cut(store.listPrefixes(prefix)) })],
  ])('loses no object when a listing %s', async (_what, fault) => {
    const { store, disturbed, turn, backups } = await setUp();
    const all = names(5);
    for (const one of all) store(one);
    await turn();
    for (let round = 0; round < 4; round += 1) {
      disturbed.store = round % 2 === 0 ? fault : (real) => real;
      await turn();
      expect(await backups()).toEqual(all);
    }
    // Even forever, because the files themselves are requested.
    disturbed.store = fault;
    for (let round = 0; round < 3; round += 1) await turn();
    expect(await backups()).toEqual(all);
  });

  it('tells that it failed, and that it goes on', async () => {
    const { store, disturbed, turn, condition } = await setUp();
    store(names(1)[0] ?? '');
    disturbed.store = (real) => ({ ...delegate(real), listPrefixes: () => failing() });
    expect(await turn()).toEqual({ requeueAfterMs: 10_000 });
    expect(await condition('Synced')).toMatchObject({
      status: 'False',
      reason: 'Unreachable',
      message: 'the store is away',
    });
    disturbed.store = (real) => real;
    await turn();
    expect(await condition('Synced')).toMatchObject({ status: 'True' });
  });

  it('does not bring back what is being deleted', async () => {
    const { bench, store, turn, backups } = await setUp();
    const [one] = names(1) as [string];
    store(one);
    await bench.create(DeleteBackupRequest, one, { spec: { backupName: one }, status: { phase: 'InProgress' } });
    await turn();
    expect(await backups()).toEqual([]);
  });

  it('leaves alone what it was told to, what cannot be reached, and what was never stored', async () => {
    const never = await setUp({ backupSyncPeriod: '0s' });
    never.store(names(1)[0] ?? '');
    expect(await never.turn()).toBe('done');
    expect(await never.backups()).toEqual([]);
    const away = await setUp();
    away.store(names(1)[0] ?? '');
    await away.bench.patch(BackupStorageLocation, away.name, { status: { phase: 'Unavailable' } });
    expect(await away.turn()).toBe('done');
    expect(await away.backups()).toEqual([]);
    const { bench, name, turn, backups } = await setUp();
    const unstored = names(5);
    for (const [index, one] of unstored.entries()) {
      const phase = ['InProgress', 'Failed', 'FailedValidation', 'Deleting', 'Finalizing'][index];
      await bench.create(Backup, one, { spec: { storageLocation: name }, status: { phase } });
    }
    for (let round = 0; round < 3; round += 1) await turn();
    expect(await backups()).toEqual(unstored);
  });

  it('takes the objects of a deleted location away after a while, and never its files', async () => {
    const { bench, name, store, turn, backups } = await setUp();
    const [one, refused] = names(2) as [string, string];
    store(one);
    await turn();
    await bench.create(Backup, refused, { spec: { storageLocation: name }, status: { phase: 'FailedValidation' } });
    await bench.kube.delete({ type: BackupStorageLocation, namespace: 'velero', name });
    const failed = { phase: 'Failed', startTimestamp: '2026-01-01T00:00:00Z' };
    await bench.create(Backup, Workbench.newName('failed'), { spec: { storageLocation: name }, status: failed });
    expect(await turn()).toEqual({ requeueAfterMs: 10_000 });
    expect(await backups()).toHaveLength(3);
    expect(await turn()).toBe('done');
    expect(await backups()).toEqual([refused]);
    const opened = { ...(await setUp({ objectStorage: { bucket: name } })) };
    await opened.turn();
    expect(await opened.backups()).toEqual([one]);
  });
});

/** A store is a class, whose methods a spread does not copy. */
function delegate(store: Store): Store {
  return {
    where: store.where,
    put: (...args) => store.put(...args),
    get: (...args) => store.get(...args),
    head: (...args) => store.head(...args),
    delete: (...args) => store.delete(...args),
    list: (...args) => store.list(...args),
    listPrefixes: (...args) => store.listPrefixes(...args),
    listUploads: (...args) => store.listUploads(...args),
    abortUpload: (...args) => store.abortUpload(...args),
    downloadUrl: (...args) => store.downloadUrl(...args),
    close: () => undefined,
  };
}

async function* none(): AsyncGenerator<string> {
  // Nothing is there.
}

async function* failing(): AsyncGenerator<string> {
  await Promise.resolve();
  throw new AppError('unreachable', 'the store is away');
}

async function* cut(items: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const item of items) {
    yield item;
    return;
  }
}
