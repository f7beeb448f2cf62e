import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  PodVolumeBackup,
  VolumePluginBackup,
} from '../../../api/index.ts';
import { textAt, type Json, type JsonObject } from '../../../base/index.ts';
import { Sync } from './sync-controller.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const volumeOf = (backup: string, name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'velero.io/v1',
  kind: 'VolumePluginBackup',
  metadata: { name, namespace: 'elsewhere', annotations: { 'headway.io/claim': 'shop/data' } },
  spec: { backup, volume: 'pv-1', plugin: 'stream' },
  status: { phase: 'Completed', snapshotID: name, progress: { totalBytes: 5, bytesDone: 5 } },
  ...more,
});

it('brings the volumes of backups, also of those that are here already, and only theirs', async () => {
  const bench = new Workbench(cluster);
  const location = Workbench.newName('loc');
  await bench.create(BackupStorageLocation, location, {
    spec: { provider: 'headway.io/fs', objectStorage: { bucket: location } },
    status: { phase: 'Available' },
  });
  const [fresh, old] = [Workbench.newName('b'), Workbench.newName('b')];
  await bench.create(Backup, old, { spec: { storageLocation: location }, status: { phase: 'Completed' } });
  const put = (backup: string, ending: string, value: Json): void => {
    const folder = join(cluster.directory, 'stores', location, 'backups', backup);
    mkdirSync(folder, { recursive: true });
    const isPlain = ending === 'velero-backup.json';
    const text = JSON.stringify(value);
    writeFileSync(join(folder, isPlain ? ending : `${backup}${ending}`), isPlain ? text : gzipSync(text));
  };
  for (const name of [fresh, old]) {
    const status = { phase: 'Completed' };
    put(name, 'velero-backup.json', {
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name },
      spec: {},
      status,
    });
  }
  put(fresh, '-volumepluginbackups.json.gz', [
    volumeOf(fresh, `${fresh}-1`),
    volumeOf(fresh, `${fresh}-asked`, { status: {} }),
    volumeOf(old, `${old}-forged`),
    volumeOf(fresh, '../up'),
    'nonsense',
    { kind: 'Secret', metadata: { name: 'stolen' } },
  ]);
  put(old, '-volumepluginbackups.json.gz', [volumeOf(old, `${old}-1`)]);
  put(old, '-podvolumebackups.json.gz', [
    {
      metadata: { name: `${old}-pvb`, labels: { 'velero.io/backup-uid': 'elsewhere' } },
      spec: {
        ...{ pod: { namespace: 'shop', name: 'db-0' }, node: 'n', volume: 'data', uploaderType: 'kopia' },
        ...{ backupStorageLocation: 'another', repoIdentifier: '' },
      },
      status: { phase: 'Completed', snapshotID: '0123456789abcdef' },
    },
  ]);
  const kinds = { backups: Backup, locations: BackupStorageLocation, deleteRequests: DeleteBackupRequest };
  const sync = new Sync({}, bench.deps, await bench.caches(kinds));
  bench.now = Date.now();
  await sync.reconcile(`velero/${location}`, bench.signal);

  const volumes = await bench.list(VolumePluginBackup);
  expect(volumes.map(({ metadata }) => metadata.name).sort()).toEqual(
    [`${fresh}-1`, `${fresh}-asked`, `${old}-1`].sort(),
  );
  const { uid } = (await bench.get(Backup, fresh)).metadata;
  const [first, asked] = [`${fresh}-1`, `${fresh}-asked`].map((name) =>
    volumes.find((one) => one.metadata.name === name),
  );
  expect(first).toMatchObject({
    metadata: { labels: { 'velero.io/backup-uid': uid }, ownerReferences: [{ kind: 'Backup', name: fresh, uid }] },
    status: { phase: 'Completed', progress: { totalBytes: 5 } },
  });
  // No plugin may take it for a request.
  expect(textAt(asked, 'status', 'phase')).toBe('Failed');
  expect(await bench.list(PodVolumeBackup)).toMatchObject([
    { metadata: { name: `${old}-pvb` }, spec: { backupStorageLocation: location } },
  ]);
  const status = (await bench.get(BackupStorageLocation, location))['status'] as { conditions?: JsonObject[] };
  const synced = status.conditions?.find((one) => one['type'] === 'Synced');
  expect(textAt(synced, 'message')).toContain('is not of this backup');
});
