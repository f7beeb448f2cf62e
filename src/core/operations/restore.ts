import { Restore } from '../../api/index.ts';
import { objectAt, textAt, textsAt, valueAt } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { present } from '../progress/index.ts';
import type { Adapter } from './adapter.ts';
import { selectionFacts } from './selection-facts.ts';
import { chosen, isCancelAsked, veleroItems, veleroState } from './velero-status.ts';

export const restoreAdapter: Adapter = {
  type: Restore,
  did: 'Restored',
  afterCancel: 'what it had restored by then stays in the cluster',
  adapt: (object: KubeObject) => {
    const status = objectAt(object, 'status');
    const mapping = textsAt(object, 'spec', 'namespaceMapping');
    return present({
      state: veleroState(status),
      items: veleroItems(status, 'itemsRestored'),
      facts: present({
        backup: textAt(object, 'spec', 'backupName'),
        schedule: textAt(object, 'spec', 'scheduleName'),
        namespaces: chosen(valueAt(object, 'spec', 'includedNamespaces')),
        namespaceMapping: Object.keys(mapping).length > 0 ? mapping : undefined,
        ...selectionFacts(status),
        isCancelAsked: isCancelAsked(object) || undefined,
        isDeleting: object.metadata.deletionTimestamp !== undefined || undefined,
      }),
    });
  },
};
