import { backoffMs, isAppError, type AppError, type Backoff, type Clock } from '../../base/index.ts';

export interface ApiPatienceOptions {
  clock: Clock;
  random: () => number;
  /** What is aborted when nobody waits for the answers any more. */
  signal: AbortSignal;
  /** How long a server that cannot be reached is waited for. Default 10 min. */
  limitMs?: number;
  /** The server does not answer: why. Said again at every try. */
  onWaiting: (cause: AppError) => void;
  onResumed: () => void;
}

const BACKOFF: Backoff = { baseMs: 250, maxMs: 10_000 };
const LIMIT_MS = 10 * 60_000;
/** A server that answers with an error of its own may mean this one object or type; the others must not wait long. */
const ANSWERED_LIMIT_MS = 20_000;
const TRIES_AFTER_ANSWER = 6;

/**
 * Makes a request again where the client itself has given up: an API server that restarts must not cost an operation
 * anything. What can never work is thrown at once. Shared by all requests of one operation, so that `onResumed` is said
 * once, when the last of them goes on.
 */
export class ApiPatience {
  readonly #options: ApiPatienceOptions;
  #waiting = 0;

  constructor(options: ApiPatienceOptions) {
    this.#options = options;
  }

  async call<T>(request: () => Promise<T>): Promise<T> {
    const { clock, random, signal, onWaiting } = this.#options;
    let since: number | undefined;
    let isWaiting = false;
    try {
      for (let failures = 0; ; failures += 1) {
        signal.throwIfAborted();
        try {
          return await request();
        } catch (error) {
          signal.throwIfAborted();
          since ??= clock.now();
          if (!isAppError(error) || !this.#mayPass(error, failures, clock.now() - since)) throw error;
          if (!isWaiting) this.#waiting += 1;
          isWaiting = true;
          onWaiting(error);
          await clock.sleep(backoffMs(failures, BACKOFF, random()), signal);
        }
      }
    } finally {
      if (isWaiting) this.#end();
    }
  }

  #mayPass(error: AppError, failures: number, waitedMs: number): boolean {
    const { limitMs = LIMIT_MS } = this.#options;
    if (error.retry === 'never') return false;
    if (isAppError(error, 'unreachable', 'timeout', 'throttled')) return waitedMs < limitMs;
    const isServers = isAppError(error, 'serverError', 'badAnswer', 'conflict', 'gone');
    return isServers && failures < TRIES_AFTER_ANSWER && waitedMs < Math.min(limitMs, ANSWERED_LIMIT_MS);
  }

  #end(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#options.onResumed();
  }
}
