import { nullable, object, oneOf, text, texts } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';

export const DeleteBackupRequest = defineKind({
  ...VELERO,
  kind: 'DeleteBackupRequest',
  plural: 'deletebackuprequests',
  doc: 'Asks for a backup to be deleted, with its files and snapshots.',
  fields: {
    spec: object({ backupName: text('Backup to delete.') }, 'Which backup.'),
    status: object(
      {
        phase: oneOf(['New', 'InProgress', 'Processed'], 'Where the deletion stands.').optional(),
        conditions,
        errors: nullable(texts('What could not be deleted, and why.')),
      },
      'What became of the request.',
    ),
  },
  columns: [column('BackupName', '.spec.backupName'), column('Status', '.status.phase'), AGE],
});
export type DeleteBackupRequest = ObjectOf<typeof DeleteBackupRequest>;
