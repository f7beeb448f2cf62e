import {
  AppError,
  backoffMs,
  isAppError,
  messageOf,
  objectAt,
  textsAt,
  type Backoff,
  type JsonObject,
} from '../../base/index.ts';
import { CANCEL_ANNOTATION } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import {
  Controller,
  OperationPool,
  type CacheChange,
  type ObjectCache,
  type Part,
  type ReconcileResult,
} from '../runtime/index.ts';
import {
  boundedProblems,
  boundedText,
  patchObject,
  patchStatus,
  withCondition,
  withoutCondition,
} from '../runtime/objects/index.ts';
import { announceEnd, announceRefusal, announceStart } from './announce.ts';
import type { OperationDeps } from './operation.ts';
import type { Admission, OperationKind, Pending } from './operation-kind.ts';
import { afterFailure, nextAttempt, recoveryFields, recoveryOf, type Recovery } from './recovery.ts';
import { runOperation } from './run-operation.ts';
import { stopReason } from './stop.ts';

/** Delay before retrying an operation that could not be started. */
const RETRY: Backoff = { baseMs: 5_000, maxMs: 5 * 60_000 };
/** Delay before checking an object again while an earlier one of the same name is still being stopped. */
const STOPPING_MS = 500;
/** How long a waiting object is left alone; the end of another one wakes it earlier. */
const RECHECK_MS = 10_000;
/** Interval between attempts to clear what an ended operation left behind. */
const LEFTOVERS_MS = 60_000;
const NO_CHANGE: Admission['change'] = {};

/** The life cycle of every object of one kind, from its creation: admit, queue, begin, cancel, delete, resume. */
export class OperationController {
  readonly parts: Part[];
  readonly #kind: OperationKind;
  readonly #deps: OperationDeps;
  readonly #cache: ObjectCache;
  readonly #pool: OperationPool;
  readonly #controller: Controller;
  /** By key, because a deleted object is only known by its key. */
  readonly #uids = new Map<string, string>();

