import { Backup, BackupStorageLocation } from '../../../api/index.ts';
import {
  isAppError,
  objectsAt,
  stringifyJson,
  textAt,
  textsAt,
  toAppError,
  type AppError,
  type JsonObject,
} from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, splitKey, type ConditionChange, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import { dueInMs, periodMs } from '../location/decide-location.ts';
import {
  aboutObject,
  deleteObject,
  patchObject,
  patchStatus,
  readObject,
  toTime,
} from '../../runtime/objects/index.ts';
import { withCondition, withoutCondition } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { belongsTo, passOver, type PassResult } from './location-pass.ts';
import { MissingBackups } from './missing-backups.ts';
import type { Problems } from './problems.ts';

export interface SyncOptions {
  /** How long a location must be gone before its Backup objects are removed. Default 10 s. */
  orphanGraceMs?: number;
}

/** On a location: allows one pass to remove more than half of its Backup objects. */
const REMOVE_MANY = 'headway.io/remove-missing-backups';
const ORPHAN_GRACE_MS = 10_000;
const LONGEST_WAIT_MS = 60_000;
const AFTER_FAILURE_MS = 10_000;
/** An endless listing costs a pass of maximum length each time. */
const SET_ASIDE_MS = 10 * 60_000;
// A location with many new backups takes long, and must not block the others.
const WORKERS = 4;
const MAX_LOGGED = 20;
const DEADLINE_MS = 15 * 60_000;

type SyncCaches = Pick<Caches, 'backups' | 'locations' | 'deleteRequests'>;

export function createSyncController(options: SyncOptions, deps: ControlDeps, caches: Caches): Part {
  const sync = new Sync(options, deps, caches);
  return new Controller(
    {
      name: 'sync',
      workers: WORKERS,
      deadlineMs: DEADLINE_MS,
      sources: [
        { cache: caches.locations },
        {
          cache: caches.backups,
          // Only to find backups whose location is already gone when this process starts.
          keysOf: ({ type, object }) => {
            const location = textAt(object, 'spec', 'storageLocation');
            return type === 'added' && location !== undefined ? [`${deps.namespace}/${location}`] : [];
          },
        },
      ],
      reconcile: async (key, signal) => await sync.reconcile(key, signal),
    },
    deps,
  );
}

/** Exported for its tests, which control the clock. */
export class Sync {
  readonly #options: SyncOptions;
  readonly #deps: ControlDeps;
  readonly #caches: SyncCaches;
  readonly #missing = new MissingBackups();
  readonly #volumesSeen = new Set<string>();
  /** Since when a location that backups name has been missing. */
  readonly #goneSince = new Map<string, number>();
  /** Locations that are not checked for a while, unless they change. */
  readonly #setAside = new Map<string, { spec: string; until: number }>();

  constructor(options: SyncOptions, deps: ControlDeps, caches: SyncCaches) {
    this.#options = options;
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const location = this.#caches.locations.get(key);
    if (location === undefined) {
      const { name } = splitKey(key);
      this.#setAside.delete(name);
      return await this.#removeOrphans(name, signal);
    }
    this.#goneSince.delete(location.metadata.name);
    if (textAt(location, 'status', 'phase') !== 'Available') return 'done';
    const everyMs = periodMs(textAt(location, 'spec', 'backupSyncPeriod'));
    if (everyMs === 0) return 'done';
    const now = this.#deps.clock.now();
    const dueMs = dueInMs(textAt(location, 'status', 'lastSyncedTime'), everyMs, now) ?? 0;
    const waitMs = Math.max(dueMs, this.#asideMs(location, now));
    if (waitMs > 0) return { requeueAfterMs: Math.min(waitMs, LONGEST_WAIT_MS) };
    return await this.#sync(location, everyMs, signal);
  }

  #asideMs(location: KubeObject, now: number): number {
    const aside = this.#setAside.get(location.metadata.name);
    return aside?.spec === stringifyJson(location['spec'] ?? {}) ? aside.until - now : 0;
  }

