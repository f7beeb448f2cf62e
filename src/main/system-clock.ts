import { setTimeout as delay } from 'node:timers/promises';
import type { CancelSignal, Clock } from '../base/index.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms: number, signal?: CancelSignal) => {
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal: signal as AbortSignal });
    } catch (error) {
      // Node rejects with its own AbortError; the port promises the signal's reason.
      throw signal?.aborted === true ? signal.reason : error;
    }
  },
};
