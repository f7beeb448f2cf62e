import { PodVolumeBackup, VolumePluginBackup, type ResourceType } from '../../../../api/index.ts';
import { AppError, isAppError, textAt, type JsonObject } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, deleteObject } from '../../../runtime/objects/index.ts';
import type { VolumeContext } from './volume-context.ts';

type Deps = Pick<VolumeContext, 'operation' | 'deps'>;

/** Creates an object that shows a volume, or takes the one of an earlier attempt; whoever forged one fails its volume. */
export async function placeVolumeObject(
  type: ResourceType,
  object: JsonObject,
  { operation, deps }: Deps,
  signal: AbortSignal,
): Promise<KubeObject> {
  const wanted = object as unknown as KubeObject;
  const { name, namespace = '' } = wanted.metadata;
  const { kube } = deps;
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  const api = operation.api(signal);
  try {
    return await api.call(() => kube.create({ type, namespace }, wanted, options));
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    const found = await api.call(() => kube.get({ type, namespace, name }, options));
    if (isOfBackup(found, operation.object.metadata.uid ?? '')) return found;
    throw new AppError('alreadyExists', `create ${type.kind} ${name}: there is one which is not of this backup`);
  }
}

/** Owner references are believed: who may set those of another's uid may write the Backup as well. */
function isOfBackup({ metadata }: KubeObject, uid: string): boolean {
  const owners = (metadata as { ownerReferences?: { uid?: string }[] }).ownerReferences ?? [];
  return owners.some((owner) => owner.uid === uid);
}

/** Of earlier attempts at this backup, by name. */
export async function volumeObjectsOf(
  type: ResourceType,
  { operation, deps: { kube, namespace } }: Deps,
  signal: AbortSignal,
): Promise<Map<string, KubeObject>> {
  const uid = operation.object.metadata.uid ?? '';
  const labelSelector = `velero.io/backup-uid=${uid}`;
  return await operation.api(signal).call(async () => {
    const found = new Map<string, KubeObject>();
    for await (const page of kube.list({ type, namespace }, { labelSelector, signal })) {
      if (page.restarted) found.clear();
      for (const object of page.items) if (isOfBackup(object, uid)) found.set(object.metadata.name, object);
    }
    return found;
  });
}

/** Both objects of a volume whose data is not kept. */
export async function removeVolumeObjects(name: string, context: Deps, signal: AbortSignal): Promise<void> {
  const { deps, operation } = context;
  for (const type of [VolumePluginBackup, PodVolumeBackup]) {
    try {
      const object = await deps.kube.get(
        { type, namespace: deps.namespace, name },
        { signal, deadlineMs: CALL_DEADLINE_MS },
      );
      if (isOfBackup(object, operation.object.metadata.uid ?? '')) await deleteObject({ type, object, deps, signal });
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
}

export function pluginOf(object: KubeObject): string | undefined {
  return textAt(object, 'spec', 'plugin');
}
