import { flag, nullable, object, text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { ObjectReference } from '../meta/references.ts';
import { VELERO } from './group.ts';
import * as status from './status-fields.ts';

export const PodVolumeBackup = defineKind({
  ...VELERO,
  kind: 'PodVolumeBackup',
  plural: 'podvolumebackups',
  doc: 'Copies the files of one pod volume into the repository.',
  fields: {
    spec: object(
      {
        pod: ObjectReference.describe('Pod that mounts the volume.'),
        node: text('Node the pod runs on.'),
        volume: text('Name of the volume inside the pod.'),
        backupStorageLocation: text('Location whose repository takes the files.'),
        repoIdentifier: text('Address of the repository.'),
        uploaderType: status.uploaderType,
        uploaderSettings: nullable(textMap('Settings of the uploader.')),
        tags: textMap('Tags put on the snapshot in the repository.').optional(),
        cancel: flag('Asks for the copy to stop.').optional(),
      },
      'Which volume, and where to.',
    ),
    status: object(
      {
        phase: status.dataPathPhase,
        progress: status.ByteProgress.describe('How far the copy is.').optional(),
        conditions,
        path: text('Directory on the node that was read.').optional(),
        snapshotID: text('Snapshot in the repository.').optional(),
        message: status.message,
        acceptedTimestamp: status.acceptedTimestamp,
        startTimestamp: status.startTimestamp,
        completionTimestamp: status.completionTimestamp,
        incrementalBytes: status.incrementalBytes,
      },
      'What became of the copy.',
    ),
  },
  columns: [
    column('Status', '.status.phase'),
    PERCENT,
    ETA,
    column('Started', '.status.startTimestamp', 'date'),
    BYTES_DONE,
    TOTAL_BYTES,
    column('Incremental Bytes', '.status.incrementalBytes', 'integer', { format: 'int64', priority: 10 }),
    column('Storage Location', '.spec.backupStorageLocation'),
    AGE,
    column('Node', '.spec.node'),
    column('Uploader', '.spec.uploaderType'),
  ],
});
export type PodVolumeBackup = ObjectOf<typeof PodVolumeBackup>;
