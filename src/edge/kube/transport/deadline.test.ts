import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startDeadline } from './deadline.ts';

it('is not over at once when it is longer than a timer can be', async () => {
  const deadline = startDeadline(30 * 24 * 3_600_000, undefined);
  await delay(20);
  expect([deadline.expired, deadline.isOver, deadline.signal.aborted]).toEqual([false, false, false]);
  deadline.clear();
});

it('tells its listener and its signal of the caller, also a signal that is asked for later', () => {
  const caller = new AbortController();
  const deadline = startDeadline(60_000, caller.signal);
  let told = 0;
  deadline.onOver = () => {
    told += 1;
  };
  const reason = new Error('stop');
  caller.abort(reason);
  expect([told, deadline.isOver, deadline.expired, deadline.signal.reason]).toEqual([1, true, false, reason]);
  const late = startDeadline(60_000, caller.signal);
  expect([late.isOver, late.signal.reason]).toEqual([true, reason]);
  for (const each of [deadline, late]) each.clear();
});

it('expires', async () => {
  const deadline = startDeadline(1, undefined);
  await new Promise<void>((resolve) => {
    deadline.onOver = resolve;
  });
  expect([deadline.isOver, deadline.expired, deadline.signal.aborted]).toEqual([true, true, true]);
  deadline.clear();
});
