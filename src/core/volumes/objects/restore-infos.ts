import { present } from '../../progress/index.ts';
import type { VolumeData } from '../restore/volume-data.ts';

/** A volume that was restored, as listed in `<restore>-volumeinfo.json.gz`; the capitalised keys are Velero's. */
export interface RestoreVolumeInfo {
  pvcName: string;
  pvcNamespace: string;
  pvName?: string;
  /** Absent for an archive of our own, for which Velero has no word. */
  restoreMethod?: 'PodVolumeRestore' | 'NativeSnapshot';
  snapshotDataMoved: boolean;
  pvrInfo?: {
    snapshotHandle: string;
    size?: number;
    uploaderType: string;
    volumeName: string;
    podName: string;
    podNamespace: string;
    /** Always empty, as in Velero: the field is that of a backup. */
    Phase: '';
  };
  nativeSnapshotInfo?: { snapshotHandle: string; volumeType: string; volumeAZ: string; iops: string; Phase: '' };
}

/** The entry of one claim that was filled. */
export function restoreVolumeInfo(
  data: VolumeData,
  filled: { claim: { namespace: string; name: string }; volume: string | undefined; bytes: number },
): RestoreVolumeInfo {
  const { claim, volume, bytes } = filled;
  const common = {
    pvcName: claim.name,
    pvcNamespace: claim.namespace,
    ...present({ pvName: volume }),
    snapshotDataMoved: false,
  };
  if (data.by === 'native') {
    const info = {
      snapshotHandle: data.snapshotID,
      volumeType: data.plugin,
      volumeAZ: '',
      iops: '0',
      Phase: '' as const,
    };
    return { ...common, restoreMethod: 'NativeSnapshot', nativeSnapshotInfo: info };
  }
  if (data.by === 'stream') return common;
  return {
    ...common,
    restoreMethod: 'PodVolumeRestore',
    pvrInfo: {
      snapshotHandle: data.kopiaID ?? '',
      ...(bytes > 0 ? { size: bytes } : {}),
      uploaderType: 'kopia',
      volumeName: data.podVolume?.volume ?? '',
      podName: data.podVolume?.pod ?? '',
      podNamespace: claim.namespace,
      Phase: '',
    },
  };
}
