import { AppError } from '../../base/index.ts';
import type { OperationDeps } from './operation.ts';

/** How long an operation may write its status. */
export interface Writes {
  signal: AbortSignal;
  /** Must be called when this process stops working on the operation. */
  end(): void;
}

/**
 * Longer than the term: a process that is told to stop keeps its lease a little, so that running operations can write
 * their state. A process that has lost its lease writes nothing more.
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
        // `end` was called first.
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
