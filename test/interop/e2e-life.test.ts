import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  Restore,
  Schedule,
  ServerStatusRequest,
} from '../../src/api/index.ts';
import { objectAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, objectOf } from '../kube-kinds.ts';
import { E2eCluster, VELERO } from './e2e-cluster.ts';

const SHOP = { includedNamespaces: ['shop'] };
const WITHIN = { withinMs: 60_000 };

describe("Velero's end-to-end cases: the life of backups, schedules and locations", { timeout: 120_000 }, () => {
  let cluster: E2eCluster;
  const folder = (kind: string, name: string): string => join(cluster.bucket, kind, name);
  const mergeSpec = async (type: typeof Schedule | typeof BackupStorageLocation, name: string, spec: JsonObject) => {
    await cluster.kube.patch({ type, namespace: VELERO, name }, { kind: 'merge', body: { spec } });
  };
  const ofSchedule = async (name: string) =>
    (await cluster.all(Backup, VELERO)).filter(({ metadata }) => metadata.labels?.['velero.io/schedule-name'] === name);
  const unended = (objects: readonly JsonObject[]) =>
    objects.filter((object) => !/Completed|Failed/.test(textAt(object, 'status', 'phase') ?? ''));

  beforeAll(async () => {
    cluster = await E2eCluster.start();
    await cluster.make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    await cluster.make({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'shop' } });
    await mergeSpec(BackupStorageLocation, 'default', { backupSyncPeriod: '1s' });
  }, 90_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  it('BackupsSync: what is in the bucket comes back, what is not there any more goes', async () => {
    for (const name of ['sync-1', 'sync-2', 'sync-3']) await cluster.backup(name, SHOP);
    cluster.server.child.kill('SIGTERM');
    await cluster.server.finished();
    await cluster.kube.delete({ type: Backup, namespace: VELERO, name: 'sync-1' });
    cluster.server = await cluster.served.serve();
    expect(await cluster.ended(Backup, 'sync-1')).toMatchObject({ phase: 'Completed' });
    rmSync(folder('backups', 'sync-1'), { recursive: true });
    await cluster.gone(Backup, 'sync-1', VELERO);
    expect(await cluster.find(Backup, 'sync-2', VELERO)).toBeDefined();
  });

  it('Backups Deletion: the object, its restores and its files go, also when the files went first', async () => {
    for (const name of ['del-1', 'del-2']) {
      await cluster.backup(name, SHOP);
      await cluster.restore(`${name}-r`, name);
      expect(existsSync(folder('restores', `${name}-r`))).toBe(true);
      if (name === 'del-2') rmSync(folder('backups', name), { recursive: true });
      const request = objectOf(DeleteBackupRequest, name, {
        metadata: { namespace: VELERO },
        spec: { backupName: name },
      });
      await cluster.kube.create({ type: DeleteBackupRequest, namespace: VELERO }, request);
      await cluster.gone(Backup, name, VELERO);
      await cluster.gone(Restore, `${name}-r`, VELERO);
      await eventually(() => {
        expect([folder('backups', name), folder('restores', `${name}-r`)].filter(existsSync)).toEqual([]);
      }, WITHIN);
      await cluster.gone(DeleteBackupRequest, name, VELERO);
    }
  });

  it('TTL: what has expired is deleted with its restores and files', async () => {
    await cluster.backup('brief', { ...SHOP, ttl: '15s' });
    await cluster.restore('brief-r', 'brief', { namespaceMapping: { shop: 'shop-brief' } });
    await cluster.gone(Backup, 'brief', VELERO);
    await cluster.gone(Restore, 'brief-r', VELERO);
    await eventually(() => {
      expect(existsSync(folder('backups', 'brief'))).toBe(false);
    }, WITHIN);
  });

  it('Schedule: runs when due, one at a time, not while paused, with its order; the last one can be restored', async () => {
    const orderedResources = { configmaps: 'shop/m' };
    await cluster.request(Schedule, 'often', { schedule: '@every 1s', template: { ...SHOP, orderedResources } });
    await eventually(async () => {
      const runs = await ofSchedule('often');
      expect(unended(runs).length).toBeLessThan(2);
      expect(runs.length).toBeGreaterThan(1);
    }, WITHIN);
    await mergeSpec(Schedule, 'often', { paused: true });
    // A run that was due before the pause may still come; once a whole backup has passed, none does.
    await cluster.backup('paused', SHOP);
    const runs = await eventually(async () => {
      const found = await ofSchedule('often');
      expect(unended(found)).toEqual([]);
      return found;
    }, WITHIN);
    expect(objectAt(runs[0], 'spec', 'orderedResources')).toEqual(orderedResources);
    const settled = (await ofSchedule('often')).length;
    await cluster.backup('meanwhile', SHOP);
    expect((await ofSchedule('often')).length).toBe(settled);
    await cluster.kube.delete({ type: CONFIG_MAPS, namespace: 'shop', name: 'm' });
    await cluster.request(Restore, 'often', { scheduleName: 'often' });
    expect(await cluster.ended(Restore, 'often')).toMatchObject({ phase: 'Completed' });
    expect(await cluster.find(CONFIG_MAPS, 'm', 'shop')).toBeDefined();
    await mergeSpec(Schedule, 'often', { paused: false });
    await eventually(async () => {
      expect((await ofSchedule('often')).length).toBeGreaterThan(settled);
    }, WITHIN);
    await cluster.kube.delete({ type: Schedule, namespace: VELERO, name: 'often' });
  });

  it('SSR: a status request is answered in our namespace and nowhere else', async () => {
    const request = (namespace: string) => objectOf(ServerStatusRequest, 'who', { metadata: { namespace }, spec: {} });
    const foreign = { type: ServerStatusRequest, namespace: 'shop' };
    await cluster.kube.create(foreign, request('shop'));
    await cluster.kube.create({ ...foreign, namespace: VELERO }, request(VELERO));
    await eventually(async () => {
      const status = objectAt(await cluster.kube.get({ ...foreign, namespace: VELERO, name: 'who' }), 'status');
      expect(status).toMatchObject({ phase: 'Processed' });
      expect(status['serverVersion']).toMatch(/^v\d+\.\d+\.\d+/);
    }, WITHIN);
    expect(valueAt(await cluster.kube.get({ ...foreign, name: 'who' }), 'status', 'phase')).toBeUndefined();
  });

  it('BSL Deletion: its backups leave the cluster, its files stay', async () => {
    const spec = { provider: 'headway.io/fs', objectStorage: { bucket: 'backups', prefix: 'second' } };
    await cluster.request(BackupStorageLocation, 'second', spec);
    await eventually(async () => {
      const location = await cluster.kube.get({ type: BackupStorageLocation, namespace: VELERO, name: 'second' });
      expect(textAt(location, 'status', 'phase')).toBe('Available');
    }, WITHIN);
    await cluster.backup('in-second', { ...SHOP, storageLocation: 'second' });
    await cluster.kube.delete({ type: BackupStorageLocation, namespace: VELERO, name: 'second' });
    await cluster.gone(Backup, 'in-second', VELERO);
    expect(existsSync(join(cluster.bucket, 'second/backups/in-second/velero-backup.json'))).toBe(true);
    expect(await cluster.find(Backup, 'sync-2', VELERO)).toBeDefined();
  });
});