  async #sync(location: KubeObject, everyMs: number, signal: AbortSignal): Promise<ReconcileResult> {
    const deps = this.#deps;
    let changed: AbortSignal | undefined;
    try {
      const parsed = BackupStorageLocation.parse(location).value;
      using opened = await deps.stores.openFor(parsed, location.metadata.uid ?? '', signal);
      const { store } = opened;
      changed = opened.changed;
      const mayRemoveMany = textsAt(location, 'metadata', 'annotations')[REMOVE_MANY] === 'true';
      const pass = {
        deps,
        caches: this.#caches,
        missing: this.#missing,
        volumesSeen: this.#volumesSeen,
        signal: AbortSignal.any([signal, changed]),
      };
      const result = await passOver({ location, store, everyMs, mayRemoveMany }, pass);
      await this.#tell(await this.#fresh(location, signal), result, { mayRemoveMany, signal });
      return { requeueAfterMs: Math.min(everyMs, LONGEST_WAIT_MS) };
    } catch (error) {
      signal.throwIfAborted();
      // The changed or deleted location is handled when it is reconciled next.
      if (changed?.aborted === true) return { requeueAfterMs: AFTER_FAILURE_MS };
      if (!isAppError(error) || isAppError(error, 'conflict')) throw error;
      if (isAppError(error, 'tooLarge')) {
        const until = deps.clock.now() + SET_ASIDE_MS;
        this.#setAside.set(location.metadata.name, { spec: stringifyJson(location['spec'] ?? {}), until });
      }
      await this.#tellFailure(await this.#fresh(location, signal), toAppError(error), signal);
      return { requeueAfterMs: AFTER_FAILURE_MS };
    }
  }

  /** Rereads the location: a pass may take minutes, during which others write to it. */
  async #fresh(location: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { name } = location.metadata;
    const target = { type: BackupStorageLocation, namespace: this.#deps.namespace, name };
    return (await readObject(target, this.#deps, signal)) ?? location;
  }

  async #tell(
    location: KubeObject,
    result: PassResult,
    { mayRemoveMany, signal }: { mayRemoveMany: boolean; signal: AbortSignal },
  ): Promise<void> {
    const { clock, log } = this.#deps;
    const { held, problems, imported, removed } = result;
    const synced = withCondition(location, syncedCondition(problems), clock.now());
    const told = { ...location, status: { conditions: synced } };
    const conditions =
      held === undefined
        ? withoutCondition(told, 'RemovalHeld')
        : withCondition(told, heldCondition(held), clock.now());
    const status: JsonObject = { lastSyncedTime: toTime(clock.now()), conditions };
    const write = { type: BackupStorageLocation, object: location, deps: this.#deps, signal };
    // The permission to remove many is for one pass only.
    if (mayRemoveMany && removed.length > 0) {
      await patchObject(write, { metadata: { annotations: { [REMOVE_MANY]: null } }, status });
    } else await patchStatus(write, status);
    if (imported.length > 0) {
      log.info('imported backups', {
        location: location.metadata.name,
        imported: imported.slice(0, MAX_LOGGED),
        count: imported.length,
      });
    }
    if (held !== undefined) this.#warn(location, heldCondition(held));
    if (problems.count > 0) this.#warn(location, syncedCondition(problems));
  }

  /** Once, not at every pass that finds the same. */
  #warn(location: KubeObject, { type, reason, message }: ConditionChange): void {
    const isKnown = objectsAt(location, 'status', 'conditions').some(
      (known) => known['type'] === type && known['message'] === message,
    );
    if (isKnown) return;
    const about = aboutObject(BackupStorageLocation, location);
    this.#deps.events.record({ type: 'Warning', reason, message, about });
  }

  async #tellFailure(location: KubeObject, error: AppError, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    const condition = { type: 'Synced', status: 'False', reason: error.facts.reason, message: error.message } as const;
    log.warn('sync failed', { location: location.metadata.name, err: error.message });
    await patchStatus(
      { type: BackupStorageLocation, object: location, deps: this.#deps, signal },
      { conditions: withCondition(location, condition, clock.now()) },
    );
    this.#warn(location, { ...condition, reason: 'SyncFailed' });
  }

  /** Deleting a location removes its Backup objects, never its data. */
  async #removeOrphans(location: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { namespace, clock, log } = this.#deps;
    const orphans = [...this.#caches.backups.values()].filter((backup) => belongsTo(backup, location));
    if (orphans.length === 0) {
      this.#goneSince.delete(location);
      return 'done';
    }
    const since = this.#goneSince.get(location) ?? clock.now();
    this.#goneSince.set(location, since);
    // A location that is being replaced is gone for a moment.
    const leftMs = since + (this.#options.orphanGraceMs ?? ORPHAN_GRACE_MS) - clock.now();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    const found = await readObject({ type: BackupStorageLocation, namespace, name: location }, this.#deps, signal);
    if (found !== undefined) return { requeueAfterMs: AFTER_FAILURE_MS };
    for (const object of orphans) await deleteObject({ type: Backup, object, deps: this.#deps, signal });
    this.#goneSince.delete(location);
    log.info('removed the Backup objects of a deleted location', { location, backups: orphans.length });
    return 'done';
  }
}

function syncedCondition(problems: Problems): ConditionChange {
  if (problems.count === 0) {
    return { type: 'Synced', status: 'True', reason: 'Synced', message: 'all backups in the store are in the cluster' };
  }
  return {
    type: 'Synced',
    status: 'False',
    reason: 'UnreadableBackups',
    message: `not imported: ${problems.toString()}`,
  };
}

function heldCondition({ gone, all }: { gone: number; all: number }): ConditionChange {
  const message =
    `${gone} of ${all} backups are gone from the store, more than half, so no Backup object was removed; ` +
    `if that is right, annotate the location with ${REMOVE_MANY}=true`;
  return { type: 'RemovalHeld', status: 'True', reason: 'MoreThanHalfMissing', message };
}
