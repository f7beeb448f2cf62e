import type { AnyKind } from './meta/kind.ts';
import { apiVersionOf } from './meta/resource-type.ts';
import { Backup } from './velero/backup.ts';
import { BackupRepository } from './velero/backup-repository.ts';
import { BackupStorageLocation } from './velero/backup-storage-location.ts';
import { DataDownload } from './velero/data-download.ts';
import { DataUpload } from './velero/data-upload.ts';
import { DeleteBackupRequest } from './velero/delete-backup-request.ts';
import { DownloadRequest } from './velero/download-request.ts';
import { PodVolumeBackup } from './velero/pod-volume-backup.ts';
import { PodVolumeRestore } from './velero/pod-volume-restore.ts';
import { Restore } from './velero/restore.ts';
import { Schedule } from './velero/schedule.ts';
import { ServerStatusRequest } from './velero/server-status-request.ts';
import { VolumePluginBackup } from './velero/volume-plugin-backup.ts';
import { VolumePluginRestore } from './velero/volume-plugin-restore.ts';
import { VolumeSnapshotLocation } from './velero/volume-snapshot-location.ts';
import { ActionSet } from './kanister/action-set.ts';
import { Blueprint } from './kanister/blueprint.ts';
import { Profile } from './kanister/profile.ts';
import { DirectImageMigration } from './migration/direct-image-migration.ts';
import { DirectVolumeMigration } from './migration/direct-volume-migration.ts';
import { DirectVolumeMigrationProgress } from './migration/direct-volume-migration-progress.ts';
import { MigCluster } from './migration/mig-cluster.ts';
import { MigHook } from './migration/mig-hook.ts';
import { MigMigration } from './migration/mig-migration.ts';
import { MigPlan } from './migration/mig-plan.ts';
import { MigStorage } from './migration/mig-storage.ts';

export const KINDS: readonly AnyKind[] = [
  Backup,
  BackupRepository,
  BackupStorageLocation,
  DataDownload,
  DataUpload,
  DeleteBackupRequest,
  DownloadRequest,
  PodVolumeBackup,
  PodVolumeRestore,
  Restore,
  Schedule,
  ServerStatusRequest,
  VolumePluginBackup,
  VolumePluginRestore,
  VolumeSnapshotLocation,
  ActionSet,
  Blueprint,
  Profile,
  DirectImageMigration,
  DirectVolumeMigration,
  DirectVolumeMigrationProgress,
  MigCluster,
  MigHook,
  MigMigration,
  MigPlan,
  MigStorage,
];

export function kindFor(apiVersion: string, kind: string): AnyKind | undefined {
  return KINDS.find((candidate) => candidate.kind === kind && apiVersionOf(candidate) === apiVersion);
}
