import type { Clock } from '../../base/index.ts';

/** Often enough for a page that someone watches, and independent of the number of items. */
const MOMENT_MS = 100;

/** Tells how far something is, by the clock and not by its items: also if the next one is slow. Ends with the signal. */
export async function everyMoment(tell: () => void, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    tell();
    // It rejects only when there is nothing more to tell, which the loop checks itself.
    await clock.sleep(MOMENT_MS, signal).catch(() => undefined);
  }
}
