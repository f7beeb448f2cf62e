/**
 * Backups: from a Backup object to an archive in the store, with progress at every step.
 * It must never let a backup be seen in the store that is not whole, nor leave a pod between its hooks.
 */
export { createBackupController, type BackupOptions } from './backup-kind.ts';
export { readMetadata, type StoredBackup } from './metadata.ts';
export { readPolicies } from './policies.ts';
export { itemsOfBackup } from './dry-run.ts';
export { selectionOfBackup } from './selection-of-backup.ts';
export { planOfBackup } from './plan-of-backup.ts';
export { verifyBackup, type Verification } from './verify-backup.ts';
