import { backoffMs, isAppError, type Backoff } from '../../base/index.ts';

/**
 * How long to wait after failure number `attempt` (from 0). If the server said when to come back, that is used, up to
 * the cap.
 */
export function retryDelayMs(error: unknown, attempt: number, backoff: Backoff, random: number): number {
  const jittered = backoffMs(attempt, backoff, random);
  if (!isAppError(error) || typeof error.retry !== 'object') return jittered;
  return Math.max(jittered, Math.min(error.retry.afterMs, backoff.maxMs));
}
