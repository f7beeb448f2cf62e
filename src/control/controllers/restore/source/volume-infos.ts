import { isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../../core/backup/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import { backupKeys, type CallOptions } from '../../../../edge/store/index.ts';
import type { BackupSource } from '../context.ts';
import { readStoredJson } from './stored-json.ts';

/** What the backup says about its volumes; for backups older than Velero 1.13, what its other files say. */
export async function readVolumeInfos(
  { backup, store }: BackupSource,
  archive: Archive,
  call: CallOptions,
): Promise<BackupVolumeInfo[]> {
  const keys = backupKeys(backup.metadata.name ?? '');
  const found = await readStoredJson(store, keys.volumeInfo, call);
  if (Array.isArray(found)) return found.filter(isObject).map((info) => info as unknown as BackupVolumeInfo);
  const snapshots = await readStoredJson(store, keys.volumeSnapshots, call);
  const podVolumes = await readStoredJson(store, keys.podVolumeBackups, call);
  const infos = objectsIn(snapshots).flatMap(snapshotInfo);
  // One by one: each reads a pod and a claim, and there may be any number of them.
  for (const podVolume of objectsIn(podVolumes)) infos.push(await podVolumeInfo(podVolume, archive));
  return infos;
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const OLD = { snapshotDataMoved: false, preserveLocalSnapshot: false, skipped: false };

function snapshotInfo(snapshot: JsonObject): BackupVolumeInfo[] {
  const pvName = textAt(snapshot, 'spec', 'persistentVolumeName');
  return pvName === undefined ? [] : [{ ...OLD, pvName, backupMethod: 'NativeSnapshot' }];
}

/**
 * It names a pod's volume; which claim and persistent volume that is can only be learned from the pod and the claim.
 */
async function podVolumeInfo(podVolume: JsonObject, archive: Archive): Promise<BackupVolumeInfo> {
  const spec = objectAt(podVolume, 'spec');
  const podName = textAt(spec, 'pod', 'name') ?? '';
  const podNamespace = textAt(spec, 'pod', 'namespace') ?? '';
  const volumeName = textAt(spec, 'volume') ?? '';
  const pod = await readIn(archive, 'pods', podNamespace, podName);
  const volume = objectsAt(pod, 'spec', 'volumes').find(({ name }) => name === volumeName);
  const pvcName = textAt(volume, 'persistentVolumeClaim', 'claimName');
  const claim = await readIn(archive, 'persistentvolumeclaims', podNamespace, pvcName ?? '');
  const pvName = textAt(claim, 'spec', 'volumeName');
  return {
    ...OLD,
    backupMethod: 'PodVolumeBackup',
    ...(pvcName === undefined ? {} : { pvcName, pvcNamespace: podNamespace }),
    ...(pvName === undefined ? {} : { pvName }),
    pvbInfo: { uploaderType: textAt(spec, 'uploaderType') ?? '', volumeName, podName, podNamespace },
  };
}

async function readIn(
  archive: Archive,
  groupResource: string,
  namespace: string,
  name: string,
): Promise<JsonObject | undefined> {
  const key = { groupResource, namespace, name };
  return archive.has(key) ? await archive.read(key) : undefined;
}
