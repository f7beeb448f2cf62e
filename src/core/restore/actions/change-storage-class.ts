import { AppError, textAt, type JsonObject } from '../../../base/index.ts';
import { kindOf, mapObjects, nameOf, withValue } from '../fields.ts';
import { changed, type ActionConfig, type RestoreAction } from './action.ts';

const CLASS = ['spec', 'storageClassName'];

/** Gives claims and volumes the storage class that the user mapped theirs to. */
export const changeStorageClassAction: RestoreAction = {
  name: 'velero.io/change-storage-class',
  appliesTo: ['persistentvolumeclaims', 'persistentvolumes', 'statefulsets.apps'],
  execute({ item, config }) {
    const what = `${kindOf(item)} ${nameOf(item)}`;
    if (kindOf(item) !== 'StatefulSet') return changed(withClass(item, config, what));
    return changed(mapObjects(item, ['spec', 'volumeClaimTemplates'], (claim) => withClass(claim, config, what)));
  },
};

function withClass(claim: JsonObject, config: ActionConfig, what: string): JsonObject {
  const before = textAt(claim, ...CLASS);
  if (before === undefined || !Object.hasOwn(config.storageClasses, before)) return claim;
  const after = config.storageClasses[before] ?? '';
  if (!config.hasStorageClass(after)) {
    throw new AppError(
      'invalid',
      `cannot change the storage class of ${what} from ${before}: the cluster has no storage class "${after}"`,
    );
  }
  return withValue(claim, CLASS, after);
}
