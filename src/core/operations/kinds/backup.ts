import { BACKUP, DELETE_REQUEST } from '../../../api/resource-types.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { apiVersionOf } from '../../../api/meta/resource-type.ts';
import { labelValue, textAt, textsAt } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import { migrationOf } from '../parent-ref.ts';
import { selectionFacts } from '../selection-facts.ts';
import { chosenAt, countAt } from '../status-values.ts';
import { veleroItems, veleroPhase, veleroState } from '../velero-status.ts';

export const backupAdapter: Adapter = {
  type: BACKUP,
  noun: 'backup',
  group: 'velero',
  scope: 'velero',
  verbs: ['create', 'cancel', 'delete', 'plan', 'logs', 'contents', 'items'],
  did: 'Backed up',
  item: 'item',
  cancel: BY_ANNOTATION,
  afterCancel: 'nothing of it is kept',
  deletion: {
    consequence: 'its files, snapshots and restores are deleted too',
    request: (object) => ({ type: DELETE_REQUEST, object: deleteRequest(object) }),
  },
  files: { folder: 'backups', log: 'BackupLog', results: 'BackupResults', items: 'BackupResourceList' },
  stages: { usual: ['discovering', 'listing', 'archiving', 'uploading', 'finalizing'], working: 'archiving' },
  metrics: { now: ({ cluster }) => ({ name: 'velero_backup_total', labels: { cluster } }) },
  parent: migrationOf,
  partOf: ['MigMigration'],
  adapt: (object, status) => {
    const state = veleroState(status);
    return {
      state,
      phase: veleroPhase(status),
      measures: veleroItems(status, 'itemsBackedUp'),
      facts: present({
        schedule: textsAt(object, 'metadata', 'labels')['velero.io/schedule-name'],
        location: textAt(object, 'spec', 'storageLocation'),
        namespaces: chosenAt(object, 'spec', 'includedNamespaces'),
        expiresAt: textAt(status, 'expiration'),
        // Older versions have it where the bytes of volumes are now.
        sizeBytes:
          state === 'completed'
            ? (countAt(status, 'archive', 'bytes') ?? countAt(status, 'progress', 'bytesDone'))
            : undefined,
        queuePosition: countAt(status, 'queuePosition') || undefined,
        ...selectionFacts(status),
        isDeleting: veleroPhase(status) === 'Deleting' || undefined,
      }),
    };
  },
};

/** A backup's files are found through its object, so both go in the right order. As `velero backup delete` asks for it. */
function deleteRequest({ metadata }: KubeObject): KubeObject {
  const { name, namespace = '', uid = '' } = metadata;
  const labels = { 'velero.io/backup-name': labelValue(name), 'velero.io/backup-uid': uid };
  return {
    apiVersion: apiVersionOf(DELETE_REQUEST),
    kind: DELETE_REQUEST.kind,
    metadata: { name: '', generateName: `${name}-`, namespace, labels },
    spec: { backupName: name },
  };
}
