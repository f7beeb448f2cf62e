import { nullable, object, oneOf, text, time } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';

const TARGETS = [
  'BackupLog',
  'BackupContents',
  'BackupVolumeSnapshots',
  'BackupItemOperations',
  'BackupResourceList',
  'BackupResults',
  'RestoreLog',
  'RestoreResults',
  'RestoreResourceList',
  'RestoreItemOperations',
  'CSIBackupVolumeSnapshots',
  'CSIBackupVolumeSnapshotContents',
  'BackupVolumeInfos',
  'RestoreVolumeInfo',
] as const;
export type DownloadTarget = (typeof TARGETS)[number];

export const DownloadRequest = defineKind({
  ...VELERO,
  kind: 'DownloadRequest',
  plural: 'downloadrequests',
  doc: 'Asks for a link to one file of a backup or restore.',
  fields: {
    spec: object(
      {
        target: object(
          {
            kind: oneOf(TARGETS, 'Which of its files.'),
            name: text('Backup or Restore whose file it is.'),
          },
          'The file that is wanted.',
        ),
      },
      'What to download.',
    ),
    status: object(
      {
        phase: oneOf(['New', 'Processed'], 'Whether the link is there.').optional(),
        conditions,
        downloadURL: text('The link; whoever has it can read the file until it expires.').optional(),
        expiration: nullable(time('When the link stops working and the request is deleted.')),
      },
      'The link.',
    ),
  },
  columns: [
    column('Target', '.spec.target.name'),
    column('File', '.spec.target.kind'),
    column('Status', '.status.phase'),
    AGE,
  ],
});
export type DownloadRequest = ObjectOf<typeof DownloadRequest>;
