import { Backup } from '../../api/index.ts';
import { objectAt, textAt, textsAt, valueAt } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { present } from '../progress/index.ts';
import type { Adapter } from './adapter.ts';
import { selectionFacts } from './selection-facts.ts';
import { chosen, countAt, isCancelAsked, veleroItems, veleroState } from './velero-status.ts';

export const backupAdapter: Adapter = {
  type: Backup,
  did: 'Backed up',
  afterCancel: 'nothing of it is kept',
  adapt: (object: KubeObject) => {
    const status = objectAt(object, 'status');
    const state = veleroState(status);
    return present({
      state,
      items: veleroItems(status, 'itemsBackedUp'),
      facts: present({
        schedule: textsAt(object, 'metadata', 'labels')['velero.io/schedule-name'],
        location: textAt(object, 'spec', 'storageLocation'),
        namespaces: chosen(valueAt(object, 'spec', 'includedNamespaces')),
        expiresAt: textAt(status, 'expiration'),
        sizeBytes: state === 'completed' ? countAt(status, 'progress', 'bytesDone') : undefined,
        queuePosition: countAt(status, 'queuePosition') || undefined,
        ...selectionFacts(status),
        isCancelAsked: isCancelAsked(object) || undefined,
        isDeleting: isDeleting(object) || undefined,
      }),
    });
  },
};

function isDeleting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined || textAt(object, 'status', 'phase') === 'Deleting';
}
