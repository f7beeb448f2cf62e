import { Backup, Restore } from '../../../api/index.ts';
import { isAppError, messageOf, textAt } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { deleteMany, restoreKeys } from '../../../edge/store/index.ts';
import { patchObject, readObject } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';

/** Velero's finalizer: on every restore, so that its files are deleted with it. */
export const FINALIZER = 'restores.velero.io/external-resources-finalizer';

/** A store that is unreachable must not keep an object forever that somebody wants deleted. */
const LIMIT_MS = 10 * 60_000;

/** Removes the files of a restore that is being deleted, and then its finalizer. */
export async function removeFiles(object: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const { finalizers = [], deletionTimestamp = '', name } = object.metadata;
  if (!finalizers.includes(FINALIZER)) return;
  try {
    await deleteFolder(object, deps, signal);
  } catch (error) {
    const isOverdue = deps.clock.now() - Date.parse(deletionTimestamp) > LIMIT_MS;
    if (!isOverdue && !isAppError(error, 'notFound', 'invalidConfig', 'forbidden')) throw error;
    deps.log.warn('files of a deleted restore stay in the store', { restore: name, err: messageOf(error) });
  }
  const left = finalizers.filter((finalizer) => finalizer !== FINALIZER);
  try {
    await patchObject({ type: Restore, object, deps, signal }, { metadata: { finalizers: left } });
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
  }
}

async function deleteFolder(object: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const { namespace } = deps;
  const name = textAt(object, 'spec', 'backupName') ?? '';
  const backup = name === '' ? undefined : await readObject({ type: Backup, namespace, name }, deps, signal);
  const location = textAt(backup, 'spec', 'storageLocation');
  // Without its backup nobody knows where its files are; they were deleted with the backup's.
  if (location === undefined) return;
  using opened = await deps.stores.open(location, signal);
  const { store } = opened;
  const { folder } = restoreKeys(object.metadata.name);
  const keys: string[] = [];
  for await (const { key } of store.list(folder, { signal })) keys.push(key);
  await deleteMany(store, keys, { signal });
}
