import { AppError, messageOf, toAppError, type Backoff, type ErrorCode } from '../../base/index.ts';
import { childAbort, settlesWithin } from './abort.ts';
import type { CacheChange, ObjectCache } from './object-cache.ts';
import type { Part, ReconcileOutcome, RuntimeDeps, RuntimeMetrics } from './ports.ts';
import { WorkQueue } from './queue.ts';

export type ReconcileResult = 'done' | { requeueAfterMs: number };
/** Acts on the current state of the object with that key; what happened before does not matter. */
export type Reconcile = (key: string, signal: AbortSignal) => Promise<ReconcileResult>;

export interface KeySource {
  cache: ObjectCache;
  /** The keys that a change concerns; default is the changed object's own. */
  keysOf?: (change: CacheChange) => readonly string[];
}

export interface ControllerOptions {
  name: string;
  reconcile: Reconcile;
  sources: readonly KeySource[];
  /** Keys processed in parallel; default 1. */
  workers?: number;
  /** For one reconcile; long work belongs in the operation pool. Default 60 s. */
  deadlineMs?: number;
  backoff?: Backoff;
}
export interface ControllerDeps extends RuntimeDeps {
  metrics: RuntimeMetrics;
}

const BACKOFF: Backoff = { baseMs: 250, maxMs: 60_000 };
const DEADLINE_MS = 60_000;
// How long a reconcile may take to notice that its signal was aborted.
const GRACE_MS = 5_000;
const TURNED_AWAY: readonly ErrorCode[] = ['unauthenticated', 'forbidden', 'untrusted'];
const USUAL_CONFLICTS = 3;

/** Calls reconcile for every key that changed, and again depending on the error's family. */
export class Controller implements Part {
  readonly name: string;
  readonly #options: ControllerOptions;
  readonly #deps: ControllerDeps;
  readonly #deadlineMs: number;
  /** Set only while it runs: every start begins with all the keys the sources know. */
  #queue: WorkQueue | undefined;

  constructor(options: ControllerOptions, deps: ControllerDeps) {
    this.name = options.name;
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    this.#deps = { ...deps, log: deps.log.child({ controller: options.name }) };
  }

  enqueue(key: string): void {
    this.#queue?.add(key);
    this.#tellDepth();
  }

  busy(): readonly string[] {
    return this.#queue?.active() ?? [];
  }

  async run(signal: AbortSignal): Promise<void> {
    const queue = new WorkQueue(this.#options.backoff ?? BACKOFF, this.#deps);
    this.#queue = queue;
    const unsubscribe = this.#options.sources.map(({ cache, keysOf }) =>
      cache.subscribe((change) => {
        for (const key of keysOf?.(change) ?? [change.key]) this.enqueue(key);
      }),
    );
    const stop = (): void => void queue.shutDown();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const workers = Array.from({ length: this.#options.workers ?? 1 }, () => this.#work(queue, signal));
    await Promise.all(workers);
    // A worker abandons a reconcile that ignores its signal; this waits for it.
    await queue.shutDown();
    for (const leave of unsubscribe) leave();
    this.#queue = undefined;
  }

  async #work(queue: WorkQueue, stop: AbortSignal): Promise<void> {
    for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
      this.#tellDepth();
      const turn = this.#turn(key, queue, stop);
      if (!(await settlesWithin(turn, this.#deadlineMs + GRACE_MS, this.#deps.clock))) {
        // Its key stays active, so it is not started twice; the worker goes on with other keys.
        this.#deps.log.error('reconcile does not stop at its deadline', { key, deadlineMs: this.#deadlineMs });
      }
    }
  }

  async #turn(key: string, queue: WorkQueue, stop: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#deps;
    const startedAt = clock.now();
    const abort = childAbort(stop);
    const timer = new AbortController();
    void clock.sleep(this.#deadlineMs, timer.signal).then(
      () => {
        abort.abort(this.#late(key));
      },
      // The reconcile ended first.
      () => undefined,
    );
    let outcome: ReconcileOutcome;
    try {
      outcome = accept(await this.#options.reconcile(key, abort.signal), key, queue);
    } catch (error) {
      // After its deadline a reconcile may throw anything; the cause is that it was too slow.
      const cause: unknown = abort.signal.aborted ? abort.signal.reason : error;
      outcome = stop.aborted ? 'stopped' : this.#fail(key, queue, cause);
    } finally {
      timer.abort();
      abort.unlink();
      queue.done(key);
    }
    metrics.reconciled(this.name, outcome, clock.now() - startedAt);
    this.#tellDepth();
  }

  #fail(key: string, queue: WorkQueue, thrown: unknown): ReconcileOutcome {
    const error = toAppError(thrown);
    const { family } = error.facts;
    // By family, not by whether a single call may be repeated: a server that cannot be reached now may be reachable
    // tomorrow. A refusal is not the object's fault: granting the permission does not touch the object.
    const isTurnedAway = TURNED_AWAY.includes(error.code);
    if (family === 'invalid' && !isTurnedAway) {
      queue.forget(key);
      this.#deps.log.warn('reconcile refused', { key, code: error.code, err: error.message });
      return 'invalid';
    }
    const failures = queue.failures(key) + 1;
    const retryInMs = queue.retry(key, error);
    const fields = { key, code: error.code, err: error.message, failures, retryInMs };
    if (family === 'bug') this.#deps.log.error('reconcile crashed', { ...fields, stack: stackOf(error) });
    // Retried, but only a person can help.
    else if (isTurnedAway) this.#deps.log.error('reconcile turned away', fields);
    // Somebody else wrote first, and the next try reads what they wrote: normal, unless it goes on.
    else if (error.code === 'conflict' && failures <= USUAL_CONFLICTS)
      this.#deps.log.debug('reconcile repeated', fields);
    else this.#deps.log.warn('reconcile failed', fields);
    return family === 'bug' ? 'bug' : 'transient';
  }

  #late(key: string): AppError {
    return new AppError('timeout', `reconcile of ${key} by ${this.name} took longer than ${this.#deadlineMs} ms`);
  }

  #tellDepth(): void {
    this.#deps.metrics.queueDepth(this.name, this.#queue?.depth ?? 0);
  }
}

function accept(result: ReconcileResult, key: string, queue: WorkQueue): ReconcileOutcome {
  if (result === 'done') {
    queue.forget(key);
    return 'done';
  }
  const { requeueAfterMs } = result;
  // NaN would become a timer of 1 ms, which is a tight loop.
  if (!(requeueAfterMs >= 0))
    throw new AppError('bug', `reconcile of ${key} asked to come back in ${requeueAfterMs} ms`);
  queue.forget(key);
  queue.addAfter(key, requeueAfterMs);
  return 'requeued';
}

function stackOf(error: AppError): string {
  return error.cause instanceof Error && error.cause.stack !== undefined
    ? error.cause.stack
    : (error.stack ?? messageOf(error));
}
