import { flag, int64, nullable, object, text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { ObjectReference } from '../meta/references.ts';
import { VELERO } from './group.ts';
import * as status from './status-fields.ts';

export const PodVolumeRestore = defineKind({
  ...VELERO,
  kind: 'PodVolumeRestore',
  plural: 'podvolumerestores',
  doc: 'Copies files from the repository into one pod volume.',
  fields: {
    spec: object(
      {
        pod: ObjectReference.describe('Pod that mounts the volume.'),
        volume: text('Name of the volume inside the pod.'),
        backupStorageLocation: text('Location whose repository has the files.'),
        repoIdentifier: text('Address of the repository.'),
        snapshotID: text('Snapshot in the repository.'),
        snapshotSize: int64('Bytes in the snapshot.').optional(),
        sourceNamespace: text('Namespace the volume was backed up in.'),
        uploaderType: status.uploaderType,
        uploaderSettings: nullable(textMap('Settings of the uploader.')),
        cancel: flag('Asks for the copy to stop.').optional(),
      },
      'Which snapshot, and into which volume.',
    ),
    status: object(
      {
        phase: status.dataPathPhase,
        progress: status.ByteProgress.describe('How far the copy is.').optional(),
        conditions,
        node: text('Node that does the work.').optional(),
        message: status.message,
        acceptedTimestamp: status.acceptedTimestamp,
        startTimestamp: status.startTimestamp,
        completionTimestamp: status.completionTimestamp,
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
    column('Storage Location', '.spec.backupStorageLocation'),
    AGE,
    column('Node', '.status.node'),
    column('Uploader Type', '.spec.uploaderType'),
  ],
});
export type PodVolumeRestore = ObjectOf<typeof PodVolumeRestore>;
