import { textAt, textsAt, type JsonObject } from '../../../base/index.ts';

type Phase = { Phase?: string };

/** The outcome for one volume, as listed in `<backup>-volumeinfo.json.gz`; the capitalised keys are Velero's. */
export interface BackupVolumeInfo {
  pvcName?: string;
  pvcNamespace?: string;
  pvName?: string;
  /** Absent when the volume was skipped. */
  backupMethod?: 'NativeSnapshot' | 'PodVolumeBackup' | 'CSISnapshot';
  snapshotDataMoved: boolean;
  preserveLocalSnapshot: boolean;
  skipped: boolean;
  skippedReason?: string;
  startTimestamp?: string;
  completionTimestamp?: string;
  result?: 'succeeded' | 'failed';
  csiSnapshotInfo?: CsiSnapshotInfo;
  snapshotDataMovementInfo?: SnapshotDataMovementInfo;
  nativeSnapshotInfo?: NativeSnapshotInfo;
  pvbInfo?: PodVolumeInfo;
  pvInfo?: { reclaimPolicy: string; labels: Record<string, string> | null };
}

interface CsiSnapshotInfo {
  snapshotHandle: string;
  size: number;
  driver: string;
  vscName: string;
  operationID?: string;
  ReadyToUse?: boolean | null;
  volumeGroupSnapshotHandle?: string;
}

interface SnapshotDataMovementInfo extends Phase {
  dataMover: string;
  uploaderType: string;
  retainedSnapshot?: string;
  snapshotHandle: string;
  operationID: string;
  size: number;
  incrementalSize?: number;
}

interface NativeSnapshotInfo extends Phase {
  snapshotHandle: string;
  volumeType: string;
  volumeAZ: string;
  iops: string;
}

interface PodVolumeInfo extends Phase {
  snapshotHandle?: string;
  size?: number;
  incrementalSize?: number;
  uploaderType: string;
  volumeName: string;
  podName: string;
  podNamespace: string;
  nodeName?: string;
}

/** The entry of a volume whose data is not in the backup. */
export function skippedVolume(
  claim: { namespace: string; name: string },
  reason: string,
  persistentVolume?: JsonObject,
): BackupVolumeInfo {
  const info = persistentVolume === undefined ? {} : volumeFields(persistentVolume);
  return {
    pvcName: claim.name,
    pvcNamespace: claim.namespace,
    snapshotDataMoved: false,
    preserveLocalSnapshot: false,
    skipped: true,
    skippedReason: reason,
    ...info,
  };
}

/** What is told of every volume whose object is known. */
export function volumeFields(volume: JsonObject): Partial<BackupVolumeInfo> {
  const name = textAt(volume, 'metadata', 'name');
  const labels = textsAt(volume, 'metadata', 'labels');
  return {
    ...(name === undefined ? {} : { pvName: name }),
    pvInfo: {
      reclaimPolicy: textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') ?? '',
      labels: Object.keys(labels).length === 0 ? null : labels,
    },
  };
}
