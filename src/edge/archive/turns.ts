import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;
/** To look at the clock costs more than most values do. */
const LOOK_EVERY = 32;

/** The same values, with a turn for others now and then: a million of them would keep everybody waiting for seconds. */
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
