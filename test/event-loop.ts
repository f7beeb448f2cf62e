import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The result of some work, and the longest time that it held up everybody else in this process. */
export async function measureDelay<Result>(work: () => Promise<Result>): Promise<{ result: Result; delayMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  try {
    const result = await work();
    return { result, delayMs: delay.max / 1e6 };
  } finally {
    delay.disable();
  }
}
