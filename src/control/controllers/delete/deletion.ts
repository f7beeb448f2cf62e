import { Backup, BackupStorageLocation, DeleteBackupRequest, Restore, type RestorePhase } from '../../../api/index.ts';
import { isAppError, textAt, type JsonObject } from '../../../base/index.ts';
import { isEndPhase } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { abortUploads, backupKeys, deleteMany, restoreKeys, type Store } from '../../../edge/store/index.ts';
import type { ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import {
  aboutObject,
  boundedText,
  deleteObject,
  patchObject,
  patchStatus,
  readObject,
} from '../../runtime/objects/index.ts';
import { withCondition, withoutCondition } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { readMetadata } from '../backup/index.ts';
import { moverLocation } from '../stores/index.ts';
import { deleteSnapshots } from './delete-snapshots.ts';
import { backupOf, isFirst, isMeant, ownsFiles, refusalOf, requestLabels } from './requests.ts';

const KEPT_MS = 24 * 3_600_000;
const LONGEST_WAIT_MS = 3_600_000;
const TURN_WAIT_MS = 2_000;
const READER_WAIT_MS = 5_000;
const SCHEDULE_LABEL = 'velero.io/schedule-name';

type DeletionCaches = Pick<Caches, 'deleteRequests'>;

interface Work {
  request: KubeObject;
  backup: KubeObject;
  /** Undefined when it is gone. */
  location: KubeObject | undefined;
}

/** Carries out DeleteBackupRequests. The process may be killed after any step, and the step is then repeated. */
export class Deletions {
  readonly #deps: ControlDeps;
  readonly #caches: DeletionCaches;

  constructor(deps: ControlDeps, caches: DeletionCaches) {
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const known = this.#caches.deleteRequests.get(key);
    if (known === undefined || known.metadata.deletionTimestamp !== undefined) return 'done';
    if (textAt(known, 'status', 'phase') === 'Processed') return await this.#keepForADay(known, signal);
    if (!isFirst(known, this.#caches.deleteRequests.values())) return { requeueAfterMs: TURN_WAIT_MS };
    const request = await this.#read(DeleteBackupRequest, known.metadata.name, signal);
    if (request === undefined || textAt(request, 'status', 'phase') === 'Processed') return 'done';
    return await this.#carryOut(request, signal);
  }

  async #carryOut(request: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const found = await this.#read(Backup, backupOf(request), signal);
    // A backup recreated under the same name is not the one that was meant.
    const backup = found === undefined || isMeant(request, found) ? found : undefined;
    const location = await this.#read(BackupStorageLocation, textAt(backup, 'spec', 'storageLocation') ?? '', signal);
    const hasBegun = textAt(request, 'status', 'phase') === 'InProgress';
    const refusal = refusalOf(request, { backup, location });
    if (backup === undefined || (refusal !== undefined && !hasBegun)) {
      if (hasBegun) await this.#finish(request, signal);
      else await this.#refuse(request, refusal ?? '', signal);
      return 'done';
    }
    // Once begun, it continues even if the location goes away: a backup without its metadata is useless.
    if (refusal !== undefined && location !== undefined) {
      return await this.#wait(request, 'LocationNotReady', refusal, signal);
    }
    return await this.#delete({ request, backup, location }, signal);
  }

  async #delete({ request, backup, location }: Work, signal: AbortSignal): Promise<ReconcileResult> {
    const restores = await this.#restoresOf(backup.metadata.name, signal);
    const reader = restores.find((one) => !isEndPhase(textAt(one, 'status', 'phase') as RestorePhase | undefined));
    if (reader !== undefined) {
      return await this.#wait(request, 'RestoreRunning', `restore ${reader.metadata.name} reads the backup`, signal);
    }
    if (await this.#begin(request, backup, signal)) return { requeueAfterMs: 0 };
    try {
      // If the location is gone, its files are out of reach, and there is nothing left to wait for.
      if (location !== undefined && ownsFiles(backup)) await this.#deleteFiles(backup, restores, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      await this.#tellFailure(request, error.message, signal);
      // A refusal by the store is retried too: nobody else would finish what has begun.
      return { requeueAfterMs: READER_WAIT_MS * 2 };
    }
    for (const restore of restores) await this.#deleteRestore(restore, signal);
    await deleteObject({ type: Backup, object: backup, deps: this.#deps, signal });
    this.#deps.metrics.add('velero_backup_deletion_success_total', scheduleOf(backup));
    this.#deps.log.info('deleted a backup', { backup: backup.metadata.name, restores: restores.length });
    await this.#finish(request, signal);
    return 'done';
  }

  /** True if something was written, so that the restores must be checked once more. */
  async #begin(request: KubeObject, backup: KubeObject, signal: AbortSignal): Promise<boolean> {
    const deps = this.#deps;
    const isBegun = textAt(request, 'status', 'phase') === 'InProgress';
    const isMarked = textAt(backup, 'status', 'phase') === 'Deleting';
    if (isBegun && isMarked) return false;
    if (!isMarked) {
      await patchStatus({ type: Backup, object: backup, deps, signal }, { phase: 'Deleting' });
    }
    if (!isBegun) {
      const status = { phase: 'InProgress', conditions: withoutCondition(request, 'Waiting') };
      await patchObject(
        { type: DeleteBackupRequest, object: request, deps, signal },
        { metadata: { labels: requestLabels(backup) }, status },
      );
      deps.metrics.add('velero_backup_deletion_attempt_total', scheduleOf(backup));
    }
    return true;
  }

  /** The metadata first: without it nothing takes the rest for a backup. */
  async #deleteFiles(backup: KubeObject, restores: readonly KubeObject[], stop: AbortSignal): Promise<void> {
    using opened = await this.#deps.stores.open(textAt(backup, 'spec', 'storageLocation') ?? '', stop);
    const { store, changed } = opened;
    const signal = AbortSignal.any([stop, changed]);
    const keys = backupKeys(backup.metadata.name);
    if (await isAnothers(store, backup, signal)) {
      this.#deps.log.warn('files stay, they are of another backup', { folder: keys.folder, where: store.where });
    } else {
      await store.delete(keys.metadata, { signal });
      // Before the files that name them.
      const location = moverLocation(opened, store);
      await deleteSnapshots({ backup, location, store, deps: this.#deps, signal });
      await deleteFolder(store, keys.folder, signal);
    }
    for (const { metadata } of restores) await deleteFolder(store, restoreKeys(metadata.name).folder, signal);
  }

  /** Its files are gone, so nothing needs to keep it. */
  async #deleteRestore(restore: KubeObject, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    await deleteObject({ type: Restore, object: restore, deps, signal });
    const fresh = await this.#read(Restore, restore.metadata.name, signal);
    if (fresh === undefined || fresh.metadata.uid !== restore.metadata.uid) return;
    const left = (fresh.metadata.finalizers ?? []).filter((one) => !one.startsWith('restores.velero.io/'));
    try {
      await patchObject({ type: Restore, object: fresh, deps, signal }, { metadata: { finalizers: left } });
    } catch (error) {
      // The restore's own controller was faster.
      if (!isAppError(error, 'notFound', 'conflict')) throw error;
    }
  }

  /** All requests for the backup are fulfilled now. */
  async #finish(request: KubeObject, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    // Its own request last: as long as that exists, a restarted process comes here again.
    for (const object of [...this.#othersFor(request), request]) {
      await deleteObject({ type: DeleteBackupRequest, object, deps, signal });
    }
  }

  #othersFor(request: KubeObject): KubeObject[] {
    const name = backupOf(request);
    return [...this.#caches.deleteRequests.values()].filter(
      (one) => backupOf(one) === name && one.metadata.uid !== request.metadata.uid,
    );
  }

  async #refuse(request: KubeObject, reason: string, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    const condition = { type: 'Deleted', status: 'False', reason: 'Refused', message: reason } as const;
    const conditions = withCondition(request, condition, deps.clock.now());
    const write = { type: DeleteBackupRequest, object: request, deps, signal };
    await patchStatus(write, { phase: 'Processed', errors: [`backup deletion failed: ${reason}`], conditions });
    // Only the newest of several attempts counts, and `velero backup describe` shows no other.
    const earlier = this.#othersFor(request).filter((one) => textAt(one, 'status', 'phase') === 'Processed');
    for (const object of earlier) await deleteObject({ type: DeleteBackupRequest, object, deps, signal });
    deps.metrics.add('velero_backup_deletion_failure_total', { schedule: '' });
    const about = aboutObject(DeleteBackupRequest, request);
    deps.events.record({ type: 'Warning', reason: 'DeletionRefused', message: reason, about });
  }

  async #wait(request: KubeObject, reason: string, message: string, signal: AbortSignal): Promise<ReconcileResult> {
    const deps = this.#deps;
    const conditions = withCondition(request, { type: 'Waiting', status: 'True', reason, message }, deps.clock.now());
    const phase: JsonObject = textAt(request, 'status', 'phase') === undefined ? { phase: 'New' } : {};
    await patchStatus({ type: DeleteBackupRequest, object: request, deps, signal }, { ...phase, conditions });
    return { requeueAfterMs: READER_WAIT_MS };
  }

  async #tellFailure(request: KubeObject, message: string, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    const condition = { type: 'Waiting', status: 'True', reason: 'StoreFailed', message } as const;
    const fresh = (await this.#read(DeleteBackupRequest, request.metadata.name, signal)) ?? request;
    await patchStatus(
      { type: DeleteBackupRequest, object: fresh, deps, signal },
      { errors: [boundedText(message)], conditions: withCondition(fresh, condition, deps.clock.now()) },
    );
    deps.log.warn('deletion waits for the store', { backup: backupOf(request), err: message });
    const about = aboutObject(DeleteBackupRequest, request);
    deps.events.record({ type: 'Warning', reason: 'DeletionWaits', message, about });
  }

  async #keepForADay(request: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const deps = this.#deps;
    const leftMs = Date.parse(textAt(request, 'metadata', 'creationTimestamp') ?? '') + KEPT_MS - deps.clock.now();
    if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, LONGEST_WAIT_MS) };
    await deleteObject({ type: DeleteBackupRequest, object: request, deps, signal });
    return 'done';
  }

  async #restoresOf(backup: string, signal: AbortSignal): Promise<KubeObject[]> {
    const found: KubeObject[] = [];
    const { kube, namespace } = this.#deps;
    // Bypass the cache, which may not contain a restore that has just begun.
    for await (const page of kube.list({ type: Restore, namespace }, { signal })) {
      if (page.restarted) found.length = 0;
      for (const one of page.items) if (textAt(one, 'spec', 'backupName') === backup) found.push(one);
    }
    return found;
  }

  async #read(
    type: typeof Backup | typeof BackupStorageLocation | typeof DeleteBackupRequest | typeof Restore,
    name: string,
    signal: AbortSignal,
  ): Promise<KubeObject | undefined> {
    if (name === '') return undefined;
    return await readObject({ type, namespace: this.#deps.namespace, name }, this.#deps, signal);
  }
}

/**
 * Whether the files under a backup's name belong to another cluster's backup, which was never imported here. An
 * imported backup has another uid than its file, but the same start time.
 */
async function isAnothers(store: Store, backup: KubeObject, signal: AbortSignal): Promise<boolean> {
  const { name, uid } = backup.metadata;
  try {
    const stored = await readMetadata(store, name, signal);
    if (stored === undefined || stored.uid === uid) return false;
    return textAt(stored.status, 'startTimestamp') !== textAt(backup, 'status', 'startTimestamp');
  } catch (error) {
    if (isAppError(error, 'invalid', 'tooLarge')) return false;
    throw error;
  }
}

export async function deleteFolder(store: Store, folder: string, signal: AbortSignal): Promise<void> {
  await abortUploads(store, folder, { signal });
  await deleteMany(store, keysBelow(store, folder, signal), { signal });
}

async function* keysBelow(store: Store, folder: string, signal: AbortSignal): AsyncGenerator<string> {
  for await (const { key } of store.list(folder, { signal })) yield key;
}

function scheduleOf(backup: KubeObject): { schedule: string } {
  return { schedule: backup.metadata.labels?.[SCHEDULE_LABEL] ?? '' };
}
