import { Backup, PodVolumeBackup, VolumePluginBackup } from '../../../api/index.ts';
import { isAppError, isNamespaceName, isObjectName, sha256Hex, textAt, type Json } from '../../../base/index.ts';
import { doomedSnapshots, isSnapshotId, type DoomedSnapshots } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { backupKeys, getJson, type Store } from '../../../edge/store/index.ts';
import { NO_WAIT } from '../../operation/index.ts';
import type { MoverLocation } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';

/** As large as what a restore reads of the same files. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };
/** Of one mover; a backup with more volumes in one namespace takes several. */
const AT_ONCE = 1_000;

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
    const names = volumes.filter(isObjectName);
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

async function readDoomed({ backup, store, deps, signal }: Deleting): Promise<DoomedSnapshots[]> {
  const keys = backupKeys(backup.metadata.name);
  const read = async (key: string): Promise<Json[]> => {
    try {
      const value = (await getJson(store, key, { ...LIMITS, signal }))?.value;
      return Array.isArray(value) ? value : [];
    } catch (error) {
      if (!isAppError(error, 'tooLarge', 'invalid')) throw error;
      // Nobody can read which snapshots these were, now or later.
      deps.log.warn('snapshots of a deleted backup may stay', { backup: backup.metadata.name, err: error.message });
      return [];
    }
  };
  const podVolumes = parsed(await read(keys.podVolumeBackups), (one) => PodVolumeBackup.parse(one).value);
  const plugins = parsed(await read(keys.volumePluginBackups), (one) => VolumePluginBackup.parse(one).value);
  return doomedSnapshots(podVolumes, plugins);
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
      const isOurs = item.metadata.labels?.['velero.io/backup-uid'] === backup.metadata.uid;
      if (id !== undefined && !isOurs) kept.add(id);
    }
  }
  return kept;
}