  constructor(kind: OperationKind, deps: OperationDeps, cache: ObjectCache) {
    this.#kind = kind;
    this.#deps = deps;
    this.#cache = cache;
    const { noun } = kind;
    const onSettled = (): void => {
      for (const key of this.#keysToWake()) this.#controller.enqueue(key);
    };
    this.#pool = new OperationPool({ name: `${noun}s`, capacity: kind.capacity, onSettled }, deps);
    this.#controller = new Controller(
      {
        name: noun,
        sources: [{ cache, keysOf: (change) => this.#keysOf(change) }],
        reconcile: (key, signal) => this.#reconcile(key, signal),
        ...(kind.workers === undefined ? {} : { workers: kind.workers }),
      },
      deps,
    );
    this.parts = [this.#pool, this.#controller];
  }

  /** When one object changes its standing, it may be the turn of one that waits. */
  #keysOf(change: CacheChange): string[] {
    const hasNewStanding =
      change.type === 'deleted' ||
      (change.type === 'updated' && this.#kind.standingOf(change.previous) !== this.#kind.standingOf(change.object));
    return hasNewStanding ? [change.key, ...this.#keysToWake()] : [change.key];
  }

  /** Leftovers of ended operations are retried by the clock: the end of one attempt must not start the next. */
  #keysToWake(): string[] {
    return [...this.#cache.values()]
      .filter((object) => this.#kind.standingOf(object) !== 'ended' && object.metadata.deletionTimestamp === undefined)
      .filter((object) => !this.#pool.has(object.metadata.uid ?? ''))
      .map(keyOf);
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const object = this.#cache.get(key);
    if (await this.#isStoppingAnother(key, object?.metadata.uid)) return { requeueAfterMs: STOPPING_MS };
    if (object === undefined) return 'done';
    const uid = object.metadata.uid ?? '';
    if (object.metadata.deletionTimestamp !== undefined) return await this.#delete(key, object, signal);
    const standing = this.#kind.standingOf(object);
    if (standing === 'ended') return this.#clearLeftovers(object);
    if (textsAt(object, 'metadata', 'annotations')[CANCEL_ANNOTATION] === 'true') {
      return await this.#cancel(key, object, signal);
    }
    if (this.#pool.has(uid)) return 'done';
    if (standing === 'begun') return await this.#begin(key, object, {}, signal);
    if (standing === 'queued') return await this.#beginIfTurn(key, object, NO_CHANGE, signal);
    return await this.#admit(key, object, signal);
  }

  /** The name may belong to another object by now. True while the earlier one is still being stopped. */
  async #isStoppingAnother(key: string, uid: string | undefined): Promise<boolean> {
    const before = this.#uids.get(key);
    if (before === undefined || before === uid) return false;
    this.#pool.cancel(before, stopReason(this.#kind.noun, 'deleted'));
    if (this.#pool.has(before)) return true;
    this.#uids.delete(key);
    await this.#deps.logs.forget(before);
    return false;
  }

  async #admit(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const admission = await this.#validate(object, signal);
    if (admission.lookAgainMs !== undefined) return { requeueAfterMs: admission.lookAgainMs };
    if (admission.problems.length > 0) return await this.#refuse(object, admission, signal);
    const { change } = admission;
    const queued = this.#kind.queued?.();
    if (queued === undefined) return await this.#beginIfTurn(key, object, change, signal);
    await this.#write(object, signal, { ...change, status: { ...change.status, ...queued } });
    return 'done';
  }

  /** Every object that can be created gets an answer, even one for which no valid request can be made. */
  async #validate(object: KubeObject, signal: AbortSignal): Promise<Admission> {
    try {
      return await this.#kind.admit(object, signal);
    } catch (error) {
      if (!isFaultOfUser(error)) throw error;
      return { change: NO_CHANGE, problems: [error.message] };
    }
  }

  async #refuse(object: KubeObject, admission: Admission, signal: AbortSignal): Promise<ReconcileResult> {
    const problems = boundedProblems(admission.problems);
    const conditions = withoutCondition(object, this.#kind.waiting.type);
    const status = { ...this.#kind.refused(admission, problems), conditions };
    try {
      await this.#write(object, signal, { ...admission.change, status });
    } catch (error) {
      // The filled-in fields may be what makes the write invalid, so write the status alone.
      if (!isFaultOfUser(error)) throw error;
      await this.#write(object, signal, { status });
    }
    announceRefusal(this.#kind, object, problems, this.#deps);
    return 'done';
  }

  /** Begins it if it is its turn, else waits. */
  async #beginIfTurn(
    key: string,
    object: KubeObject,
    change: Admission['change'],
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const turn = await this.#kind.turnOf(object, this.#pending(), signal);
    if (turn === 'begin') return await this.#begin(key, object, { change }, signal);
    return await this.#wait(object, turn.reason, turn.status ?? {}, signal);
  }

  async #wait(object: KubeObject, message: string, status: JsonObject, signal: AbortSignal): Promise<ReconcileResult> {
    const condition = { ...this.#kind.waiting, status: 'True', message } as const;
    const conditions = withCondition(object, condition, this.#deps.clock.now());
    await patchStatus(this.#target(object, signal), { ...status, conditions });
    return { requeueAfterMs: RECHECK_MS };
  }

  #pending(): Pending[] {
    return [...this.#cache.values()]
      .filter((object) => this.#kind.standingOf(object) !== 'ended')
      .map((object) => ({
        object,
        isRunning: this.#kind.standingOf(object) === 'begun' || this.#pool.has(object.metadata.uid ?? ''),
      }));
  }

  /** Also for an operation that another process began and did not end. */
  async #begin(
    key: string,
    object: KubeObject,
    { change = NO_CHANGE, isOnlyToEnd = false }: { change?: Admission['change']; isOnlyToEnd?: boolean },
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { noun, waiting, capacity } = this.#kind;
    const status = objectAt(object, 'status');
    const next = nextAttempt(recoveryOf(status), this.#kind.reportOf(object), noun);
    if (next.kind === 'giveUp') return await this.#fail(object, next.reason, signal);
    if (!this.#pool.hasRoom && !isOnlyToEnd) {
      return await this.#wait(object, `${capacity} ${noun}s are running`, {}, signal);
    }
    const begun = await this.#write(object, signal, {
      ...change,
      status: {
        ...change.status,
        ...this.#kind.begun(object, this.#deps.clock.now()),
        ...recoveryFields(next.recovery),
        conditions: withoutCondition(object, waiting.type),
      },
    });
    const uid = begun.metadata.uid ?? '';
    this.#uids.set(key, uid);
    const result = this.#pool.start(uid, (stop) => this.#work(begun, next.recovery, stop));
    if (result === 'full') throw new AppError('throttled', `${noun} ${key} waits for others, and too many do`);
    if (result === 'running' || result === 'waiting') {
      announceStart(this.#kind, begun, next.recovery.attempt, this.#deps);
    }
    return 'done';
  }

  async #work(object: KubeObject, recovery: Recovery, stop: AbortSignal): Promise<void> {
    try {
      await runOperation(this.#kind, object, this.#deps, stop);
    } catch (error) {
      const { clock, log, random } = this.#deps;
      const { name } = object.metadata;
      log.error(`${this.#kind.noun} cannot be worked on`, { name, err: messageOf(error) });
      const signal = this.#deps.term();
      if (isAppError(error, 'invalid')) {
        await this.#fail(object, error.message, signal);
        return;
      }
      const failed = afterFailure(recovery, boundedText(messageOf(error)));
      await patchStatus(this.#target(object, signal), recoveryFields(failed));
      await clock.sleep(backoffMs(failed.failed, RETRY, random()), stop);
    }
  }

  async #fail(object: KubeObject, reason: string, signal: AbortSignal): Promise<ReconcileResult> {
    await this.#end(object, { state: 'failed', reason: boundedText(reason) }, signal);
    return 'done';
  }

  async #cancel(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const uid = object.metadata.uid ?? '';
    const reason = stopReason(this.#kind.noun, 'canceled');
    if (this.#pool.cancel(uid, reason)) return 'done';
    // An operation that another process began may have left things behind.
    if (this.#kind.standingOf(object) === 'begun') {
      const result = await this.#begin(key, object, { isOnlyToEnd: true }, signal);
      this.#pool.cancel(uid, reason);
      return result;
    }
    const message = 'it was canceled on request before it began';
    const condition = { type: 'Canceled', status: 'True', reason: 'Canceled', message } as const;
    const conditions = withCondition(object, condition, this.#deps.clock.now());
    await this.#end(object, { state: 'canceled', reason: 'canceled', status: { conditions } }, signal);
    return 'done';
  }

  /** Deletion waits for a finalizer that the work removes, or whoever clears what it left. */
  async #delete(key: string, object: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { endsDeleted = false, leftovers, noun } = this.#kind;
    const uid = object.metadata.uid ?? '';
    const reason = stopReason(noun, 'deleted');
    const isRunning = this.#pool.cancel(uid, reason) || this.#pool.has(uid);
    const isUnfinished = this.#kind.standingOf(object) === 'begun' && leftovers?.has(object) === true;
    if (isRunning || !endsDeleted || !isUnfinished) return this.#clearLeftovers(object);
    const result = await this.#begin(key, object, { isOnlyToEnd: true }, signal);
    this.#pool.cancel(uid, reason);
    return result;
  }

  async #end(object: KubeObject, ending: Parameters<OperationKind['ended']>[0], signal: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const left = this.#kind.leftovers?.conditionOf?.(object);
    const ended = left === undefined ? object : { ...object, status: { conditions: withCondition(object, left, now) } };
    const conditions = withoutCondition(ended, this.#kind.waiting.type);
    const status = {
      ...this.#kind.ended(ending, now),
      ...this.#kind.abandoned?.(object, ending, now),
      recovery: null,
      // What a process reported before it died is not true of an operation that has ended.
      waits: null,
      conditions: conditions.filter(({ type }) => type !== 'Stalled'),
      ...ending.status,
    };
    await patchStatus(this.#target(object, signal), status);
    announceEnd(this.#kind, object, { ending }, this.#deps);
  }

  /** Runs in the pool, because it may take longer than a reconcile; it does not count against the capacity. */
  #clearLeftovers(object: KubeObject): ReconcileResult {
    const { leftovers, noun } = this.#kind;
    const { uid = '', name } = object.metadata;
    if (leftovers?.has(object) !== true) return 'done';
    // The running work clears them itself.
    if (this.#pool.has(uid)) return { requeueAfterMs: STOPPING_MS };
    const clear = async (stop: AbortSignal): Promise<void> => {
      try {
        await leftovers.clear(object, stop);
      } catch (error) {
        stop.throwIfAborted();
        this.#deps.log.warn(`${noun} left something behind`, { name, err: messageOf(error) });
      }
    };
    this.#pool.start(uid, clear, { takesRoom: false });
    return { requeueAfterMs: LEFTOVERS_MS };
  }

  async #write(object: KubeObject, signal: AbortSignal, body: JsonObject): Promise<KubeObject> {
    return await patchObject(this.#target(object, signal), body);
  }

  #target(object: KubeObject, signal: AbortSignal): Parameters<typeof patchObject>[0] {
    return { type: this.#kind.type, object, deps: this.#deps, signal };
  }
}

/** An error in the object itself, which a retry would not fix. */
function isFaultOfUser(error: unknown): error is AppError {
  return isAppError(error, 'invalid', 'unsupported', 'tooLarge', 'usage');
}

function keyOf({ metadata }: KubeObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}
