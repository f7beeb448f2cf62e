import { withoutKeys } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const OWN_UID = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** Removes the old job's identity, which the server would refuse; the server sets the new one. */
export const jobAction: RestoreAction = {
  name: 'velero.io/job',
  appliesTo: ['jobs.batch'],
  execute({ item }) {
    const selected = withoutKeys(item, ['spec', 'selector', 'matchLabels'], OWN_UID);
    return changed(withoutKeys(selected, ['spec', 'template', 'metadata', 'labels'], OWN_UID));
  },
};
