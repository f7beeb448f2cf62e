import { textAt } from '../../../base/index.ts';
import { withoutKeys } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

/** On a claim: the restore that fills it and has not finished. Nothing should mount it as long as it is there. */
export const UNFILLED_ANNOTATION = 'headway.io/unfilled';

/** What the old cluster's controllers recorded about the old volume, and the node that they chose for it. */
const OLD_NOTES = [
  'pv.kubernetes.io/bind-completed',
  'pv.kubernetes.io/bound-by-controller',
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
  'volume.kubernetes.io/selected-node',
  'velero.io/volume-snapshot-name',
  'velero.io/data-upload-name',
  UNFILLED_ANNOTATION,
];

/** Lets the cluster bind the claim again, on any node. The volume it was bound to is restored with it. */
export const pvcAction: RestoreAction = {
  name: 'velero.io/pvc',
  appliesTo: ['persistentvolumeclaims'],
  execute({ item, itemFromBackup }) {
    const claim = withoutKeys(item, ['metadata', 'annotations'], OLD_NOTES);
    // The item's status was already removed.
    const volume = textAt(itemFromBackup, 'spec', 'volumeName');
    const isBound = textAt(itemFromBackup, 'status', 'phase') === 'Bound' && volume !== undefined;
    return changed(claim, isBound ? [{ groupResource: 'persistentvolumes', name: volume }] : []);
  },
};
