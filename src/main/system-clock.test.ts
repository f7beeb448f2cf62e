import { expect, it } from 'vitest';
import { systemClock } from './system-clock.ts';

it('sleeps longer than a timer can, and ends with the reason of its signal', async () => {
  const stop = new AbortController();
  let woke = false;
  const sleeping = systemClock.sleep(30 * 24 * 3_600_000, stop.signal).then(() => (woke = true));
  await systemClock.sleep(20);
  expect(woke).toBe(false);
  stop.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});
