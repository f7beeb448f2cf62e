import type { PodVolumeBackup, VolumePluginBackup } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import { readVolumePhase } from './phases.ts';
import { skippedVolume, volumeFields, type BackupVolumeInfo } from './volume-info.ts';

interface ClaimName {
  namespace: string;
  name: string;
}

const COPIED = { snapshotDataMoved: false, preserveLocalSnapshot: false, skipped: false } as const;

/** The entry of a volume that kopia copied: what stock `velero backup describe --details` and a restore by Velero read. */
export function podVolumeInfo(
  { spec, status }: PodVolumeBackup,
  claim: ClaimName,
  persistentVolume?: JsonObject,
): BackupVolumeInfo {
  return {
    ...COPIED,
    ...claimed(claim, persistentVolume),
    backupMethod: 'PodVolumeBackup',
    ...times(status),
    result: status.phase === 'Completed' ? 'succeeded' : 'failed',
    pvbInfo: present({
      snapshotHandle: status.snapshotID,
      size: status.progress?.totalBytes,
      incrementalSize: status.incrementalBytes,
      uploaderType: spec.uploaderType ?? 'kopia',
      volumeName: spec.volume,
      podName: spec.pod.name ?? '',
      podNamespace: spec.pod.namespace ?? '',
      nodeName: spec.node,
      Phase: status.phase,
    }),
  };
}

/** The entry of a native plugin's snapshot, with its exact id, which describe prints. */
export function nativeVolumeInfo(
  { spec, status }: VolumePluginBackup,
  claim: ClaimName,
  persistentVolume?: JsonObject,
): BackupVolumeInfo {
  const phase = readVolumePhase(status.phase);
  return {
    ...COPIED,
    pvName: spec.volume,
    ...claimed(claim, persistentVolume),
    backupMethod: 'NativeSnapshot',
    ...times(status),
    result: phase === 'Completed' ? 'succeeded' : 'failed',
    nativeSnapshotInfo: {
      snapshotHandle: status.snapshotID ?? '',
      volumeType: spec.plugin,
      volumeAZ: '',
      iops: '0',
      Phase: phase === 'Completed' ? 'Completed' : phase === 'Failed' || phase === 'Canceled' ? 'Failed' : 'New',
    },
  };
}

/**
 * The entry of a volume in an archive of our own. Velero has no word for that, and must neither expect the data nor
 * restore it from anything else.
 */
export function streamedVolumeInfo(
  { metadata, status }: VolumePluginBackup,
  claim: ClaimName,
  persistentVolume?: JsonObject,
): BackupVolumeInfo {
  const isThere = readVolumePhase(status.phase) === 'Completed';
  const why = isThere
    ? `its files are in volumes/${metadata.name}.tar.zst of this backup, which Headway restores and Velero does not read`
    : `its files could not be copied: ${status.message ?? 'no reason is known'}`;
  return { ...skippedVolume(claim, why, persistentVolume), ...times(status) };
}

function claimed(claim: ClaimName, persistentVolume: JsonObject | undefined): Partial<BackupVolumeInfo> {
  return {
    pvcName: claim.name,
    pvcNamespace: claim.namespace,
    ...(persistentVolume === undefined ? {} : volumeFields(persistentVolume)),
  };
}

function times(status: { startTimestamp?: string | undefined; completionTimestamp?: string | undefined }) {
  return present({ startTimestamp: status.startTimestamp, completionTimestamp: status.completionTimestamp });
}
