import type { Clock } from '../src/base/index.ts';
import { systemClock } from '../src/main/system-clock.ts';

/** Time that passes so many times as fast, for waits of minutes beside processes that know only the real time. */
export function fastClock(times: number): Clock {
  const [began, start] = [systemClock.now(), systemClock.uptime()];
  const passed = (): number => (systemClock.uptime() - start) * times;
  return {
    now: () => began + passed(),
    uptime: () => start + passed(),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
