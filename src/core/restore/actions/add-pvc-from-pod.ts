import { objectsAt, textAt } from '../../../base/index.ts';
import { changed, type ArchiveKey, type RestoreAction } from './action.ts';

/** A pod's claims are restored with it. */
export const addPvcFromPodAction: RestoreAction = {
  name: 'velero.io/add-pvc-from-pod',
  appliesTo: ['pods'],
  execute({ item }) {
    const namespace = textAt(item, 'metadata', 'namespace');
    if (namespace === undefined) return changed(item);
    const claims = objectsAt(item, 'spec', 'volumes')
      .map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'))
      .filter((name) => name !== undefined);
    const keys = claims.map((name): ArchiveKey => ({ groupResource: 'persistentvolumeclaims', namespace, name }));
    return changed(item, keys);
  },
};
