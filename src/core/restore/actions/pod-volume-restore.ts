import { objectsAt, textAt } from '../../../base/index.ts';
import { withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

/** What Velero puts in front of a pod's init containers while it restores the files of its volumes, now and formerly. */
const WAITS = ['restore-wait', 'restic-wait'];

/** A pod that was restored once before must not wait for the data of that restore, which will never come again. */
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
