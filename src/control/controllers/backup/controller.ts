import { Backup, type BackupSpec } from '../../../api/index.ts';
import {
  AppError,
  createMergePatch,
  isAppError,
  messageOf,
  objectAt,
  textsAt,
  type JsonObject,
} from '../../../base/index.ts';
import {
  expirationOf,
  FORMAT_VERSION,
  isEnded,
  VELERO_DEFAULTS,
  type BackupDefaults,
} from '../../../core/backup/index.ts';
import { CANCEL_ANNOTATION } from '../../../core/operations/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import {
  Controller,
  OperationPool,
  type CacheChange,
  type ObjectCache,
  type Part,
  type ReconcileResult,
} from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import {
  boundedProblems,
  boundedText,
  patchObject,
  patchStatus,
  toTime,
  withCondition,
  withoutCondition,
} from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { announceRefusal, announceStart } from './announce.ts';
import { placeInQueue, positionFor } from './queue.ts';
import { metadataOf, prepareBackup } from './prepare.ts';
import { runBackup } from './run-backup.ts';
import { attemptOf, phaseOf } from './status.ts';
import { stopReason } from './stop-reason.ts';

export interface BackupOptions {
  /** Backups at the same time; those of the same namespaces wait for each other in any case. Default 1, as Velero. */
  concurrentBackups?: number;
  defaults?: Partial<BackupDefaults>;
}

/** A backup that was begun so often and never ended may be what ends the process. */
const MAX_ATTEMPTS = 10;
const NEVER_ENDED = `the backup was begun ${String(MAX_ATTEMPTS)} times and never ended; the process may run out of memory or disk with it`;
/** Before one is begun anew that could not be worked on. */
const RETRY_MS = 5_000;
/** Before a backup is looked at again whose name another one has that is being stopped. */
const STOPPING_MS = 500;

/** Runs Backups. It watches nothing but them: whatever else it needs it reads as it is at that moment. */
export function createBackupController(
  options: BackupOptions,
  deps: ControlDeps,
  caches: Pick<Caches, 'backups'>,
): { parts: Part[] } {
  return { parts: new BackupController(options, deps, caches.backups).parts };
}

class BackupController {
  readonly parts: Part[];
  readonly #concurrent: number;
  readonly #defaults: BackupDefaults;
  readonly #deps: ControlDeps;
  readonly #cache: ObjectCache;
  readonly #pool: OperationPool;
  /** By key, because an object that is gone has no uid. */
  readonly #uids = new Map<string, string>();
  /** Those whose work threw, which only a new attempt can mend. */
  readonly #crashed = new Set<string>();

