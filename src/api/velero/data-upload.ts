import { duration, flag, nullable, object, oneOf, text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO_V2 } from './group.ts';
import * as status from './status-fields.ts';

export const nodeOS = oneOf(
  ['auto', 'linux', 'windows'],
  'Operating system of the node that does the work.',
).optional();

export const DataUpload = defineKind({
  ...VELERO_V2,
  kind: 'DataUpload',
  plural: 'datauploads',
  doc: 'Moves the data of one volume snapshot into the repository.',
  fields: {
    spec: object(
      {
        snapshotType: text('Kind of snapshot; CSI is the only one.'),
        csiSnapshot: nullable(
          object(
            {
              volumeSnapshot: text('VolumeSnapshot with the data.'),
              storageClass: text('Storage class of the claim.'),
              snapshotClass: text('Class of the snapshot.').optional(),
              driver: text('CSI driver of the volume.').optional(),
            },
            'The CSI snapshot.',
          ),
        ),
        sourcePVC: text('Claim that was snapshotted.'),
        sourceNamespace: text('Namespace of the claim.'),
        backupStorageLocation: text('Location whose repository takes the data.'),
        datamover: text('Who moves the data; the built-in mover if empty or `velero`.').optional(),
        dataMoverConfig: nullable(textMap('Settings of the data mover.')),
        operationTimeout: duration('How long the mover waits for what it needs.'),
        cancel: flag('Asks for the move to stop.').optional(),
      },
      'Which snapshot, and where to.',
    ),
    status: object(
      {
        phase: status.dataPathPhase,
        progress: status.ByteProgress.describe('How far the move is.').optional(),
        conditions,
        path: text('Directory or device that was read.').optional(),
        snapshotID: text('Snapshot in the repository.').optional(),
        dataMoverResult: nullable(textMap('What the data mover wants to keep for the restore.')),
        message: status.message,
        node: text('Node that does the work.').optional(),
        nodeOS,
        acceptedByNode: text('Node that took the work.').optional(),
        acceptedTimestamp: status.acceptedTimestamp,
        startTimestamp: status.startTimestamp,
        completionTimestamp: status.completionTimestamp,
        incrementalBytes: status.incrementalBytes,
      },
      'What became of the move.',
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
    column('Node', '.status.node'),
  ],
});
export type DataUpload = ObjectOf<typeof DataUpload>;
