import { setImmediate } from 'node:timers/promises';
import { AppError, type Clock, type Steps } from '../../base/index.ts';

/** How long others wait at most, but for the step that is running. */
const SLICE_MS = 10;

export interface SliceOptions {
  /** For people: `reading the rules`. */
  what: string;
  clock: Pick<Clock, 'uptime'>;
  signal: AbortSignal;
  /** For all of it, without the time that others had. */
  limitMs: number;
}

/** Does long work a little at a time. Throws `tooLarge` when it takes more time than it may. */
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
