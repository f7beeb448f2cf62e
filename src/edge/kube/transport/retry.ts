import { backoffMs, isAppError, type AppError, type Clock, type Log } from '../../../base/index.ts';
import type { Deadline } from './deadline.ts';
import { withDetails } from './with-details.ts';

export interface RetryDeps {
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  log: Log;
}

const ATTEMPTS = 5;
/** Far more than fit into any deadline if the server says how long to wait. */
const MAX_TURNS = 50;
const BACKOFF = { baseMs: 100, maxMs: 5000 };

/**
 * Retries what may succeed, at most five times and never past the deadline. Being turned away by a busy server (429)
 * does not count, because the length of the queue depends on others. A request that may have been carried out is
 * repeated only if that does no harm (`repeatable`); the error then says `maybeDone`, because a later NotFound or
 * Conflict may be caused by its own success.
 */
export async function withRetry<T>(
  deps: RetryDeps,
  call: { deadline: Deadline; repeatable: boolean },
  attempt: () => Promise<T>,
): Promise<T> {
  let maybeDone = false;
  let failures = 0;
  for (let made = 1; ; made += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isAppError(error)) throw error;
      maybeDone ||= error.details?.['maybeDone'] === true;
      const failed = maybeDone ? withDetails(error, { maybeDone }) : error;
      const delayMs = delayBefore(made, error, deps.random());
      const mayRepeat = call.repeatable || !maybeDone;
      if (error.code !== 'throttled') failures += 1;
      const isLast = failures >= ATTEMPTS || made >= MAX_TURNS;
      if (isLast || delayMs === undefined || !mayRepeat || delayMs >= call.deadline.remainingMs()) throw failed;
      deps.log.debug('kube request is tried again', { attempt: made, delayMs, code: error.code, err: error.message });
      await sleep(deps.clock, delayMs, { deadline: call.deadline, failed });
    }
  }
}

async function sleep(clock: Clock, ms: number, during: { deadline: Deadline; failed: AppError }): Promise<void> {
  try {
    await clock.sleep(ms, during.deadline.signal);
  } catch (error) {
    // When time runs out between two attempts, the last failure says more than the timeout.
    throw during.deadline.expired ? during.failed : error;
  }
}

/**
 * Undefined when a retry cannot help. The delay the server asked for is kept, plus jitter so that clients spread out.
 */
function delayBefore(made: number, error: AppError, random: number): number | undefined {
  const gateway = error.code === 'timeout' && error.details?.['httpStatus'] === 504;
  const helps = gateway || error.code === 'throttled' || error.code === 'serverError' || error.code === 'unreachable';
  if (!helps || error.retry === 'never') return undefined;
  return backoffMs(made - 1, BACKOFF, random) + (typeof error.retry === 'object' ? error.retry.afterMs : 0);
}
