import { duration, flag, int64, object, text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { nodeOS } from './data-upload.ts';
import { VELERO_V2 } from './group.ts';
import * as status from './status-fields.ts';

export const DataDownload = defineKind({
  ...VELERO_V2,
  kind: 'DataDownload',
  plural: 'datadownloads',
  doc: 'Moves the data of one snapshot from the repository into a new volume.',
  fields: {
    spec: object(
      {
        targetVolume: object(
          {
            namespace: text('Namespace of the claim.'),
            pvc: text('Claim that gets the data.'),
            pv: text('Volume that gets the data.'),
          },
          'The volume to fill.',
        ),
        snapshotID: text('Snapshot in the repository.'),
        snapshotSize: int64('Bytes in the snapshot.').optional(),
        sourceNamespace: text('Namespace the volume was backed up in.'),
        backupStorageLocation: text('Location whose repository has the data.'),
        datamover: text('Who moves the data; the built-in mover if empty or `velero`.').optional(),
        dataMoverConfig: textMap('Settings of the data mover.').optional(),
        nodeOS,
        operationTimeout: duration('How long the mover waits for what it needs.'),
        cancel: flag('Asks for the move to stop.').optional(),
      },
      'Which snapshot, and into which volume.',
    ),
    status: object(
      {
        phase: status.dataPathPhase,
        progress: status.ByteProgress.describe('How far the move is.').optional(),
        conditions,
        message: status.message,
        node: text('Node that does the work.').optional(),
        acceptedByNode: text('Node that took the work.').optional(),
        acceptedTimestamp: status.acceptedTimestamp,
        startTimestamp: status.startTimestamp,
        completionTimestamp: status.completionTimestamp,
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
    column('Storage Location', '.spec.backupStorageLocation'),
    AGE,
    column('Node', '.status.node'),
  ],
});
export type DataDownload = ObjectOf<typeof DataDownload>;
