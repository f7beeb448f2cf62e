import { describe, expect, it } from 'vitest';
import {
  PodVolumeBackup,
  PodVolumeRestore,
  VolumePluginBackup,
  VolumePluginRestore,
  type AnyKind,
} from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import type { VolumeData } from '../restore/volume-data.ts';
import { podVolumeRestoreStatus, podVolumeStatus } from './pod-volume-status.ts';
import { restoreVolumeInfo } from './restore-infos.ts';
import { toImported, toStored } from './stored-volumes.ts';
import { nativeVolumeInfo, podVolumeInfo, streamedVolumeInfo } from './volume-infos.ts';
import {
  pluginBackupObject,
  pluginRestoreObject,
  podVolumeObject,
  podVolumeRestoreObject,
  type BackedUpVolume,
} from './volume-objects.ts';

const backup = { namespace: 'velero', name: 'shop-1', uid: 'b-uid' };
const claim = { namespace: 'shop', name: 'data' };
const volume: BackedUpVolume = { id: 'shop-1-0123456789', backup, volume: 'pvc-1', claim, plugin: 'kopia' };
const pod = { namespace: 'shop', name: 'db-0', uid: 'p-uid', node: 'n1', volumeName: 'd' };
const persistentVolume: JsonObject = {
  metadata: { name: 'pvc-1', labels: { a: 'b' } },
  spec: { persistentVolumeReclaimPolicy: 'Delete' },
};

function expectKnown(kind: AnyKind, object: unknown): void {
  const { unknown, dropped } = kind.parse(object);
  expect([unknown, dropped]).toEqual([[], []]);
}

function completed(): VolumePluginBackup {
  const object = pluginBackupObject({ ...volume, pluginSpecific: { kopiaSnapshotID: 'k1' } }, false);
  object.status = {
    phase: 'Completed',
    snapshotID: volume.id,
    startTimestamp: '2026-01-31T12:00:00Z',
    completionTimestamp: '2026-01-31T12:00:09Z',
    progress: { bytesDone: 1000, totalBytes: 1000, percent: 100 },
    reusedBytes: 900,
    uploadedBytes: 42,
  };
  return object;
}

