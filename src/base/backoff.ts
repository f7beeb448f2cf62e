export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/**
 * Exponential backoff with equal jitter: half of the delay is fixed and half is random, so that many clients spread out
 * and none retries immediately. `attempt` counts from 0; `random` is in [0, 1).
 */
export function backoffMs(attempt: number, backoff: Backoff, random: number): number {
  // Keep the exponent finite, because 0 * Infinity is NaN. A negative attempt is treated as the first.
  const full = Math.min(backoff.maxMs, backoff.baseMs * 2 ** Math.min(1000, Math.max(0, attempt)));
  return full / 2 + (full / 2) * random;
}
