import type { DownloadTarget } from '../../../api/index.ts';
import { backupKeys, restoreKeys, type BackupKeys, type RestoreKeys } from '../../../edge/store/index.ts';

const OF_BACKUP: Partial<Record<DownloadTarget, keyof BackupKeys>> = {
  BackupLog: 'logs',
  BackupContents: 'contents',
  BackupVolumeSnapshots: 'volumeSnapshots',
  BackupItemOperations: 'itemOperations',
  BackupResourceList: 'resourceList',
  BackupResults: 'results',
  BackupVolumeInfos: 'volumeInfo',
  CSIBackupVolumeSnapshots: 'csiVolumeSnapshots',
  CSIBackupVolumeSnapshotContents: 'csiVolumeSnapshotContents',
};
const OF_RESTORE: Partial<Record<DownloadTarget, keyof RestoreKeys>> = {
  RestoreLog: 'logs',
  RestoreResults: 'results',
  RestoreResourceList: 'resourceList',
  RestoreItemOperations: 'itemOperations',
  RestoreVolumeInfo: 'volumeInfo',
};

/** Whose file it is, and its key; undefined for a kind that only a newer client knows. */
export function targetKey(kind: DownloadTarget, name: string): { of: 'backup' | 'restore'; key: string } | undefined {
  const [backup, restore] = [OF_BACKUP[kind], OF_RESTORE[kind]];
  if (backup !== undefined) return { of: 'backup', key: backupKeys(name)[backup] };
  if (restore !== undefined) return { of: 'restore', key: restoreKeys(name)[restore] };
  return undefined;
}