describe('objects of a volume', () => {
  it('are what the kinds declare', () => {
    expectKnown(VolumePluginBackup, pluginBackupObject(volume, false));
    expectKnown(VolumePluginBackup, completed());
    expectKnown(PodVolumeBackup, podVolumeObject(volume, pod, { location: 'default', claimUid: 'c-uid' }));
    const restore = { namespace: 'velero', name: 'r', uid: 'r-uid' };
    const backedUp = { claim, bytes: 1000, at: '2026-01-31T12:00:09Z' };
    const from = { backup: 'shop-1', snapshotID: volume.id, backedUp };
    const back = { id: 'r-0123456789', restore, ...from, claim: { namespace: 'copy', name: 'data' }, plugin: 'kopia' };
    expectKnown(VolumePluginRestore, pluginRestoreObject(back, false));
    expect(pluginRestoreObject(back, true)).not.toHaveProperty('status');
    expect(pluginRestoreObject(back, false)).toMatchObject({
      metadata: {
        labels: { 'velero.io/restore-name': 'r', 'velero.io/restore-uid': 'r-uid' },
        annotations: {
          'headway.io/claim': 'copy/data',
          'headway.io/backed-up-claim': `${claim.namespace}/${claim.name}`,
          'headway.io/backed-up-bytes': '1000',
          'headway.io/backed-up-at': '2026-01-31T12:00:09Z',
        },
      },
      spec: { snapshotID: volume.id, backup: 'shop-1', plugin: 'kopia' },
    });
  });

  it("leave the status of a native plugin's object to the plugin", () => {
    const request = pluginBackupObject({ ...volume, plugin: 'example.com/x' }, true);
    expect(request).not.toHaveProperty('status');
    expect(request).toMatchObject({
      metadata: {
        name: volume.id,
        labels: { 'velero.io/backup-name': 'shop-1', 'velero.io/backup-uid': 'b-uid' },
        annotations: { 'headway.io/claim': 'shop/data' },
      },
      spec: { volume: 'pvc-1', backup: 'shop-1', plugin: 'example.com/x' },
    });
  });

  it('are for Velero what Velero writes', () => {
    const object = podVolumeObject(volume, pod, { location: 'default', claimUid: 'c-uid' });
    expect(object).toMatchObject({
      metadata: {
        labels: { 'velero.io/backup-name': 'shop-1', 'velero.io/backup-uid': 'b-uid', 'velero.io/pvc-uid': 'c-uid' },
        annotations: { 'velero.io/pvc-name': 'data' },
        ownerReferences: [{ kind: 'Backup', name: 'shop-1', uid: 'b-uid', controller: true }],
      },
      spec: {
        node: 'n1',
        pod: { kind: 'Pod', namespace: 'shop', name: 'db-0', uid: 'p-uid' },
        volume: 'd',
        uploaderType: 'kopia',
      },
    });
    expect(podVolumeStatus(completed(), '/volume')).toEqual({
      phase: 'Completed',
      path: '/volume',
      snapshotID: 'k1',
      progress: { bytesDone: 1000, totalBytes: 1000, percent: 100 },
      startTimestamp: '2026-01-31T12:00:00Z',
      completionTimestamp: '2026-01-31T12:00:09Z',
      incrementalBytes: 100,
    });
  });

  it('are for Velero what it has of a restore', () => {
    const restore = { namespace: 'velero', name: 'r', uid: 'r-uid' };
    const target = { namespace: 'shop-2', name: 'data' };
    const back = { id: 'r-0123456789', restore, claim: target, pod: 'db-0', volumeName: 'd', snapshotID: 'k1' };
    const at = { location: 'default', sourceNamespace: 'shop', claimUid: 'c-uid' };
    const object = podVolumeRestoreObject({ ...back, snapshotSize: 1000 }, at);
    expectKnown(PodVolumeRestore, object);
    expect(object).toMatchObject({
      metadata: {
        labels: { 'velero.io/restore-name': 'r', 'velero.io/restore-uid': 'r-uid', 'velero.io/pvc-uid': 'c-uid' },
        ownerReferences: [{ kind: 'Restore', name: 'r', uid: 'r-uid', controller: true }],
      },
      spec: {
        pod: { kind: 'Pod', namespace: 'shop-2', name: 'db-0' },
        ...{ volume: 'd', snapshotID: 'k1', snapshotSize: 1000, sourceNamespace: 'shop', uploaderType: 'kopia' },
      },
    });
    const ours = pluginRestoreObject({ ...back, backup: 'shop-1', plugin: 'kopia', backedUp: { claim } }, false);
    ours.status = {
      phase: 'Completed',
      volumeID: 'pvc-2',
      progress: { bytesDone: 1000, totalBytes: 1000 },
      attempt: 1,
    };
    object.status = podVolumeRestoreStatus(ours);
    expectKnown(PodVolumeRestore, object);
    expect(object.status).toEqual({ phase: 'Completed', progress: { bytesDone: 1000, totalBytes: 1000 } });
  });

  it('are never New for a node agent of Velero, which would begin with them', () => {
    const ours = pluginBackupObject(volume, false);
    expect(ours.status.phase).toBe('New');
    expect(podVolumeStatus(ours, '/volume').phase).toBe('InProgress');
    const velero = podVolumeObject(volume, pod, { location: 'default', claimUid: 'c-uid' });
    expect(velero.status.phase).toBe('InProgress');
  });
});

describe('what volumeinfo says', () => {
  it('of a copy by kopia', () => {
    const object = podVolumeObject(volume, pod, { location: 'default', claimUid: 'c-uid' });
    object.status = podVolumeStatus(completed(), '/volume');
    expect(podVolumeInfo(object, claim, persistentVolume)).toEqual({
      pvcName: 'data',
      pvcNamespace: 'shop',
      pvName: 'pvc-1',
      backupMethod: 'PodVolumeBackup',
      snapshotDataMoved: false,
      preserveLocalSnapshot: false,
      skipped: false,
      startTimestamp: '2026-01-31T12:00:00Z',
      completionTimestamp: '2026-01-31T12:00:09Z',
      result: 'succeeded',
      pvbInfo: {
        snapshotHandle: 'k1',
        size: 1000,
        incrementalSize: 100,
        uploaderType: 'kopia',
        volumeName: 'd',
        podName: 'db-0',
        podNamespace: 'shop',
        nodeName: 'n1',
        Phase: 'Completed',
      },
      pvInfo: { reclaimPolicy: 'Delete', labels: { a: 'b' } },
    });
  });

  it("of a native plugin's snapshot, with its exact id", () => {
    const object = pluginBackupObject({ ...volume, plugin: 'example.com/x' }, true);
    object.status = { phase: 'Succeeded', snapshotID: 'Projects/Snap/1' };
    expect(nativeVolumeInfo(object, claim)).toMatchObject({
      pvName: 'pvc-1',
      backupMethod: 'NativeSnapshot',
      result: 'succeeded',
      nativeSnapshotInfo: { snapshotHandle: 'Projects/Snap/1', volumeType: 'example.com/x', Phase: 'Completed' },
    });
    object.status = { phase: 'error' };
    expect(nativeVolumeInfo(object, claim)).toMatchObject({
      result: 'failed',
      nativeSnapshotInfo: { Phase: 'Failed' },
    });
  });

  it('of an archive of ours, which is nothing that Velero could use', () => {
    const object = { ...completed(), spec: { ...completed().spec, plugin: 'stream' } };
    const info = streamedVolumeInfo(object, claim, persistentVolume);
    expect(info).toMatchObject({ skipped: true, pvName: 'pvc-1' });
    expect(info.backupMethod).toBeUndefined();
    expect(info.skippedReason).toContain(`volumes/${volume.id}.tar.zst`);
  });
});

