import { PodVolumeRestore, VolumePluginRestore, type ResourceType } from '../../../../api/index.ts';
import { AppError, isAppError } from '../../../../base/index.ts';
import {
  BROUGHT_UP_ANNOTATION,
  pluginRestoreObject,
  podVolumeRestoreObject,
  volumeRestoreId,
} from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, deleteObject, readObject } from '../../../runtime/objects/index.ts';
import type { FillContext, Filling } from './fill-context.ts';

/** The same for every attempt, so that a restarted server finds what it made. */
export function restoreIdOf({ claim }: Filling, { restore }: Pick<FillContext, 'restore'>): string {
  const { name, uid = '' } = restore.object.metadata;
  return volumeRestoreId({ name, uid }, `${claim.namespace}/${claim.name}`);
}

/** Creates the VolumePluginRestore of a volume, or takes the one of an earlier attempt. One that somebody forged fails its volume. */
export async function placeRestoreObject(filling: Filling, context: FillContext): Promise<KubeObject> {
  return await place(VolumePluginRestore, wantedObject(filling, context), context);
}

/** Velero's object for the same volume, which stock clients show; undefined where Velero would have none. */
export async function placePodVolumeRestore(
  { data, claim }: Filling,
  context: FillContext,
  claimUid: string,
): Promise<KubeObject | undefined> {
  const { kopiaID: snapshotID, podVolume, totalBytes: snapshotSize } = data;
  if (snapshotID === undefined || podVolume === undefined) return undefined;
  const { name, namespace = '', uid = '' } = context.restore.object.metadata;
  const volume = {
    ...{
      id: restoreIdOf({ data, claim }, context),
      restore: { namespace, name, uid },
      claim,
      snapshotID,
      snapshotSize,
    },
    ...{ pod: podVolume.pod, volumeName: podVolume.volume },
  };
  const at = { location: context.location.name, sourceNamespace: data.claim.namespace, claimUid };
  return await place(PodVolumeRestore, podVolumeRestoreObject(volume, at) as unknown as KubeObject, context);
}

/** The objects of a volume that was not begun. */
export async function removeRestoreObjects(filling: Filling, { restore, signal }: FillContext): Promise<void> {
  const { deps, operation } = restore;
  const place = { namespace: deps.namespace, name: restoreIdOf(filling, { restore }) };
  for (const type of [PodVolumeRestore, VolumePluginRestore]) {
    const found = await operation.api(signal).call(() => readObject({ type, ...place }, deps, signal));
    if (found === undefined || !isOf(found, restore.object.metadata.uid ?? '')) continue;
    await operation.api(signal).call(() => deleteObject({ type, object: found, deps, signal }));
  }
}

/** Whether an earlier attempt at this restore has begun with a volume. */
export async function hasRestoreObject(filling: Filling, { restore, signal }: FillContext): Promise<boolean> {
  const { deps, operation } = restore;
  const place = { namespace: deps.namespace, name: restoreIdOf(filling, { restore }) };
  const found = await operation
    .api(signal)
    .call(() => readObject({ type: VolumePluginRestore, ...place }, deps, signal));
  return found !== undefined && isOf(found, restore.object.metadata.uid ?? '');
}

async function place(type: ResourceType, wanted: KubeObject, { restore, signal }: FillContext): Promise<KubeObject> {
  const { deps, operation } = restore;
  const { name, namespace = '' } = wanted.metadata;
  const options = { signal, deadlineMs: CALL_DEADLINE_MS };
  const api = operation.api(signal);
  try {
    return await api.call(() => deps.kube.create({ type, namespace }, wanted, options));
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
    const found = await api.call(() => deps.kube.get({ type, namespace, name }, options));
    if (isOf(found, restore.object.metadata.uid ?? '')) return found;
    throw new AppError('alreadyExists', `create ${type.kind} ${name}: there is one which is not of this restore`);
  }
}

/** Owner references are believed: who may set those of another's uid may write the Restore as well. */
function isOf({ metadata }: KubeObject, uid: string): boolean {
  const owners = (metadata as { ownerReferences?: { uid?: string }[] }).ownerReferences ?? [];
  return owners.some((owner) => owner.uid === uid);
}

/** Whether the claim was there before this restore, which brings it up to the backup. */
export function isToBringUp(object: KubeObject): boolean {
  return object.metadata.annotations?.[BROUGHT_UP_ANNOTATION] === 'true';
}

function wantedObject(filling: Filling, context: FillContext): KubeObject {
  const { data, claim } = filling;
  const { name, namespace = '', uid = '' } = context.restore.object.metadata;
  const { snapshotID, plugin, pluginSpecific = {}, totalBytes, completedAt } = data;
  const object = pluginRestoreObject(
    {
      id: restoreIdOf(filling, context),
      restore: { namespace, name, uid },
      backup: context.backup,
      ...{ snapshotID, claim, plugin, pluginSpecific, isBroughtUp: filling.isBroughtUp === true },
      backedUp: {
        claim: data.claim,
        ...(totalBytes === undefined ? {} : { bytes: totalBytes }),
        ...(completedAt === undefined ? {} : { at: completedAt }),
      },
    },
    data.by === 'native',
  );
  return object as unknown as KubeObject;
}
