import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startDeadline } from './deadline.ts';

it('is not over at once when it is longer than a timer can be', async () => {
  const deadline = startDeadline(30 * 24 * 3_600_000, undefined);
  await delay(20);
  expect([deadline.expired, deadline.signal.aborted]).toEqual([false, false]);
  deadline.clear();
});
