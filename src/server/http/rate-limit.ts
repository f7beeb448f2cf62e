import { AppError, TokenBuckets, type Clock } from '../../base/index.ts';

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

  constructor(options: RateOptions, clock: Clock) {
    this.#options = options;
    this.#buckets = new TokenBuckets(
      { burst: options.burst, refillMs: 1000 / options.perSecond, maxKeys: MAX_KEYS },
      clock,
    );
  }

  /** Throws `throttled` when the key has used up what it may. */
  take(key: string): void {
    const afterMs = this.#buckets.take(key);
    if (afterMs === 0) return;
    const { what, burst } = this.#options;
    throw new AppError('throttled', `too many ${what}: expected at most ${String(burst)} at once`, {
      retry: { afterMs },
    });
  }
}
