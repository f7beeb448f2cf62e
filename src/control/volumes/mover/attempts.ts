import { AppError, backoffMs, toAppError, type Backoff, type Clock } from '../../../base/index.ts';
import type { MoverCall } from './task.ts';

export interface Tried<T> {
  result: T;
  attempt: number;
}

const TRIES = 3;
const AGAIN: Backoff = { baseMs: 1_000, maxMs: 10_000 };

/**
 * A mover that is lost is started again, three times in all; `first` may be one that an earlier process began. What
 * `onAttempt` throws ends them all.
 */
export async function inAttempts<T>(
  { first, onAttempt, signal }: Required<Pick<MoverCall, 'onAttempt' | 'signal'>> & { first: number },
  { clock, random }: { clock: Clock; random: () => number },
  once: (attempt: number) => Promise<T>,
): Promise<Tried<T>> {
  let lost: AppError | undefined;
  for (let tries = 0; ; tries += 1) {
    const attempt = first + tries;
    await onAttempt(attempt, lost);
    try {
      return { result: await once(attempt), attempt };
    } catch (error) {
      signal.throwIfAborted();
      lost = lossOf(toAppError(error));
      if (lost.retry === 'never') throw lost;
      if (tries + 1 >= TRIES) throw givenUp(lost);
    }
    await clock.sleep(backoffMs(tries, AGAIN, random()), signal);
  }
}

/** A mover that was told to end, and not by us, is lost like any other: its pod was evicted, or somebody deleted it. */
function lossOf(error: AppError): AppError {
  if (error.code !== 'canceled') return error;
  return new AppError('unreachable', 'copy a volume: somebody else ended its mover', { cause: error });
}

function givenUp({ code, message, details }: AppError): AppError {
  return new AppError(code, `${message} (tried ${TRIES} times)`, details === undefined ? {} : { details });
}