  constructor(options: BackupOptions, deps: ControlDeps, cache: ObjectCache) {
    this.#concurrent = options.concurrentBackups ?? 1;
    this.#defaults = { ...VELERO_DEFAULTS, ...options.defaults };
    this.#deps = deps;
    this.#cache = cache;
    const onSettled = (uid: string): void => {
      if (!this.#crashed.delete(uid)) return;
      for (const [key, of] of this.#uids) if (of === uid) controller.enqueue(key);
    };
    this.#pool = new OperationPool({ name: 'backups', capacity: this.#concurrent, onSettled }, deps);
    const controller = new Controller(
      {
        name: 'backup',
        sources: [{ cache, keysOf: (change) => this.#keysOf(change) }],
        reconcile: (key, signal) => this.#reconcile(key, signal),
      },
      deps,
    );
    this.parts = [this.#pool, controller];
  }

  /** When one moves on, those that are queued may have become next. */
  #keysOf(change: CacheChange): string[] {
    const hasMoved =
      change.type === 'deleted' || (change.type === 'updated' && phaseOf(change.previous) !== phaseOf(change.object));
    if (!hasMoved) return [change.key];
    const queued = [...this.#cache.values()].filter((backup) => phaseOf(backup) === 'Queued');
    return [change.key, ...queued.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)];
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const object = this.#cache.get(key);
    // It removes its files first, which have the same names.
    if (this.#stopsAnother(key, object?.metadata.uid)) return { requeueAfterMs: STOPPING_MS };
    if (object === undefined || isEnded(phaseOf(object))) return 'done';
    const uid = object.metadata.uid ?? '';
    if (object.metadata.deletionTimestamp !== undefined) {
      this.#pool.cancel(uid, stopReason('deleted'));
      return 'done';
    }
    if (textsAt(object, 'metadata', 'annotations')[CANCEL_ANNOTATION] === 'true')
      return this.#cancel(key, object, signal);
    if (this.#pool.has(uid)) return 'done';
    switch (phaseOf(object)) {
      case undefined:
      case 'New':
        return await this.#admit(object, signal);
      case 'Queued':
        return await this.#advance(object, signal);
      default:
        return await this.#begin(key, object, signal);
    }
  }

  /** The same name may stand for another backup by now. True while the one before is not over. */
  #stopsAnother(key: string, uid: string | undefined): boolean {
    const before = this.#uids.get(key);
    if (before === undefined || before === uid) return false;
    this.#pool.cancel(before, stopReason('deleted'));
    if (this.#pool.has(before)) return true;
    this.#uids.delete(key);
    return false;
  }

  /** Fills in what the user left open and checks everything at once. */
  async #admit(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { kube, namespace } = this.#deps;
    const { spec, problems } = await prepareBackup(kube, object, { namespace, defaults: this.#defaults, signal });
    const filled = createMergePatch(objectAt(object, 'spec'), { ...objectAt(object, 'spec'), ...(spec as JsonObject) });
    // Also on one that is refused, as Velero does: it is found by its location, and goes when its time is over.
    const change = {
      metadata: await metadataOf(kube, spec, signal),
      ...(filled === undefined ? {} : { spec: filled }),
    };
    const write = this.#write(object, signal);
    if (problems.length > 0) {
      const status = { ...this.#born(spec), phase: 'FailedValidation', validationErrors: boundedProblems(problems) };
      await patchObject(write, { ...change, status });
      announceRefusal(object, problems, this.#deps);
      return 'done';
    }
    await patchObject(write, { ...change, status: { phase: 'Queued', queuePosition: positionFor(this.#cache) } });
    return 'done';
  }

  async #advance(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const place = await placeInQueue(object, this.#cache, { ...this.#deps, concurrent: this.#concurrent, signal });
    const write = this.#write(object, signal);
    if (place === 'start') {
      const conditions = withoutCondition(object, 'Queued');
      await patchStatus(write, { phase: 'ReadyToStart', queuePosition: null, conditions });
      return 'done';
    }
    const change = { type: 'Queued', status: 'True', reason: 'Waiting', message: place.reason } as const;
    const conditions = withCondition(object, change, this.#deps.clock.now());
    await patchStatus(write, { queuePosition: place.position, conditions });
    return 'done';
  }

  /** Also for one that another process began and did not end. */
  async #begin(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const attempt = attemptOf(object) + 1;
    const now = this.#deps.clock.now();
    if (attempt > MAX_ATTEMPTS) return await this.#fail(object, NEVER_ENDED, signal);
    let spec: BackupSpec;
    try {
      spec = Backup.parse(object).value.spec;
    } catch (error) {
      if (!isAppError(error, 'invalid')) throw error;
      return await this.#fail(object, error.message, signal);
    }
    const status = objectAt(object, 'status');
    const begun = await patchObject(this.#write(object, signal), {
      status: {
        attempt,
        phase: 'InProgress',
        startTimestamp: status['startTimestamp'] ?? toTime(now),
        ...this.#born(spec),
        ...('expiration' in status ? { expiration: status['expiration'] } : {}),
      },
    });
    const uid = begun.metadata.uid ?? '';
    this.#uids.set(key, uid);
    const result = this.#pool.start(uid, (stop) => this.#work(begun, stop));
    if (result === 'full') throw new AppError('throttled', `backup ${key} waits for others, and too many do`);
    if (result === 'running' || result === 'waiting') announceStart(begun, attempt, this.#deps);
    return 'done';
  }

  async #work(backup: KubeObject, stop: AbortSignal): Promise<void> {
    try {
      await runBackup(backup, this.#deps, stop);
    } catch (error) {
      const { clock, log } = this.#deps;
      const { name, uid = '' } = backup.metadata;
      log.error('backup cannot be worked on', { backup: name, err: messageOf(error) });
      // Such as a full disk; the next attempt is another one, and they are counted.
      this.#crashed.add(uid);
      await clock.sleep(RETRY_MS, stop);
    }
  }

  #born(spec: BackupSpec): JsonObject {
    const expiration = expirationOf(this.#deps.clock.now(), spec, this.#defaults);
    return { version: 1, formatVersion: FORMAT_VERSION, expiration };
  }

  async #fail(object: KubeObject, failureReason: string, signal: AbortSignal): Promise<ReconcileResult> {
    const completionTimestamp = toTime(this.#deps.clock.now());
    const status = { phase: 'Failed', failureReason: boundedText(failureReason), completionTimestamp };
    await patchStatus(this.#write(object, signal), status);
    return 'done';
  }

  async #cancel(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const uid = object.metadata.uid ?? '';
    if (this.#pool.cancel(uid, stopReason('canceled'))) return 'done';
    // One that another process began may have left an upload and frozen pods behind.
    if (attemptOf(object) > 0) {
      await this.#begin(key, object, signal);
      this.#pool.cancel(uid, stopReason('canceled'));
      return 'done';
    }
    const now = this.#deps.clock.now();
    const message = 'it was canceled on request before it began';
    const change = { type: 'Canceled', status: 'True', reason: 'Canceled', message } as const;
    await patchStatus(this.#write(object, signal), {
      phase: 'Failed',
      failureReason: 'canceled',
      completionTimestamp: toTime(now),
      queuePosition: null,
      conditions: withCondition(object, change, now),
    });
    return 'done';
  }

  #write(object: KubeObject, signal: AbortSignal): Parameters<typeof patchObject>[0] {
    return { type: Backup, object, deps: this.#deps, signal };
  }
}
