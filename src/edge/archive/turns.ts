import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;
/** Reading the clock costs more than producing most values. */
const LOOK_EVERY = 32;

/**
 * The same values, but it yields to other work now and then: a million of them would block the event loop for seconds.
 */
export async function* inTurns<T>(values: Iterable<T>): AsyncGenerator<T> {
  let count = 0;
  let began = performance.now();
  for (const value of values) {
    yield value;
    count += 1;
    if (count % LOOK_EVERY !== 0 || performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}
