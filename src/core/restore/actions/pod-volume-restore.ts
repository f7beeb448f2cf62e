import { objectsAt, textAt } from '../../../base/index.ts';
import { withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

/** Init containers that current and old versions of Velero add to a pod while they restore the files of its volumes. */
const WAITS = ['restore-wait', 'restic-wait'];

/** A pod that was restored before must not wait for the data of that earlier restore, which will never arrive. */
export const podVolumeRestoreAction: RestoreAction = {
  name: 'velero.io/pod-volume-restore',
  appliesTo: ['pods'],
  execute({ item }) {
    const before = objectsAt(item, 'spec', 'initContainers');
    const kept = before.filter((container) => !WAITS.includes(textAt(container, 'name') ?? ''));
    if (kept.length === before.length) return changed(item);
    return changed(withValue(item, ['spec', 'initContainers'], kept.length === 0 ? undefined : kept));
  },
};
