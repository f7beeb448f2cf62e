import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

const EVERY_MS = 5;
/** What one step may take: 50 ms, and what the garbage collector adds on a slow machine. */
export const SHORT_STEP_MS = 150;

export interface Watched<T> {
  result: T;
  /** The longest time that nothing else in this process could go on; on a busy machine others add to it. */
  delayMs: number;
  /** The most processor time that this thread took without a turn for others. */
  stepMs: number;
}

/** What the work gives, and for how long at a time it keeps everything else waiting. */
export async function watchingLoop<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS });
  delay.enable();
  let stepMs = 0;
  let before = processorMs();
  const timer = setInterval(() => {
    const now = processorMs();
    stepMs = Math.max(stepMs, now - before);
    before = now;
  }, EVERY_MS);
  // How late a look is can only be seen once there was one before.
  await setTimeout(4 * EVERY_MS);
  stepMs = 0;
  try {
    const result = await work();
    await setTimeout(4 * EVERY_MS);
    return { result, delayMs: delay.max / 1e6 - EVERY_MS, stepMs };
  } finally {
    clearInterval(timer);
    delay.disable();
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
