import { isAppError } from '../../base/index.ts';
import type { ResourceType } from '../../api/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

/** Creates the object, or brings the one that is there to its fields. */
export async function apply(kube: Kube, type: ResourceType, object: KubeObject, signal: AbortSignal): Promise<void> {
  const { name, namespace } = object.metadata;
  const target = namespace === undefined ? { type } : { type, namespace };
  try {
    await kube.create(target, object, { signal });
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    await kube.patch({ ...target, name }, { kind: 'merge', body: { ...object } }, { signal });
  }
}

/** False when it was not there. */
export async function remove(
  kube: Kube,
  target: { type: ResourceType; namespace?: string; name: string },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await kube.delete(target, { signal });
    return true;
  } catch (error) {
    if (isAppError(error, 'notFound')) return false;
    throw error;
  }
}
