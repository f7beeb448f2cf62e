import { setTimeout as delay } from 'node:timers/promises';

/** Waits for an observable state; fails with the last error instead of sleeping a guessed time. */
export async function eventually<T>(probe: () => T | Promise<T>, options: { withinMs?: number } = {}): Promise<T> {
  const deadline = Date.now() + (options.withinMs ?? 15_000);
  for (;;) {
    try {
      return await probe();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
      await delay(10);
    }
  }
}
