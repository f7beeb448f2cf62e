import { objectsAt, textAt } from '../../../base/index.ts';
import { initContainersFor } from '../hooks.ts';
import { withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

// Hooks prepare data for the application, so the containers that restore the data stay in front of them.
const DATA_FIRST = ['restore-wait', 'restic-wait'];

/** Puts the init containers of restore hooks in front of the pod's own. */
export const initRestoreHookAction: RestoreAction = {
  name: 'velero.io/init-restore-hook',
  appliesTo: ['pods'],
  execute({ item, restore }) {
    const hooks = initContainersFor(item, restore.spec);
    if (hooks.length === 0) return changed(item);
    const own = objectsAt(item, 'spec', 'initContainers');
    const waits = DATA_FIRST.includes(textAt(own[0] ?? {}, 'name') ?? '') ? 1 : 0;
    const all = [...own.slice(0, waits), ...hooks, ...own.slice(waits)];
    return changed(withValue(item, ['spec', 'initContainers'], all));
  },
};
