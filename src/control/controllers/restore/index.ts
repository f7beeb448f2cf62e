/**
 * Restores: from a Restore object to the objects of a backup in the cluster, with progress at every step.
 * It must never create anything before the whole archive was checked, and never restore an item twice.
 */
export { createRestoreController } from './restore-kind.ts';
export type { RestoreOptions } from './options.ts';
export { selectionOfRestore } from './dry-run/selection-of-restore.ts';
export { planOfRestore, type RestorePlanDeps } from './dry-run/plan-of-restore.ts';
