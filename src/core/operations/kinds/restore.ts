import { RESTORE } from '../../../api/resource-types.ts';
import { restoreRenames } from '../../../api/velero/renames.ts';
import { textAt, textsAt } from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import { migrationOf } from '../parent-ref.ts';
import { selectionFacts } from '../selection-facts.ts';
import { chosenAt } from '../status-values.ts';
import { veleroItems, veleroPhase, veleroState } from '../velero-status.ts';

export const restoreAdapter: Adapter = {
  type: RESTORE,
  noun: 'restore',
  group: 'velero',
  scope: 'velero',
  verbs: ['create', 'cancel', 'delete', 'plan', 'logs', 'items', 'retry'],
  did: 'Restored',
  item: 'item',
  cancel: BY_ANNOTATION,
  afterCancel: 'what it had restored by then stays in the cluster',
  deletion: { consequence: 'its log and results are deleted; what it restored stays' },
  files: { folder: 'restores', log: 'RestoreLog', results: 'RestoreResults', items: 'RestoreResourceList' },
  stages: { usual: ['downloading', 'checking', 'collecting', 'restoring', 'finalizing'], working: 'restoring' },
  metrics: { now: ({ cluster }) => ({ name: 'velero_restore_total', labels: { cluster } }) },
  renames: restoreRenames,
  parent: migrationOf,
  partOf: ['MigMigration'],
  adapt: (object, status) => {
    const mapping = textsAt(object, 'spec', 'namespaceMapping');
    return {
      state: veleroState(status),
      phase: veleroPhase(status),
      measures: veleroItems(status, 'itemsRestored'),
      facts: present({
        backup: textAt(object, 'spec', 'backupName'),
        schedule: textAt(object, 'spec', 'scheduleName'),
        namespaces: chosenAt(object, 'spec', 'includedNamespaces'),
        namespaceMapping: Object.keys(mapping).length > 0 ? mapping : undefined,
        ...selectionFacts(status),
      }),
    };
  },
};
