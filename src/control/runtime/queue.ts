import type { Backoff, Clock } from '../../base/index.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface QueueDeps {
  clock: Clock;
  random: () => number;
}

interface Delay {
  at: number;
  timer: AbortController;
}

// A timer beyond 2^31 ms fires at once. Coming back early is harmless, so a day is enough.
const LONGEST_DELAY_MS = 24 * 3_600_000;

/**
 * Keys that wait for a worker. A key is given to one worker at a time; if it is added again while active, it comes back
 * after `done`. Keys are never dropped while the queue is open. They are deduplicated, so there are never more of them
 * than objects: that is the bound. First come, first served, so a busy key cannot starve the others.
 */
export class WorkQueue {
  readonly #deps: QueueDeps;
  readonly #backoff: Backoff;
  /** In order of arrival, without duplicates. */
  readonly #ready = new Set<string>();
  readonly #active = new Set<string>();
  readonly #again = new Set<string>();
  readonly #delays = new Map<string, Delay>();
  readonly #failures = new Map<string, number>();
  readonly #takers: ((key: string | undefined) => void)[] = [];
  readonly #drained = Promise.withResolvers<undefined>();
  #isOpen = true;

  constructor(backoff: Backoff, deps: QueueDeps) {
    this.#backoff = backoff;
    this.#deps = deps;
  }

  /** Keys that could be processed now. */
  get depth(): number {
    return this.#ready.size;
  }

  active(): string[] {
    return [...this.#active];
  }

  add(key: string): void {
    if (!this.#isOpen) return;
    this.#cancelDelay(key);
    if (this.#active.has(key)) this.#again.add(key);
    else this.#hand(key);
  }

  /** Of several times for one key the earliest wins: the reconcile decides again when to come back. */
  addAfter(key: string, delayMs: number): void {
    const ms = Math.min(delayMs, LONGEST_DELAY_MS);
    if (ms <= 0) {
      this.add(key);
      return;
    }
    if (!this.#isOpen || this.#ready.has(key) || this.#again.has(key)) return;
    const at = this.#deps.clock.now() + ms;
    const known = this.#delays.get(key);
    if (known !== undefined && known.at <= at) return;
    this.#cancelDelay(key);
    const delay: Delay = { at, timer: new AbortController() };
    this.#delays.set(key, delay);
    this.#deps.clock.sleep(ms, delay.timer.signal).then(
      () => {
        if (this.#delays.get(key) === delay) this.add(key);
      },
      // Aborted: an earlier time replaced it, or the queue is shut down.
      () => undefined,
    );
  }

  /** Adds the key after a backoff that grows with every call until `forget`. Returns the delay. */
  retry(key: string, error: unknown): number {
    const attempt = this.#failures.get(key) ?? 0;
    this.#failures.set(key, attempt + 1);
    const ms = retryDelayMs(error, attempt, this.#backoff, this.#deps.random());
    this.addAfter(key, ms);
    return ms;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  failures(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /** The next key; undefined when the queue is shut down. Each key taken must be returned with `done`. */
  take(): Promise<string | undefined> {
    if (!this.#isOpen) return Promise.resolve(undefined);
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#active.add(key);
      return Promise.resolve(key);
    }
    return new Promise((resolve) => this.#takers.push(resolve));
  }

  done(key: string): void {
    this.#active.delete(key);
    if (this.#again.delete(key) && this.#isOpen) this.#hand(key);
    if (!this.#isOpen && this.#active.size === 0) this.#drained.resolve(undefined);
  }

  /**
   * Refuses new keys, forgets the waiting ones (the next start lists every object anyway) and resolves when the last
   * active key is done.
   */
  shutDown(): Promise<void> {
    this.#isOpen = false;
    this.#ready.clear();
    this.#again.clear();
    for (const key of [...this.#delays.keys()]) this.#cancelDelay(key);
    for (const taker of this.#takers.splice(0)) taker(undefined);
    if (this.#active.size === 0) this.#drained.resolve(undefined);
    return this.#drained.promise;
  }

  #hand(key: string): void {
    const taker = this.#takers.shift();
    if (taker === undefined) {
      this.#ready.add(key);
      return;
    }
    this.#active.add(key);
    taker(key);
  }

  #cancelDelay(key: string): void {
    this.#delays.get(key)?.timer.abort();
    this.#delays.delete(key);
  }
}
