/**
 * Backups: from a Backup object to an archive in the store, with progress at every step.
 * It must never let an incomplete backup be visible in the store, nor leave a pod between its hooks.
 */
export { createBackupController, type BackupOptions } from './backup-kind.ts';
export { readMetadata, type StoredBackup } from './files/metadata.ts';
export { readPolicies } from './policies.ts';
export { itemsOfBackup } from './dry-run/dry-run.ts';
export { planOfBackup } from './dry-run/plan-of-backup.ts';
export { selectionOfBackup } from './dry-run/selection-of-backup.ts';
export { listVolume, type ListedVolume, type ListingCall } from './listing/list-volume.ts';
export { verifyBackup, type Verification } from './verify/verify-backup.ts';
