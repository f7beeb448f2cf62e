import type { ResourceType } from '../../api/index.ts';

const velero = (kind: string, plural: string): ResourceType => ({
  group: 'velero.io',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});

/** The kinds by what a request needs. Their schemas cost more to load than most commands take. */
export const BACKUP = velero('Backup', 'backups');
export const RESTORE = velero('Restore', 'restores');
export const SCHEDULE = velero('Schedule', 'schedules');
export const LOCATION = velero('BackupStorageLocation', 'backupstoragelocations');
export const DELETE_REQUEST = velero('DeleteBackupRequest', 'deletebackuprequests');
export const DOWNLOAD_REQUEST = velero('DownloadRequest', 'downloadrequests');
