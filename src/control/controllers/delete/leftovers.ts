import { BackupStorageLocation } from '../../../api/index.ts';
import { isAppError, textAt, type AppError } from '../../../base/index.ts';
import { BACKUPS, backupKeys, exists, nameInFolder, type Store } from '../../../edge/store/index.ts';
import type { ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import { patchStatus, readObject, withCondition, withoutCondition } from '../../runtime/objects/index.ts';
import { Backup } from '../../../api/index.ts';
import type { ControlDeps } from '../ports.ts';
import { deleteFolder } from './deletion.ts';
import { backupOf } from './requests.ts';
import { serverTime } from './server-time.ts';

const KEPT_MS = 24 * 3_600_000;
const EVERY_MS = 3_600_000;
const AFTER_CHANGE_MS = 10_000;
/** Set on a location only while it is False. */
const CONDITION = 'LeftoversRemoved';

type LeftoverCaches = Pick<Caches, 'backups' | 'locations' | 'deleteRequests'>;

/**
 * Folders of backups without metadata: from an attempt that was killed for good, or from a deletion whose request is
 * gone. Nobody can restore them, and nobody else would ever remove them.
 */
export class Leftovers {
  readonly #deps: ControlDeps;
  readonly #caches: LeftoverCaches;
  readonly #lookedAt = new Map<string, number>();

  constructor(deps: ControlDeps, caches: LeftoverCaches) {
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const location = this.#caches.locations.get(key);
    if (location === undefined) {
      this.#lookedAt.delete(key);
      return 'done';
    }
    if (textAt(location, 'status', 'phase') !== 'Available') return 'done';
    if (textAt(location, 'spec', 'accessMode') === 'ReadOnly') return 'done';
    const now = this.#deps.clock.now();
    const leftMs = (this.#lookedAt.get(key) ?? now - EVERY_MS) + EVERY_MS - now;
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const parsed = BackupStorageLocation.parse(location).value;
    using opened = await this.#deps.stores.openFor(parsed, location.metadata.uid ?? '', signal);
    const { store, changed } = opened;
    let problem: AppError | undefined;
    try {
      await this.#sweep(store, AbortSignal.any([signal, changed]));
    } catch (error) {
      signal.throwIfAborted();
      if (changed.aborted) return { requeueAfterMs: AFTER_CHANGE_MS };
      // A store with an endless listing is not asked again before the next period. Other errors may pass soon.
      if (!isAppError(error, 'tooLarge')) throw error;
      problem = error;
    }
    this.#lookedAt.set(key, now);
    await this.#tell(location.metadata.name, problem, signal);
    return { requeueAfterMs: EVERY_MS };
  }

  async #tell(name: string, problem: AppError | undefined, signal: AbortSignal): Promise<void> {
    const deps = this.#deps;
    const target = { type: BackupStorageLocation, namespace: deps.namespace, name };
    const object = await readObject(target, deps, signal);
    if (object === undefined) return;
    const conditions =
      problem === undefined
        ? withoutCondition(object, CONDITION)
        : withCondition(
            object,
            { type: CONDITION, status: 'False', reason: problem.facts.reason, message: problem.message },
            deps.clock.now(),
          );
    await patchStatus({ type: BackupStorageLocation, object, deps, signal }, { conditions });
  }

  async #sweep(store: Store, signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const limit = Math.min(now, (await serverTime(this.#deps, signal)) ?? now) - KEPT_MS;
    for await (const folder of store.listPrefixes(BACKUPS, { signal })) {
      const name = nameInFolder(BACKUPS, folder);
      if (name === undefined || this.#isKnown(name)) continue;
      const keys = backupKeys(name);
      if (await exists(store, keys.metadata, { signal })) continue;
      if (!(await isOld(store, keys.folder, limit, signal))) continue;
      // Bypass the cache: an operation may have begun under this name a moment ago.
      const target = { type: Backup, namespace: this.#deps.namespace, name };
      if ((await readObject(target, this.#deps, signal)) !== undefined || !this.#deps.mayWrite()) continue;
      await deleteFolder(store, keys.folder, signal);
      this.#deps.log.info('removed a folder without a backup', { folder, where: store.where });
    }
  }

  #isKnown(name: string): boolean {
    for (const { metadata } of this.#caches.backups.values()) if (metadata.name === name) return true;
    return [...this.#caches.deleteRequests.values()].some((request) => backupOf(request) === name);
  }
}

/** True if nothing in it was written for a day or is being written: another cluster may be using it. */
async function isOld(store: Store, folder: string, limit: number, signal: AbortSignal): Promise<boolean> {
  for await (const { modified } of store.list(folder, { signal })) if (modified > limit) return false;
  for await (const { started } of store.listUploads(folder, { signal })) if (started > limit) return false;
  return true;
}
