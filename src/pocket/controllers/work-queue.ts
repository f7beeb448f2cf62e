import { backoffMs, isAppError, messageOf, type Clock, type Log } from '../../base/index.ts';

export interface WorkQueueOptions {
  clock: Clock;
  log: Log;
  /** Makes the world right for one key. Returns the milliseconds after which to look again, when time alone matters. */
  reconcile(key: string): Promise<number | undefined>;
}

/** Reconciles of different keys that run at the same time; their writes then share one commit. */
const WORKERS = 32;
const BACKOFF = { baseMs: 10, maxMs: 30_000 };
/** For errors that time does not mend. */
const MAX_ATTEMPTS = 15;
/** However soon a reconcile wants to look again, it must not keep the process busy. */
const LEAST_WAIT_MS = 100;
/** Timers hold no more than 24 days, and a clock that is set anew is noticed in time. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * Keys to look at: each key by one worker at a time, a key that is added again meanwhile once more afterwards, a failed
 * one again after a while. All waits share one timer.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #dueAt = new Map<string, number>();
  readonly #closed = new AbortController();
  #alarm: { at: number; stop: AbortController } | undefined;
  #isPumping = false;
  #onIdle: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#closed.signal.aborted) return;
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#pump();
  }

  addAfter(key: string, ms: number): void {
    if (this.#closed.signal.aborted) return;
    const at = this.#options.clock.now() + ms;
    this.#dueAt.set(key, Math.min(at, this.#dueAt.get(key) ?? Infinity));
    this.#setAlarm();
  }

  /** Resolves when nothing runs any more; what waits is left for the next start. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#alarm?.stop.abort();
    this.#waiting.clear();
    this.#dueAt.clear();
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** In a turn of its own: keys are added while a commit is being told to everybody, and all must have heard first. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      for (const key of this.#waiting) {
        if (this.#running.size >= WORKERS) return;
        this.#waiting.delete(key);
        this.#running.add(key);
        void this.#work(key);
      }
    });
  }

  async #work(key: string): Promise<void> {
    try {
      const afterMs = await this.#options.reconcile(key);
      this.#failures.delete(key);
      if (afterMs !== undefined) this.addAfter(key, Math.max(afterMs, LEAST_WAIT_MS));
    } catch (error) {
      this.#retry(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.add(key);
    if (this.#waiting.size > 0) this.#pump();
    if (this.#running.size === 0) this.#onIdle?.();
  }

  #retry(key: string, error: unknown): void {
    if (this.#closed.signal.aborted) return;
    const { log } = this.#options;
    // Only a namespace that is going refuses controllers, and it takes what they work for along.
    if (isAppError(error, 'forbidden')) return;
    const attempt = this.#failures.get(key) ?? 0;
    const isRace = isAppError(error, 'conflict', 'notFound', 'alreadyExists');
    log[isRace ? 'debug' : 'warn']('reconcile failed', { key, attempt, err: messageOf(error) });
    // A full disk or a race ends some day; what is refused for good is left until something changes.
    const isTransient = isAppError(error) && error.facts.family === 'transient';
    if (attempt >= MAX_ATTEMPTS && !isTransient) {
      log.error('reconcile given up until something changes', { key, err: messageOf(error) });
      this.#failures.delete(key);
      return;
    }
    this.#failures.set(key, attempt + 1);
    this.addAfter(key, backoffMs(attempt, BACKOFF, 0));
  }

  #setAlarm(): void {
    const { clock } = this.#options;
    let at = clock.now() + LONGEST_SLEEP_MS;
    for (const dueAt of this.#dueAt.values()) at = Math.min(at, dueAt);
    if (this.#alarm !== undefined && this.#alarm.at <= at) return;
    this.#alarm?.stop.abort();
    const alarm = { at, stop: new AbortController() };
    this.#alarm = alarm;
    clock.sleep(Math.max(0, at - clock.now()), alarm.stop.signal).then(
      () => {
        if (this.#alarm === alarm) this.#ring();
      },
      () => undefined, // Only the alarm's own signal ends the sleep early.
    );
  }

  #ring(): void {
    this.#alarm = undefined;
    const now = this.#options.clock.now();
    for (const [key, at] of this.#dueAt) {
      if (at > now) continue;
      this.#dueAt.delete(key);
      this.add(key);
    }
    if (this.#dueAt.size > 0) this.#setAlarm();
  }
}
