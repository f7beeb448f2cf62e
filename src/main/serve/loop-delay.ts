import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from '../../server/index.ts';

const LOOK_EVERY_MS = 20;
const TELL_EVERY_MS = 1000;

/** Tells as a metric for how long single steps of this process keep everything else waiting. */
export function measureLoopDelay(metrics: Pick<Metrics, 'observe'>): Disposable {
  const delay = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS });
  delay.enable();
  const tell = (): void => {
    // It measures from one look to the next, which without any delay is the time between them.
    const delayMs = Math.max(0, delay.max / 1e6 - LOOK_EVERY_MS);
    metrics.observe('headway_event_loop_delay_seconds', {}, delayMs / 1000);
    delay.reset();
  };
  const timer = setInterval(tell, TELL_EVERY_MS).unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}
