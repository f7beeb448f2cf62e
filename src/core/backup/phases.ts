import type { BackupPhase } from '../../api/index.ts';

/** From the beginning of the work on, backups and restores have these in common. */
export const RUN_TRANSITIONS = {
  InProgress: [
    'WaitingForPluginOperations',
    'WaitingForPluginOperationsPartiallyFailed',
    'Finalizing',
    'FinalizingPartiallyFailed',
    'Failed',
  ],
  WaitingForPluginOperations: [
    'WaitingForPluginOperationsPartiallyFailed',
    'Finalizing',
    'FinalizingPartiallyFailed',
    'Failed',
  ],
  WaitingForPluginOperationsPartiallyFailed: ['FinalizingPartiallyFailed', 'Failed'],
  FinalizingPartiallyFailed: ['PartiallyFailed', 'Failed'],
} as const satisfies Partial<Record<BackupPhase, readonly BackupPhase[]>>;

/**
 * The life of a Backup. Beyond Velero's, one may fail (be canceled) before it ran, and its finalizing may fail.
 * A backup without a phase is New.
 */
export const BACKUP_TRANSITIONS: Readonly<Record<BackupPhase, readonly BackupPhase[]>> = {
  New: ['Queued', 'FailedValidation', 'Failed'],
  Queued: ['ReadyToStart', 'FailedValidation', 'Failed'],
  ReadyToStart: ['InProgress', 'FailedValidation', 'Failed'],
  ...RUN_TRANSITIONS,
  Finalizing: ['Completed', 'FinalizingPartiallyFailed', 'PartiallyFailed', 'Failed'],
  Completed: ['Deleting'],
  PartiallyFailed: ['Deleting'],
  Failed: ['Deleting'],
  FailedValidation: ['Deleting'],
  Deleting: [],
};

/** Staying where it is, as a new attempt does, is always allowed. */
export function mayBecome(from: BackupPhase | undefined, to: BackupPhase): boolean {
  return (from ?? 'New') === to || BACKUP_TRANSITIONS[from ?? 'New'].includes(to);
}

/** Its outcome will not change any more. */
export function isEnded(phase: BackupPhase | undefined): boolean {
  return phase === 'Deleting' || BACKUP_TRANSITIONS[phase ?? 'New'].includes('Deleting');
}
