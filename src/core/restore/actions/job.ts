import { withoutKeys } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const OWN_UID = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** Takes the old job's identity out, which the server would refuse; it puts in the new one. */
export const jobAction: RestoreAction = {
  name: 'velero.io/job',
  appliesTo: ['jobs.batch'],
  execute({ item }) {
    const selected = withoutKeys(item, ['spec', 'selector', 'matchLabels'], OWN_UID);
    return changed(withoutKeys(selected, ['spec', 'template', 'metadata', 'labels'], OWN_UID));
  },
};
