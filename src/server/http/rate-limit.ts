import { AppError, TokenBuckets, type Clock } from '../../base/index.ts';
import type { LimitLog } from './limit-log.ts';

export interface RateOptions {
  perSecond: number;
  burst: number;
  /** What is limited, for the message. */
  what: string;
}

const MAX_KEYS = 10_000;

/** How often a caller may ask. */
export class RateLimit {
  readonly #options: RateOptions;
  readonly #buckets: TokenBuckets;
  readonly #told: LimitLog;

  constructor(options: RateOptions, clock: Clock, told: LimitLog) {
    this.#options = options;
    this.#buckets = new TokenBuckets(
      { burst: options.burst, refillMs: 1000 / options.perSecond, maxKeys: MAX_KEYS },
      clock,
    );
    this.#told = told;
  }

  /** Throws `throttled` when the key has used up what it may. `address` is for the log. */
  take(key: string, address = key): void {
    const afterMs = this.#buckets.take(key);
    if (afterMs === 0) return;
    const { what, burst } = this.#options;
    this.#told.refused(what, address);
    throw new AppError('throttled', `too many ${what}: expected at most ${String(burst)} at once`, {
      retry: { afterMs },
    });
  }

  giveBack(key: string): void {
    this.#buckets.giveBack(key);
  }
}
