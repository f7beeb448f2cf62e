import { AppError, type Backoff, backoffMs, type Clock, isAppError, type Log } from '../../base/index.ts';
import type { Retrier } from './port.ts';

export interface PatienceOptions {
  clock: Clock;
  log: Log;
  /** How long a store may be unreachable before an operation fails. */
  limitMs?: number;
  backoff?: Backoff;
  random?: () => number;
  /**
   * The store is unreachable: why, and since when on the monotonic clock (`Clock.uptime`). Called again at every retry.
   */
  onWaiting?: (cause: AppError, since: number) => void;
  /** Nothing waits any more, because the store answered or the operation gave up. */
  onResumed?: () => void;
}

const LIMIT_MS = 10 * 60_000;
const BACKOFF: Backoff = { baseMs: 500, maxMs: 15_000 };

/**
 * Retries transient failures until they succeed or the time limit is reached. Shared by all requests of one operation,
 * so that `onResumed` is called once, when the last of them continues.
 */
export class Patience {
  readonly #options: PatienceOptions;
  #waiting = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** A `Retrier` that stops waiting when the signal is aborted. */
  retrier(signal: AbortSignal | undefined): Retrier {
    return async (request) => {
      const wait = this.begin(signal);
      try {
        for (;;) {
          try {
            return await request();
          } catch (error) {
            await wait.afterFailure(error);
          }
        }
      } finally {
        wait.end();
      }
    };
  }

  /** For work that can continue where it broke: `end` must be called when it continues, and when it gives up. */
  begin(signal: AbortSignal | undefined): Wait {
    return new Wait(this.#options, signal, (isWaiting) => {
      this.#waiting += isWaiting ? 1 : -1;
      if (this.#waiting === 0) this.#options.onResumed?.();
    });
  }
}

/** One series of failures, from the first to the next success. */
class Wait {
  readonly #options: PatienceOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #tell: (isWaiting: boolean) => void;
  #since: number | undefined;
  #failures = 0;

  constructor(options: PatienceOptions, signal: AbortSignal | undefined, tell: (isWaiting: boolean) => void) {
    this.#options = options;
    this.#signal = signal;
    this.#tell = tell;
  }

  /** Returns when it is time to retry; throws the error if a retry is pointless. */
  async afterFailure(error: unknown): Promise<void> {
    if (!isAppError(error) || error.retry === 'never' || hasWaited(error) || this.#signal?.aborted === true)
      throw error;
    const { clock, log, limitMs = LIMIT_MS, backoff = BACKOFF, random = Math.random } = this.#options;
    const now = clock.uptime();
    if (this.#since === undefined) {
      this.#since = now;
      this.#tell(true);
    }
    const leftMs = this.#since + limitMs - now;
    if (leftMs <= 0) throw gaveUp(error, now - this.#since);
    const wantedMs =
      error.retry === 'backoff'
        ? backoffMs(this.#failures, backoff, random())
        : Math.min(error.retry.afterMs, backoff.maxMs);
    const delayMs = Math.min(wantedMs, leftMs);
    this.#failures += 1;
    log.warn('store is away, trying again', { err: error.message, attempt: this.#failures, delayMs });
    this.#options.onWaiting?.(error, this.#since);
    await clock.sleep(delayMs, this.#signal);
  }

  end(): void {
    if (this.#since === undefined) return;
    this.#since = undefined;
    this.#failures = 0;
    this.#tell(false);
  }
}

function gaveUp(error: AppError, waitedMs: number): AppError {
  const message = `${error.message} (tried for ${Math.round(waitedMs / 1000)} s)`;
  return new AppError(error.code, message, {
    cause: error,
    retry: error.retry,
    details: { ...error.details, waitedMs },
  });
}

/** A request inside a larger piece of work has already waited the full time; the larger piece must not wait again. */
function hasWaited(error: AppError): boolean {
  return error.details?.['waitedMs'] !== undefined;
}
