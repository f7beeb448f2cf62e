import type { Clock } from './clock.ts';

export interface BucketRate {
  burst: number;
  /** Time until one more is allowed after the burst. */
  refillMs: number;
  /** How many keys are remembered. The key that was idle longest is forgotten, which only gives it a new burst. */
  maxKeys: number;
}

/** A token bucket per key: a burst at once, then one token per refill. */
export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(rate: BucketRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Returns a token that was taken as a precaution and not needed. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + 1);
  }

  /** Takes a token and returns 0, or takes none and returns the milliseconds until one is available. */
  take(key: string): number {
    const now = this.#clock.now();
    const { burst, refillMs, maxKeys } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) / refillMs);
    // Delete first, so that the map is ordered by last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= maxKeys) break;
      this.#buckets.delete(oldest);
    }
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * refillMs);
  }
}
