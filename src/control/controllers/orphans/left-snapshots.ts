import {
  BackupStorageLocation,
  HEADWAY_POD_LABEL,
  OWNER_UID_LABEL,
  POD,
  SECRET,
  VolumePluginBackup,
} from '../../../api/index.ts';
import { isAppError, isObject, isObjectName, messageOf, objectsAt, sha256Hex, textAt } from '../../../base/index.ts';
import { isVolumeIdOf } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { backupKeys, getJson, type Store } from '../../../edge/store/index.ts';
import { NO_WAIT } from '../../operation/index.ts';
import { readObject } from '../../runtime/objects/index.ts';
import { MOVER_LABELS, readJobSecret } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';
import { moverLocation } from '../stores/index.ts';

/** As large as what a deletion reads of the same file. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };

/** A volume that was copied for a Backup that is gone. */
interface Left {
  uid: string;
  /** The namespace of the mover is that of the volume: nobody there can name the repository of another one. */
  namespace: string;
  volume: string;
  backup: string;
  location: string;
}

/**
 * Removes the snapshots that movers finished for Backups that were deleted while no server ran: their objects are gone,
 * and only the movers know of them. Returns the owners whose movers must stay until that has been possible.
 */
export async function removeLeftSnapshots(
  gone: ReadonlySet<string>,
  deps: ControlDeps,
  signal: AbortSignal,
): Promise<Set<string>> {
  const unfinished = new Set<string>();
  if (gone.size === 0) return unfinished;
  const places = Map.groupBy(
    await findLeft(gone, deps, signal),
    ({ location, namespace }) => `${location}/${namespace}`,
  );
  for (const left of places.values()) {
    try {
      await removeFrom(left, deps, signal);
    } catch (error) {
      signal.throwIfAborted();
      // Without a location or a repository there are no snapshots.
      if (isAppError(error, 'notFound')) continue;
      for (const { uid } of left) unfinished.add(uid);
      deps.log.warn('snapshots of a deleted backup stay for now', { err: messageOf(error) });
    }
  }
  return unfinished;
}

async function findLeft(gone: ReadonlySet<string>, deps: ControlDeps, signal: AbortSignal): Promise<Left[]> {
  const found: Left[] = [];
  const labelSelector = `${HEADWAY_POD_LABEL}=${MOVER_LABELS.purpose},${MOVER_LABELS.server}=${deps.namespace}`;
  for await (const { items } of deps.kube.list({ type: SECRET }, { labelSelector, signal })) {
    for (const secret of items) {
      const left = gone.has(secret.metadata.labels?.[OWNER_UID_LABEL] ?? '') ? leftBy(secret) : undefined;
      if (left !== undefined && (await hasEnded(secret, deps, signal))) found.push(left);
    }
  }
  return found;
}

function leftBy(secret: KubeObject): Left | undefined {
  const { namespace = '', labels } = secret.metadata;
  const { job, location = '' } = readJobSecret(secret) ?? {};
  if (job?.kind !== 'snapshot' || job.uploader !== 'kopia') return undefined;
  const uid = labels?.[OWNER_UID_LABEL] ?? '';
  return { uid, namespace, volume: job.id, backup: job.tags?.['backup'] ?? '', location };
}

/** One that still runs removes by itself what it has stored, when it is told to end. */
async function hasEnded({ metadata }: KubeObject, { kube }: ControlDeps, signal: AbortSignal): Promise<boolean> {
  const { name, namespace = '' } = metadata;
  const pod = await readObject({ type: POD, namespace, name }, { kube }, signal);
  return pod === undefined || ['Succeeded', 'Failed'].includes(textAt(pod, 'status', 'phase') ?? '');
}

async function removeFrom(left: readonly Left[], deps: ControlDeps, stop: AbortSignal): Promise<void> {
  const [{ location: name, namespace: repositoryNamespace }] = left as [Left];
  const { kube, log, movers, namespace, stores } = deps;
  const object = await kube.get({ type: BackupStorageLocation, namespace, name }, { signal: stop });
  using opened = await stores.open(name, stop);
  const { store, changed } = opened;
  const signal = AbortSignal.any([stop, changed]);
  const volumes: string[] = [];
  for (const one of left) if (!(await isKept(one, store, deps, signal))) volumes.push(one.volume);
  if (volumes.length === 0) return;
  log.info('snapshots of a deleted backup are removed', {
    location: name,
    volumeNamespace: repositoryNamespace,
    volumes,
  });
  const hash = sha256Hex(`${repositoryNamespace}/${volumes.join('/')}`).slice(0, 10);
  await movers.delete(
    {
      id: `left-${hash}`,
      owner: { type: BackupStorageLocation, object },
      location: moverLocation(opened, store),
      ...{ repositoryNamespace, snapshotIDs: [], volumes },
    },
    {
      signal,
      lasting: deps.term(),
      // A repeated deletion finds nothing left to delete.
      isCanceled: () => true,
      api: () => ({ call: (request) => request() }),
      onWaiting: () => NO_WAIT,
    },
  );
}

/** A backup that was finished is in the store, or in this cluster once more, and needs its snapshot. */
async function isKept(
  left: Left,
  store: Store,
  { kube, namespace }: ControlDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { volume: name, backup, uid } = left;
  // Whoever forged a job must not choose where to look for the backup.
  if (!isObjectName(backup) || !isVolumeIdOf(name, backup)) return true;
  const shown = await readObject({ type: VolumePluginBackup, namespace, name }, { kube }, signal);
  const owners = objectsAt(shown?.metadata, 'ownerReferences').map((owner) => textAt(owner, 'uid'));
  // The cluster may take its time with what belonged to the deleted one.
  if (shown !== undefined && !owners.includes(uid)) return true;
  try {
    const stored = (await getJson(store, backupKeys(backup).volumePluginBackups, { ...LIMITS, signal }))?.value;
    return Array.isArray(stored) && stored.some((one) => isObject(one) && textAt(one, 'metadata', 'name') === name);
  } catch (error) {
    if (isAppError(error, 'invalid', 'tooLarge')) return true;
    throw error;
  }
}
