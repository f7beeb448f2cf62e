import { AppError } from '../../base/index.ts';
import type { OperationDeps } from './operation.ts';

/** How long an operation may write its status. */
export interface Writes {
  signal: AbortSignal;
  /** To be called when the operation is over here. */
  end(): void;
}

/**
 * Longer than the term: a process that is told to stop holds its lease a little, so that running operations can say how
 * they were left. One that has lost its lease writes nothing more.
 */
export function writesOf(
  { term, mayWrite, clock }: Pick<OperationDeps, 'term' | 'mayWrite' | 'clock'>,
  graceMs: number,
): Writes {
  const writes = new AbortController();
  const leading = term();
  const over = new AbortController();
  const stop = (): void => {
    if (!mayWrite()) writes.abort(leading.reason);
    else {
      clock.sleep(graceMs, over.signal).then(
        () => {
          writes.abort(leading.reason);
        },
        // It was over before.
        () => undefined,
      );
    }
  };
  if (leading.aborted) stop();
  else leading.addEventListener('abort', stop, { once: true });
  return {
    signal: writes.signal,
    end: () => {
      leading.removeEventListener('abort', stop);
      over.abort();
      writes.abort(new AppError('canceled', 'the operation is over here'));
    },
  };
}
