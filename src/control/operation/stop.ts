import { AppError, type Clock } from '../../base/index.ts';

/** Why an operation is told to end. Without one, only this process's turn is over, and somebody else goes on. */
export type Stop = 'canceled' | 'deleted';

export function stopReason(noun: string, stop: Stop): AppError {
  return new AppError('canceled', `the ${noun} was ${stop}`, { details: { stop } });
}

/** Undefined also while the signal is not aborted. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  const { reason } = signal as { reason: unknown };
  const stop = reason instanceof AppError ? reason.details?.['stop'] : undefined;
  return stop === 'canceled' || stop === 'deleted' ? stop : undefined;
}

/** Follows the signal a little later, for what had better end by itself. `clear` it when it has. */
export function withGrace(signal: AbortSignal, ms: number, clock: Clock): { signal: AbortSignal; clear(): void } {
  const late = new AbortController();
  const over = new AbortController();
  const follow = (): void => {
    clock.sleep(ms, over.signal).then(
      () => {
        late.abort(signal.reason);
      },
      // It has ended by itself.
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
