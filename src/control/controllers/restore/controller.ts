import { Restore } from '../../../api/index.ts';
import { isAppError, messageOf, textAt } from '../../../base/index.ts';
import { CANCEL_ANNOTATION } from '../../../core/operations/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Controller, OperationPool, splitKey, type Part, type ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import { boundedText, patchStatus, readObject, toTime, withCondition } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { admit } from './admission.ts';
import { removeFiles } from './clean-up.ts';
import { settingsOf, type RestoreOptions, type RestoreSettings } from './options.ts';
import { CANCELED, DELETED } from './stops.ts';
import { performRestore } from './work.ts';
import { hasEnded } from './open-session.ts';

/** Before a restore is tried again that could not be begun. */
const RETRY_MS = 5_000;

/** Runs Restores. It watches nothing but them: whatever else it needs it reads as it is at that moment. */
export function createRestoreController(
  options: RestoreOptions,
  deps: ControlDeps,
  caches: Pick<Caches, 'restores'>,
): { parts: Part[] } {
  const controller = new RestoreController(settingsOf(options), deps, caches.restores);
  return { parts: controller.parts };
}

class RestoreController {
  readonly parts: Part[];
  readonly #settings: RestoreSettings;
  readonly #deps: ControlDeps;
  readonly #cache: Caches['restores'];
  readonly #controller: Controller;
  readonly #pool: OperationPool;
  /** By key, because an object that is gone has no uid. */
  readonly #uids = new Map<string, string>();

  constructor(settings: RestoreSettings, deps: ControlDeps, cache: Caches['restores']) {
    this.#settings = settings;
    this.#deps = deps;
    this.#cache = cache;
    this.#controller = new Controller(
      {
        name: 'restore',
        sources: [{ cache }],
        reconcile: (key, signal) => this.#reconcile(key, signal),
      },
      deps,
    );
    this.#pool = new OperationPool(
      {
        name: 'restores',
        capacity: settings.concurrent,
        // One that waits may be next, whichever it is.
        onSettled: () => {
          for (const key of this.#pendingKeys()) this.#controller.enqueue(key);
        },
      },
      deps,
    );
    this.parts = [this.#pool, this.#controller];
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const object = this.#cache.get(key);
    const uid = object?.metadata.uid ?? '';
    const before = this.#uids.get(key);
    if (before !== undefined && before !== uid) {
      this.#pool.cancel(before, DELETED);
      this.#uids.delete(key);
    }
    if (object === undefined) return 'done';
    if (object.metadata.deletionTimestamp !== undefined) return await this.#delete(object, signal);
    if (hasEnded(object)) return 'done';
    if (object.metadata.annotations?.[CANCEL_ANNOTATION] === 'true') return await this.#cancel(key, object, signal);
    if (!isNew(object)) return this.#start(key, uid);
    const admitted = await admit(object, { ...this.#deps, settings: this.#settings, cache: this.#cache }, signal);
    if (admitted === 'start') return this.#start(key, uid);
    return admitted;
  }

  #start(key: string, uid: string): ReconcileResult {
    this.#uids.set(key, uid);
    const result = this.#pool.start(uid, (signal) => this.#work(key, uid, signal));
    return result === 'full' ? { requeueAfterMs: 1000 } : 'done';
  }

  async #work(key: string, uid: string, signal: AbortSignal): Promise<void> {
    const { namespace = this.#deps.namespace, name } = splitKey(key);
    // The cache may still show a restore as running that has just ended. One that is canceled is read as well, to end it.
    const object = await readObject({ type: Restore, namespace, name }, this.#deps, this.#deps.term());
    if (object === undefined || object.metadata.uid !== uid || hasEnded(object)) return;
    try {
      await performRestore(object, this.#deps, this.#settings, signal);
    } catch (error) {
      signal.throwIfAborted();
      await this.#giveUp(object, error, signal);
    }
  }

  /** It could not even begin: somebody made its spec unreadable, or the disk is full. */
  async #giveUp(object: KubeObject, error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    log.error('restore cannot be worked on', { restore: object.metadata.name, err: messageOf(error) });
    if (isAppError(error, 'invalid')) {
      const failureReason = boundedText(error.message);
      const ending = { phase: 'Failed', failureReason, completionTimestamp: toTime(clock.now()) };
      await patchStatus({ type: Restore, object, deps: this.#deps, signal }, ending);
    } else await clock.sleep(RETRY_MS, signal);
  }

  async #cancel(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const uid = object.metadata.uid ?? '';
    if (this.#pool.cancel(uid, CANCELED)) return 'done';
    // One that another process began may have left things behind that its log tells of.
    if (!isNew(object)) {
      this.#start(key, uid);
      this.#pool.cancel(uid, CANCELED);
      return 'done';
    }
    const now = this.#deps.clock.now();
    const change = { type: 'Canceled', status: 'True', reason: 'Canceled', message: CANCELED.message } as const;
    await patchStatus(
      { type: Restore, object, deps: this.#deps, signal },
      {
        phase: 'Failed',
        failureReason: 'canceled',
        completionTimestamp: toTime(now),
        conditions: withCondition(object, change, now),
      },
    );
    return 'done';
  }

  async #delete(object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const uid = object.metadata.uid ?? '';
    this.#pool.cancel(uid, DELETED);
    // `onSettled` comes back for it.
    if (this.#pool.has(uid)) return { requeueAfterMs: 1000 };
    await removeFiles(object, this.#deps, signal);
    return 'done';
  }

  #pendingKeys(): string[] {
    return [...this.#cache.values()]
      .filter((object) => object.metadata.deletionTimestamp !== undefined || !hasEnded(object))
      .map(({ metadata }) =>
        metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`,
      );
  }
}

function isNew(object: KubeObject): boolean {
  return (textAt(object, 'status', 'phase') ?? 'New') === 'New';
}
