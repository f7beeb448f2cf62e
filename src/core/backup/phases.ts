import type { BackupPhase } from '../../api/index.ts';

/** The transitions that backups and restores share once work has begun. */
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
 * The life of a Backup. In addition to Velero's transitions, a backup may fail (be canceled) before it ran, and its
 * finalizing may fail. A backup without a phase is New.
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

/** Keeping the same phase, as a new attempt does, is always allowed. */
export function mayBecome(from: BackupPhase | undefined, to: BackupPhase): boolean {
  return (from ?? 'New') === to || BACKUP_TRANSITIONS[from ?? 'New'].includes(to);
}

/** Its outcome will not change any more. */
export function isEnded(phase: BackupPhase | undefined): boolean {
  return phase === 'Deleting' || BACKUP_TRANSITIONS[phase ?? 'New'].includes('Deleting');
}
