/**
 * The nouns of Headway: every kind as one schema, from which its TypeScript type, its reader and its CRD are derived.
 * It must never do I/O, decide anything, or know how an operation is carried out.
 */
export { KINDS, kindFor } from './kinds.ts';
export { deviations, type Deviation } from './deviations.ts';

export { apiVersionOf, type ResourceType } from './meta/resource-type.ts';
export * from './meta/builtin-types.ts';
export type { AnyKind, Kind, ObjectOf, Parsed } from './meta/kind.ts';
export type { ObjectMeta } from './meta/object-meta.ts';
export type { Condition } from './meta/condition.ts';
export type { LabelSelector } from './meta/label-selector.ts';
export { CREATED_BY_KANISTER, HEADWAY_POD_LABEL, isWorkingPod, OWNER_UID_LABEL, worksFor } from './meta/pod-labels.ts';
export { STAGES, type Stage } from './meta/progress.ts';
export { toCrd, type CustomResourceDefinition } from './meta/crd.ts';
export type { StructuralSchema } from './meta/structural.ts';

export { Backup, type BackupPhase } from './velero/backup.ts';
export type { BackupSpec } from './velero/backup-spec.ts';
export { BackupRepository } from './velero/backup-repository.ts';
export { BackupStorageLocation } from './velero/backup-storage-location.ts';
export { DataDownload } from './velero/data-download.ts';
export { DataUpload } from './velero/data-upload.ts';
export { DeleteBackupRequest } from './velero/delete-backup-request.ts';
export { DownloadRequest, type DownloadTarget } from './velero/download-request.ts';
export { PodVolumeBackup } from './velero/pod-volume-backup.ts';
export { PodVolumeRestore } from './velero/pod-volume-restore.ts';
export { Restore, type RestorePhase } from './velero/restore.ts';
export { Schedule } from './velero/schedule.ts';
export { ServerStatusRequest } from './velero/server-status-request.ts';
export { VolumePluginBackup } from './velero/volume-plugin-backup.ts';
export { VolumePluginRestore } from './velero/volume-plugin-restore.ts';
export { VolumeSnapshotLocation } from './velero/volume-snapshot-location.ts';

export { ActionSet } from './kanister/action-set.ts';
export type { ActionState } from './kanister/action-progress.ts';
export { Blueprint } from './kanister/blueprint.ts';
export { Profile } from './kanister/profile.ts';

export { MIGRATION_NAMESPACE } from './migration/group.ts';
export { DirectImageMigration } from './migration/direct-image-migration.ts';
export { DirectVolumeMigration } from './migration/direct-volume-migration.ts';
export { DirectVolumeMigrationProgress } from './migration/direct-volume-migration-progress.ts';
export { MIGRATED_BY_MIGRATION, MIGRATED_BY_PLAN, MIGRATION_RESTORE_LABELS } from './migration/labels.ts';
export { MigCluster } from './migration/mig-cluster.ts';
export type { MigCondition } from './migration/mig-condition.ts';
export { MigHook } from './migration/mig-hook.ts';
export { MigMigration, type PipelineStep } from './migration/mig-migration.ts';
export { MigPlan } from './migration/mig-plan.ts';
export { MigStorage } from './migration/mig-storage.ts';
export type { PlanVolume } from './migration/persistent-volume.ts';
