import { KANISTER } from './kanister/group.ts';
import { MIGRATION } from './migration/group.ts';
import type { ResourceType } from './meta/resource-type.ts';
import { VELERO, VELERO_V2 } from './velero/group.ts';

/**
 * Kinds by what a request needs. Their schemas cost more to load than most commands take, and the page needs none of
 * them. A test compares each with the kind itself.
 */
const of =
  (group: { group: string; version: string }) =>
  (kind: string, plural = `${kind.toLowerCase()}s`): ResourceType => ({ ...group, kind, plural, namespaced: true });
const velero = of(VELERO);
const veleroV2 = of(VELERO_V2);
const kanister = of(KANISTER);
const migration = of(MIGRATION);

export const BACKUP: ResourceType = velero('Backup');
export const RESTORE: ResourceType = velero('Restore');
export const SCHEDULE: ResourceType = velero('Schedule');
export const LOCATION: ResourceType = velero('BackupStorageLocation');
export const DELETE_REQUEST: ResourceType = velero('DeleteBackupRequest');
export const DOWNLOAD_REQUEST: ResourceType = velero('DownloadRequest');
export const VOLUME_PLUGIN_BACKUP: ResourceType = velero('VolumePluginBackup');
export const VOLUME_PLUGIN_RESTORE: ResourceType = velero('VolumePluginRestore');
export const POD_VOLUME_BACKUP: ResourceType = velero('PodVolumeBackup');
export const POD_VOLUME_RESTORE: ResourceType = velero('PodVolumeRestore');
export const DATA_UPLOAD: ResourceType = veleroV2('DataUpload');
export const DATA_DOWNLOAD: ResourceType = veleroV2('DataDownload');

export const ACTION_SET: ResourceType = kanister('ActionSet');

export const MIG_MIGRATION: ResourceType = migration('MigMigration');
export const DIRECT_VOLUME_MIGRATION: ResourceType = migration('DirectVolumeMigration');
export const DIRECT_VOLUME_MIGRATION_PROGRESS: ResourceType = migration(
  'DirectVolumeMigrationProgress',
  'directvolumemigrationprogresses',
);
export const DIRECT_IMAGE_MIGRATION: ResourceType = migration('DirectImageMigration');
