import { expect, it } from 'vitest';
import type { Steps } from '../../base/index.ts';
import { inSlices } from './in-slices.ts';

/** A clock that every step advances by this much. */
const clockOf = (stepMs: number): { uptime(): number } => {
  let now = 0;
  return { uptime: () => (now += stepMs) };
};
const { signal } = new AbortController();
const what = 'counting';

function* count(to: number): Steps<number> {
  for (let done = 0; done < to; done += 1) yield;
  return to;
}

it('lets others have their turn after every few milliseconds', async () => {
  let turns = 0;
  let others = setImmediate(function next() {
    turns += 1;
    others = setImmediate(next);
  });
  // Ten steps of a millisecond make a slice.
  const result = await inSlices(count(1000), { what, clock: clockOf(1), signal, limitMs: 2000 });
  clearImmediate(others);
  expect(result).toBe(1000);
  expect(turns).toBeGreaterThan(80);
});

it('ends what takes too long, and what nobody wants any more', async () => {
  const clock = clockOf(1);
  await expect(inSlices(count(1e9), { what, clock, signal, limitMs: 1000 })).rejects.toMatchObject({
    code: 'tooLarge',
    message: 'counting takes longer than 1 s',
  });
  const stop = new AbortController();
  const work = inSlices(count(1e9), { what, clock, signal: stop.signal, limitMs: Infinity });
  stop.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
});
