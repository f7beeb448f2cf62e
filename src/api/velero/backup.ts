import { int64, integer, listOf, nullable, object, oneOf, text, time } from '../meta/field.ts';
import { AGE, ETA, PERCENT, STAGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { progressFields } from '../meta/progress.ts';
import { BackupSpec } from './backup-spec.ts';
import { VELERO } from './group.ts';
import {
  attempt,
  completionTimestamp,
  hookStatus,
  itemsByKind,
  recovery,
  stages,
  startTimestamp,
  validationErrors,
  waits,
} from './status-fields.ts';

const PHASES = [
  'New',
  'Queued',
  'ReadyToStart',
  'FailedValidation',
  'InProgress',
  'WaitingForPluginOperations',
  'WaitingForPluginOperationsPartiallyFailed',
  'Finalizing',
  'FinalizingPartiallyFailed',
  'Completed',
  'PartiallyFailed',
  'Failed',
  'Deleting',
] as const;
export type BackupPhase = (typeof PHASES)[number];

const count = (doc: string) => integer(doc).optional();

const BackupStatus = object(
  {
    phase: oneOf(PHASES, 'Where the backup stands.').optional(),
    progress: nullable(
      object(
        {
          itemsBackedUp: count('Objects that are in the archive.'),
          totalItems: count('Objects to back up; an estimate, which may rise or fall, until all lists have ended.'),
          ...progressFields,
        },
        'How far the backup is.',
      ),
    ),
    stages,
    itemsByKind,
    conditions,
    startTimestamp,
    completionTimestamp,
    expiration: nullable(time('When the backup may be deleted.')),
    queuePosition: count('Place in the queue; only while queued.'),
    validationErrors,
    failureReason: text('Why the backup failed as a whole.').optional(),
    warnings: count('Warnings in the log.'),
    errors: count('Errors in the log.'),
    version: count('Major version of the archive format; replaced by formatVersion.'),
    formatVersion: text('Version of the archive format.').optional(),
    volumeSnapshotsAttempted: count('Volume snapshots that were begun.'),
    volumeSnapshotsCompleted: count('Volume snapshots that succeeded.'),
    csiVolumeSnapshotsAttempted: count('CSI volume snapshots that were begun.'),
    csiVolumeSnapshotsCompleted: count('CSI volume snapshots that succeeded.'),
    backupItemOperationsAttempted: count('Background operations that were begun.'),
    backupItemOperationsCompleted: count('Background operations that succeeded.'),
    backupItemOperationsFailed: count('Background operations that failed.'),
    attempt,
    recovery,
    waits,
    scheduledFor: nullable(time('The run of its schedule that the backup is for.')),
    archive: object(
      {
        sha256: text('Of the stored bytes.').optional(),
        items: integer('Objects in it.'),
        bytes: int64('Its size in the store; backups of older versions have it in progress.bytesDone.').optional(),
      },
      'What the archive was when it was written; in velero-backup.json beside it.',
    ).optional(),
    hookStatus,
    openHooks: listOf(
      object({ namespace: text('Namespace of the pod.'), name: text('Name of the pod.') }),
      'Pods whose pre hooks were begun and whose post hooks still have to run.',
    ).optional(),
  },
  'What became of the backup.',
);

export const Backup = defineKind({
  ...VELERO,
  kind: 'Backup',
  plural: 'backups',
  doc: 'A copy of chosen objects and volumes of the cluster in a storage location.',
  fields: { spec: BackupSpec, status: BackupStatus },
  columns: [
    column('Status', '.status.phase'),
    PERCENT,
    STAGE,
    column('Items', '.status.progress.itemsBackedUp', 'integer'),
    column('Total', '.status.progress.totalItems', 'integer'),
    ETA,
    column('Errors', '.status.errors', 'integer'),
    column('Expires', '.status.expiration', 'string', { priority: 1 }),
    column('Location', '.spec.storageLocation', 'string', { priority: 1 }),
    AGE,
  ],
});
export type Backup = ObjectOf<typeof Backup>;
