import type { Clock } from './clock.ts';

export interface BucketRate {
  burst: number;
  /** For one more after the burst. */
  refillMs: number;
  /** So many keys are remembered; the one silent for longest is forgotten, which only gives it a new burst. */
  maxKeys: number;
}

/** A bucket of tokens for each key: a burst at once, then one for every refill. */
export class TokenBuckets {
  readonly #rate: BucketRate;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(rate: BucketRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** For a token that was taken to be sure and was not needed. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + 1);
  }

  /** Takes a token and returns 0, or takes none and returns in how many milliseconds there will be one. */
  take(key: string): number {
    const now = this.#clock.now();
    const { burst, refillMs, maxKeys } = this.#rate;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) / refillMs);
    // Deleted first, so that the order of the map is the order of the last use.
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= maxKeys) break;
      this.#buckets.delete(oldest);
    }
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * refillMs);
  }
}
