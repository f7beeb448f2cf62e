import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { Backup, BackupStorageLocation, DeleteBackupRequest, Restore } from '../../../api/index.ts';
import { AppError, textAt, type JsonObject } from '../../../base/index.ts';
import type { Store } from '../../../edge/store/index.ts';
import type { ControlDeps } from '../ports.ts';
import { Deletions } from './deletion.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const FINALIZER = 'restores.velero.io/external-resources-finalizer';

interface Setting {
  phase?: string;
  status?: JsonObject;
  location?: JsonObject;
  locationStatus?: JsonObject;
}

/** A location with one backup and its files, and a request to delete it. */
async function setUp({ phase = 'Completed', status = {}, location = {}, locationStatus }: Setting = {}) {
  const bench = new Workbench(cluster);
  const name = Workbench.newName('b');
  const bucket = join(cluster.directory, 'stores', name);
  await bench.create(BackupStorageLocation, name, {
    spec: { provider: 'headway.io/fs', objectStorage: { bucket: name }, ...location },
    status: locationStatus ?? { phase: 'Available' },
  });
  await bench.create(Backup, name, {
    metadata: { labels: { 'velero.io/schedule-name': 'nightly' } },
    spec: { storageLocation: name },
    status: { phase, ...status },
  });
  const put = (path: string, text = 'x'): void => {
    mkdirSync(join(bucket, path, '..'), { recursive: true });
    writeFileSync(join(bucket, path), text);
  };
  for (const file of ['velero-backup.json', `${name}.tar.gz`, `${name}-logs.gz`]) put(`backups/${name}/${file}`);
  put('backups/another/velero-backup.json');
  const disturbed: { store: (store: Store) => Store } = { store: (store) => store };
  const stores = {
    open: async (...args: Parameters<ControlDeps['stores']['open']>) => {
      const opened = await bench.deps.stores.open(...args);
      return { ...opened, store: disturbed.store(opened.store) };
    },
  } as ControlDeps['stores'];
  let caches = await bench.caches({ deleteRequests: DeleteBackupRequest });
  const deletions = new Deletions(
    { ...bench.deps, stores },
    {
      get deleteRequests() {
        return caches.deleteRequests;
      },
    },
  );
  const turn = async (request = name) => {
    caches = await bench.caches({ deleteRequests: DeleteBackupRequest });
    return await deletions.reconcile(`velero/${request}`, bench.signal);
  };
  return {
    bench,
    name,
    put,
    disturbed,
    turn,
    /** Until it reports that it is done. */
    turns: async (request = name) => {
      for (let i = 0; i < 10; i += 1) if ((await turn(request)) === 'done') return;
      throw new Error('it does not end');
    },
    ask: async (request = name, backupName = name) =>
      await bench.create(DeleteBackupRequest, request, { spec: { backupName } }),
    has: (path: string) => existsSync(join(bucket, path)),
    status: async (request = name) => ((await bench.get(DeleteBackupRequest, request))['status'] ?? {}) as JsonObject,
    gone: async () => !(await bench.exists(Backup, name)) && !(await bench.exists(DeleteBackupRequest, name)),
  };
}

