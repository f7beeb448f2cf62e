import { Backup, PodVolumeBackup, VolumePluginBackup, type Kind, type ResourceType } from '../../../api/index.ts';
import { isAppError, isNamespaceName, objectsAt, sha256Hex, textAt, type Json } from '../../../base/index.ts';
import { doomedSnapshots, isSnapshotId, isVolumeIdOf, type DoomedSnapshots } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { backupKeys, getJson, type Store } from '../../../edge/store/index.ts';
import { NO_WAIT } from '../../operation/index.ts';
import type { MoverLocation } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';

/** As large as what a restore reads of the same files. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };
/** Of one mover; a backup with more volumes in one namespace takes several. */
const AT_ONCE = 1_000;
const BACKUP_UID_LABEL = 'velero.io/backup-uid';

interface Deleting {
  backup: KubeObject;
  location: MoverLocation;
  store: Store;
  deps: ControlDeps;
  signal: AbortSignal;
}

/** Removes the kopia snapshots of a backup, by one mover for each repository. Archives of volumes go with its folder. */
export async function deleteSnapshots(deleting: Deleting): Promise<void> {
  const doomed = await readDoomed(deleting);
  if (doomed.length === 0) return;
  const kept = await usedByOthers(deleting);
  for (const { volumeNamespace, snapshotIDs, volumes } of doomed) {
    const ids = snapshotIDs.filter((id) => isSnapshotId(id) && !kept.has(id));
    // Files that were copied from another backup name its volumes, and all that was stored of those would go.
    const names = volumes.filter((volume) => isVolumeIdOf(volume, deleting.backup.metadata.name));
    if (!isNamespaceName(volumeNamespace)) continue;
    for (let at = 0; at < Math.max(ids.length, names.length); at += AT_ONCE) {
      const part = { snapshotIDs: ids.slice(at, at + AT_ONCE), volumes: names.slice(at, at + AT_ONCE) };
      await deleteIn(volumeNamespace, part, deleting);
    }
  }
}

async function deleteIn(
  repositoryNamespace: string,
  what: Pick<DoomedSnapshots, 'snapshotIDs' | 'volumes'>,
  { backup, location, deps, signal }: Deleting,
): Promise<void> {
  const { name, uid = '' } = backup.metadata;
  const hash = sha256Hex(`${uid}/${repositoryNamespace}/${what.snapshotIDs[0] ?? what.volumes[0] ?? ''}`).slice(0, 10);
  const owner = { type: Backup, object: backup };
  // The name may be as long as names can be.
  const id = `${name.slice(0, 200).replace(/[.-]+$/, '')}-${hash}`;
  try {
    await deps.movers.delete(
      { id, owner, location, repositoryNamespace, ...what },
      {
        signal,
        lasting: deps.term(),
        // A repeated deletion finds nothing left to delete.
        isCanceled: () => true,
        api: () => ({ call: (request) => request() }),
        onWaiting: () => NO_WAIT,
      },
    );
  } catch (error) {
    // Without a repository there are no snapshots.
    if (!isAppError(error, 'notFound')) throw error;
    deps.log.info('a repository is gone, and snapshots with it', {
      backup: name,
      volumeNamespace: repositoryNamespace,
    });
  }
}

/** A backup that failed, was canceled or given up has no files that tell; its objects stay as long as a snapshot may. */
async function readDoomed(deleting: Deleting): Promise<DoomedSnapshots[]> {
  const keys = backupKeys(deleting.backup.metadata.name);
  const podVolumes = await readVolumes(PodVolumeBackup, keys.podVolumeBackups, deleting);
  const plugins = await readVolumes(VolumePluginBackup, keys.volumePluginBackups, deleting);
  return doomedSnapshots(podVolumes, plugins);
}

/** Each volume once: where there is a file, it counts, and not what somebody may have made of the object since. */
async function readVolumes<T extends { metadata: { name?: string } }>(
  type: Kind<T>,
  key: string,
  deleting: Deleting,
): Promise<T[]> {
  const parse = (one: Json): T => type.parse(one).value;
  const stored = parsed(await readFile(key, deleting), parse);
  const names = new Set(stored.map(({ metadata }) => metadata.name));
  const shown = (await readObjects(type, deleting)).filter(({ metadata }) => !names.has(metadata.name));
  return [...stored, ...parsed(shown, parse)];
}

async function readFile(key: string, { backup, store, deps, signal }: Deleting): Promise<Json[]> {
  try {
    const value = (await getJson(store, key, { ...LIMITS, signal }))?.value;
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (!isAppError(error, 'tooLarge', 'invalid')) throw error;
    // Only its objects, if they are in this cluster, still say which snapshots these were.
    deps.log.warn('snapshots of a deleted backup may stay', { backup: backup.metadata.name, err: error.message });
    return [];
  }
}

/** Anybody can put a label on an object; who may set an owner may write the Backup as well. */
async function readObjects(type: ResourceType, { backup, deps, signal }: Deleting): Promise<KubeObject[]> {
  const { uid } = backup.metadata;
  if (uid === undefined) return [];
  const found = new Map<string, KubeObject>();
  const { kube, namespace } = deps;
  const labelSelector = `${BACKUP_UID_LABEL}=${uid}`;
  for await (const { items, restarted } of kube.list({ type, namespace }, { labelSelector, signal })) {
    if (restarted) found.clear();
    for (const item of items) {
      const owners = objectsAt(item.metadata, 'ownerReferences').map((owner) => textAt(owner, 'uid'));
      if (owners.includes(uid)) found.set(item.metadata.name, item);
    }
  }
  return [...found.values()];
}

/** What is not such an object names no snapshot. */
function parsed<T>(values: readonly Json[], parse: (value: Json) => T): T[] {
  return values.flatMap((value) => {
    try {
      return [parse(value)];
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error;
      return [];
    }
  });
}

/** Snapshots that another backup in this cluster names as well: somebody has copied one backup's files to another. */
async function usedByOthers({ backup, deps, signal }: Deleting): Promise<Set<string>> {
  const kept = new Set<string>();
  const { kube, namespace } = deps;
  for await (const { items } of kube.list({ type: PodVolumeBackup, namespace }, { signal })) {
    for (const item of items) {
      const id = textAt(item, 'status', 'snapshotID');
      const isOurs = item.metadata.labels?.[BACKUP_UID_LABEL] === backup.metadata.uid;
      if (id !== undefined && !isOurs) kept.add(id);
    }
  }
  return kept;
}
