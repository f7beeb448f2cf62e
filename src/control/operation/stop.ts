import { AppError, type Clock } from '../../base/index.ts';

/** Why an operation is told to end. Undefined means that only this process stops, and another one continues. */
export type Stop = 'canceled' | 'deleted';

export function stopReason(noun: string, stop: Stop): AppError {
  return new AppError('canceled', `the ${noun} was ${stop}`, { details: { stop } });
}

/** Also undefined while the signal is not aborted. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  const { reason } = signal as { reason: unknown };
  const stop = reason instanceof AppError ? reason.details?.['stop'] : undefined;
  return stop === 'canceled' || stop === 'deleted' ? stop : undefined;
}

/**
 * A signal that follows the given one after a delay, for work that should be allowed to finish. Call `clear` when it
 * has.
 */
export function withGrace(signal: AbortSignal, ms: number, clock: Clock): { signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  const over = new AbortController();
  const follow = (): void => {
    clock.sleep(ms, over.signal).then(
      () => {
        late.abort(signal.reason);
      },
      // Cleared: the work finished in time.
      () => undefined,
    );
  };
  if (signal.aborted) follow();
  else signal.addEventListener('abort', follow, { once: true });
  return {
    signal: late.signal,
    clear: () => {
      signal.removeEventListener('abort', follow);
      over.abort();
    },
  };
}