describe('what volumeinfo says of a restore', () => {
  const data: VolumeData = { claim, id: volume.id, by: 'kopia', plugin: 'kopia', snapshotID: volume.id };
  const filled = { claim: { namespace: 'shop-2', name: 'data' }, volume: 'pvc-2', bytes: 1000 };
  const common = { pvcName: 'data', pvcNamespace: 'shop-2', pvName: 'pvc-2', snapshotDataMoved: false };

  it('by kopia', () => {
    const podVolume = { pod: 'db-0', volume: 'd' };
    const pvrInfo = {
      ...{ snapshotHandle: 'k1', size: 1000, uploaderType: 'kopia', Phase: '' },
      ...{ volumeName: 'd', podName: 'db-0', podNamespace: 'shop-2' },
    };
    expect(restoreVolumeInfo({ ...data, kopiaID: 'k1', podVolume }, filled)).toEqual({
      ...{ ...common, restoreMethod: 'PodVolumeRestore', pvrInfo },
    });
  });

  it('by a native plugin, and of an archive of ours', () => {
    const native: VolumeData = { ...data, by: 'native', plugin: 'example.com/x', snapshotID: 'Snap/1' };
    expect(restoreVolumeInfo(native, filled)).toMatchObject({
      restoreMethod: 'NativeSnapshot',
      nativeSnapshotInfo: { snapshotHandle: 'Snap/1', volumeType: 'example.com/x' },
    });
    expect(restoreVolumeInfo({ ...data, by: 'stream', plugin: 'stream' }, filled)).toEqual(common);
  });
});

describe('stored objects', () => {
  it('leave out what belongs to one cluster', () => {
    const object = completed();
    const metadata = { resourceVersion: '7', uid: 'x', creationTimestamp: '2026-01-31T12:00:00Z', managedFields: [] };
    Object.assign(object.metadata, metadata);
    expect(toStored(object)['metadata']).toEqual(pluginBackupObject(volume, false).metadata);
  });

  it('are created elsewhere under the Backup there', () => {
    const target = { namespace: 'backups', backup: { name: 'shop-1', uid: 'there' }, location: 'other' };
    expect(toImported(toStored(completed()), target)).toMatchObject({
      metadata: {
        name: volume.id,
        namespace: 'backups',
        labels: { 'velero.io/backup-name': 'shop-1', 'velero.io/backup-uid': 'there' },
        ownerReferences: [{ kind: 'Backup', name: 'shop-1', uid: 'there' }],
      },
      status: { phase: 'Completed', snapshotID: volume.id },
    });
    const podVolume = toStored(podVolumeObject(volume, pod, { location: 'default', claimUid: 'c' }));
    expect(toImported(podVolume, target)).toMatchObject({ spec: { backupStorageLocation: 'other' } });
  });

  it.each<[string, JsonObject]>([
    ['of another backup', { kind: 'VolumePluginBackup', metadata: { name: 'x' }, spec: { backup: 'other' } }],
    ['of another kind', { kind: 'Secret', metadata: { name: 'x' } }],
    ['without a name', { kind: 'PodVolumeBackup', metadata: {} }],
    ['that are no objects', { kind: 'PodVolumeBackup', metadata: 'x', spec: [] }],
  ])('%s are refused', (_, object) => {
    const target = { namespace: 'backups', backup: { name: 'shop-1', uid: 'there' }, location: 'other' };
    expect(toImported(object, target)).toBeUndefined();
  });
});
