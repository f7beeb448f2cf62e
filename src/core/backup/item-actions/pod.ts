import { objectAt, objectsAt, textAt } from '../../../base/index.ts';
import type { PureItemAction } from './item-action.ts';

/** A pod is useless without its claims and its priority class. */
export const podAction: PureItemAction = {
  name: 'velero.io/pod',
  appliesTo: (groupResource) => groupResource === 'pods',
  run({ object, key: { namespace } }) {
    const spec = objectAt(object, 'spec');
    const priorityClass = textAt(spec, 'priorityClassName');
    const claims = objectsAt(spec, 'volumes').flatMap((volume) => {
      const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
      return claim === undefined || namespace === undefined
        ? []
        : [{ groupResource: 'persistentvolumeclaims', namespace, name: claim }];
    });
    const priority =
      priorityClass === undefined ? [] : [{ groupResource: 'priorityclasses.scheduling.k8s.io', name: priorityClass }];
    return { additional: [...priority, ...claims] };
  },
};
