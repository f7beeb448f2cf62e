import { setTimeout as delay } from 'node:timers/promises';
import type { CancelSignal, Clock } from '../base/index.ts';

// What is beyond it fires at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  sleep: async (ms: number, signal?: CancelSignal) => {
    try {
      const options = signal === undefined ? {} : { signal: signal as AbortSignal };
      for (let left = ms; ; left -= LONGEST_TIMER_MS) {
        await delay(Math.min(left, LONGEST_TIMER_MS), undefined, options);
        if (!(left > LONGEST_TIMER_MS)) return;
      }
    } catch (error) {
      // Node rejects with its own AbortError; the port promises the signal's reason.
      throw signal?.aborted === true ? signal.reason : error;
    }
  },
};