describe('a request to delete a backup', () => {
  it('takes away its files, its restores with theirs, its object, and itself', async () => {
    const { bench, name, put, ask, turn, turns, has, status, gone } = await setUp();
    const [mine, other] = [Workbench.newName('r'), Workbench.newName('r')];
    put(`restores/${mine}/restore-${mine}-logs.gz`);
    put(`restores/${other}/restore-${other}-logs.gz`);
    await bench.create(Restore, mine, {
      metadata: { finalizers: [FINALIZER] },
      spec: { backupName: name },
      status: { phase: 'Completed' },
    });
    await bench.create(Restore, other, { spec: { backupName: 'another' }, status: { phase: 'Completed' } });
    await ask();
    expect(await turn()).toEqual({ requeueAfterMs: 0 });
    expect(await status()).toMatchObject({ phase: 'InProgress' });
    const backup = await bench.get(Backup, name);
    expect(textAt(backup, 'status', 'phase')).toBe('Deleting');
    expect((await bench.get(DeleteBackupRequest, name)).metadata.labels).toEqual({
      'velero.io/backup-name': name,
      'velero.io/backup-uid': backup.metadata.uid,
    });
    await turns();
    expect(await gone()).toBe(true);
    expect([has(`backups/${name}`), has(`restores/${mine}`)]).toEqual([false, false]);
    expect([has('backups/another'), has(`restores/${other}`)]).toEqual([true, true]);
    expect([await bench.exists(Restore, mine), await bench.exists(Restore, other)]).toEqual([false, true]);
    expect(bench.metrics.get('velero_backup_deletion_attempt_total{nightly}')).toBe(1);
    expect(bench.metrics.get('velero_backup_deletion_success_total{nightly}')).toBe(1);
  });

  it('leaves the files of another cluster alone that has a backup of the same name', async () => {
    const started = { startTimestamp: '2026-01-01T00:00:00Z' };
    const status = { ...started, failureReason: 'put: the store does not answer' };
    const { bench, name, put, ask, turns, has, gone } = await setUp({ phase: 'Failed', status });
    const others = { metadata: { name, uid: 'theirs' }, status: { phase: 'Completed', startTimestamp: 'earlier' } };
    put(`backups/${name}/velero-backup.json`, JSON.stringify(others));
    await ask();
    await turns();
    expect([await gone(), has(`backups/${name}/velero-backup.json`), has(`backups/${name}/${name}.tar.gz`)]).toEqual([
      true,
      true,
      true,
    ]);
    // An imported backup has another uid, but is the same backup.
    const imported = await setUp({ status: started });
    const same = { metadata: { name: imported.name, uid: 'theirs' }, status: { phase: 'Completed', ...started } };
    imported.put(`backups/${imported.name}/velero-backup.json`, JSON.stringify(same));
    await imported.ask();
    await imported.turns();
    expect(imported.has(`backups/${imported.name}`)).toBe(false);
    expect(await bench.exists(Backup, imported.name)).toBe(false);
  });

  it('that has begun ends, and does not go on with a backup that was made anew under the name', async () => {
    const { bench, name, ask, turn, turns, has } = await setUp();
    await ask();
    await turn();
    await bench.kube.delete({ type: Backup, namespace: 'velero', name });
    await bench.create(Backup, name, { spec: { storageLocation: name }, status: { phase: 'Completed' } });
    await turns();
    expect([await bench.exists(Backup, name), await bench.exists(DeleteBackupRequest, name)]).toEqual([true, false]);
    expect(textAt(await bench.get(Backup, name), 'status', 'phase')).toBe('Completed');
    expect(has(`backups/${name}/velero-backup.json`)).toBe(true);
  });

  it('takes the place of an earlier one when it is refused as well', async () => {
    const { bench, name, ask, turns, status } = await setUp({ location: { accessMode: 'ReadOnly' } });
    await ask(`${name}-1`);
    await turns(`${name}-1`);
    await ask(`${name}-2`);
    await turns(`${name}-2`);
    expect(await bench.exists(DeleteBackupRequest, `${name}-1`)).toBe(false);
    expect(await status(`${name}-2`)).toMatchObject({ phase: 'Processed', errors: [expect.any(String)] });
  });

  it('deletes the metadata before anything else', async () => {
    const { name, ask, turns, disturbed } = await setUp();
    const deleted: string[] = [];
    disturbed.store = (store) =>
      watched(store, (key) => {
        deleted.push(key);
      });
    await ask();
    await turns();
    expect(deleted[0]).toBe(`backups/${name}/velero-backup.json`);
    expect(deleted).toHaveLength(3);
  });

  it.each([1, 2, 3])('goes on where a failing store stopped it at delete %i', async (nth) => {
    const { bench, ask, turn, turns, disturbed, status, gone } = await setUp();
    let count = 0;
    disturbed.store = (store) =>
      watched(store, () => {
        count += 1;
        if (count >= nth) throw new AppError('forbidden', 'Access Denied');
      });
    await ask();
    await turn();
    expect(await turn()).toEqual({ requeueAfterMs: 10_000 });
    expect(await status()).toMatchObject({
      phase: 'InProgress',
      errors: ['Access Denied'],
      conditions: [{ type: 'Waiting', status: 'True', reason: 'StoreFailed' }],
    });
    expect(bench.events.map(({ reason }) => reason)).toEqual(['DeletionWaits']);
    disturbed.store = (store) => store;
    await turns();
    expect(await gone()).toBe(true);
  });

  it('waits while a restore reads the backup', async () => {
    const { bench, name, ask, turn, turns, has, status, gone } = await setUp();
    const restore = Workbench.newName('r');
    await bench.create(Restore, restore, { spec: { backupName: name }, status: { phase: 'InProgress' } });
    await ask();
    expect(await turn()).toEqual({ requeueAfterMs: 5_000 });
    expect(await status()).toMatchObject({
      phase: 'New',
      conditions: [{ type: 'Waiting', status: 'True', reason: 'RestoreRunning' }],
    });
    expect(textAt(await bench.get(Backup, name), 'status', 'phase')).toBe('Completed');
    expect(has(`backups/${name}/velero-backup.json`)).toBe(true);
    await bench.patch(Restore, restore, { status: { phase: 'Completed' } });
    await turns();
    expect(await gone()).toBe(true);
    expect(await bench.exists(Restore, restore)).toBe(false);
  });

  it('ends when the one before it did all but remove the requests', async () => {
    const { bench, name, ask, turns, gone } = await setUp();
    await ask();
    await bench.patch(DeleteBackupRequest, name, { status: { phase: 'InProgress' } });
    await bench.kube.delete({ type: Backup, namespace: 'velero', name });
    await turns();
    expect(await gone()).toBe(true);
  });

  it('waits for a location that is away once it has begun, and ends without one that is gone', async () => {
    const { bench, name, ask, turn, turns, has, status, gone } = await setUp();
    await ask();
    await turn();
    await bench.patch(BackupStorageLocation, name, { status: { phase: 'Unavailable' } });
    expect(await turn()).toEqual({ requeueAfterMs: 5_000 });
    expect(await status()).toMatchObject({ phase: 'InProgress', conditions: [{ reason: 'LocationNotReady' }] });
    await bench.kube.delete({ type: BackupStorageLocation, namespace: 'velero', name });
    await turns();
    expect(await gone()).toBe(true);
    expect(has(`backups/${name}/velero-backup.json`)).toBe(true);
  });

  it('does what several ask for once, and answers all', async () => {
    const { bench, name, ask, turn, turns, gone } = await setUp();
    await ask();
    await ask(`${name}-2`);
    expect(await turn(`${name}-2`)).toEqual({ requeueAfterMs: 2_000 });
    await turns();
    expect(await gone()).toBe(true);
    expect(await bench.exists(DeleteBackupRequest, `${name}-2`)).toBe(false);
  });

  it.each<[string, Setting, RegExp]>([
    ['that runs', { phase: 'InProgress' }, /^backup deletion failed: backup is still in progress/],
    ['that is queued', { phase: 'Queued' }, /^backup deletion failed: backup is still in progress/],
    ['in a read-only location', { location: { accessMode: 'ReadOnly' } }, /is currently in read-only mode$/],
    ['in a location that is away', { locationStatus: { phase: 'Unavailable' } }, /is currently unavailable$/],
  ])('is refused for a backup %s', async (_what, setting, reason) => {
    const { bench, name, ask, turn, has, status } = await setUp(setting);
    await ask();
    expect(await turn()).toBe('done');
    expect(await status()).toMatchObject({ phase: 'Processed', errors: [expect.stringMatching(reason) as string] });
    expect(has(`backups/${name}/velero-backup.json`)).toBe(true);
    expect(textAt(await bench.get(Backup, name), 'status', 'phase')).toBe(setting.phase ?? 'Completed');
    expect(bench.events.map((event) => event.reason)).toEqual(['DeletionRefused']);
  });

  it.each([
    ['nobody', 'backup not found'],
    ['', 'spec.backupName is required'],
  ])('is refused for the name %o, and kept for a day', async (backupName, reason) => {
    const { bench, name, ask, turn, status } = await setUp();
    await ask(name, backupName);
    await turn();
    expect(await status()).toMatchObject({ phase: 'Processed', errors: [`backup deletion failed: ${reason}`] });
    expect(await turn()).toEqual({ requeueAfterMs: 3_600_000 });
    bench.now = Date.now() + 25 * 3_600_000;
    await turn();
    expect(await bench.exists(DeleteBackupRequest, name)).toBe(false);
  });

  it.each<[string, Setting]>([
    ['was refused', { phase: 'FailedValidation', status: { validationErrors: ['bad'] } }],
    [
      'found another under its name',
      { phase: 'Failed', status: { failureReason: 'backup x already exists in object storage (bucket)' } },
    ],
  ])('touches no files for a backup that %s', async (_what, setting) => {
    const { bench, name, ask, turns, has, gone } = await setUp(setting);
    if (setting.phase === 'FailedValidation') {
      await bench.kube.delete({ type: BackupStorageLocation, namespace: 'velero', name });
    }
    await ask();
    await turns();
    expect(await gone()).toBe(true);
    expect(has(`backups/${name}/velero-backup.json`)).toBe(true);
  });
});

function watched(store: Store, onDelete: (key: string) => void): Store {
  return new Proxy(store, {
    get: (target, property) => {
      if (property === 'delete') {
        return async (key: string) => {
          onDelete(key);
          await target.delete(key);
        };
      }
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
