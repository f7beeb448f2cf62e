import { Backup, CUSTOM_RESOURCE_DEFINITION } from '../../api/index.ts';
import { AppError, isAppError, isObject, objectAt, objectsAt, textAt, valueAt } from '../../base/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

const NAME = `${Backup.plural}.${Backup.group}`;
const INSTALL = 'Run: headway install --crds-only';

/** With other CRDs the API server would throw away percent, stage and conditions without a word. */
export async function refuseOtherCrds(kube: Kube, signal: AbortSignal): Promise<void> {
  let crd: KubeObject;
  try {
    crd = await kube.get({ type: CUSTOM_RESOURCE_DEFINITION, name: NAME }, { signal });
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    throw new AppError('notFound', `the cluster has no CRD ${NAME}`, { details: { hint: INSTALL } });
  }
  const version = objectsAt(crd['spec'], 'versions').find((entry) => textAt(entry, 'name') === Backup.version);
  const status = ['schema', 'openAPIV3Schema', 'properties', 'status'];
  const progress = objectAt(version, ...status, 'properties', 'progress', 'properties');
  // Velero's own CRDs keep nothing they do not know; a schema that keeps everything is as good as ours.
  const keepsAll = valueAt(version, ...status, 'x-kubernetes-preserve-unknown-fields') === true;
  if (keepsAll || isObject(progress['percent'])) return;
  throw new AppError('invalidConfig', `the cluster's CRD ${NAME} does not know Headway's fields of progress`, {
    details: { hint: INSTALL },
  });
}
