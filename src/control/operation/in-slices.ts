import { setImmediate } from 'node:timers/promises';
import { AppError, type Clock, type Steps } from '../../base/index.ts';

/** How long other work waits at most, apart from the running step. */
const SLICE_MS = 10;

export interface SliceOptions {
  /** For people: `reading the rules`. */
  what: string;
  clock: Pick<Clock, 'uptime'>;
  signal: AbortSignal;
  /** For all of it, not counting the time given to other work. */
  limitMs: number;
}

/** Does long work in short slices. Throws `tooLarge` if it takes more time than allowed. */
export async function inSlices<Result>(steps: Steps<Result>, options: SliceOptions): Promise<Result> {
  const { what, clock, signal, limitMs } = options;
  let usedMs = 0;
  for (;;) {
    const startedAt = clock.uptime();
    let sliceMs = 0;
    while (sliceMs < SLICE_MS) {
      const step = steps.next();
      if (step.done === true) return step.value;
      sliceMs = clock.uptime() - startedAt;
    }
    usedMs += sliceMs;
    if (usedMs > limitMs) throw new AppError('tooLarge', `${what} takes longer than ${limitMs / 1000} s`);
    await setImmediate();
    signal.throwIfAborted();
  }
}
