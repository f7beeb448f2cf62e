import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { anyOf, Door } from './door.ts';

const reason = new AppError('conflict', 'Velero runs');
const soon = async (promise: Promise<unknown>): Promise<boolean> => {
  let isDone = false;
  void promise.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return isDone;
};

describe('a door', () => {
  it('lets nobody through until it is opened, and calls them back when it is shut', async () => {
    const door = new Door();
    const passing = door.pass(new AbortController().signal);
    expect(await soon(passing)).toBe(false);
    door.open();
    const inside = await passing;
    expect(inside.aborted).toBe(false);
    door.shut(reason);
    expect([door.inside, inside.reason]).toEqual([undefined, reason]);
    expect(await soon(door.pass(new AbortController().signal))).toBe(false);
  });

  it('is not waited for by somebody who is told to stop', async () => {
    const stop = new AbortController();
    const passing = new Door().pass(stop.signal);
    stop.abort(reason);
    await expect(passing).rejects.toBe(reason);
  });
});

it('one of several doors is enough, and all must be shut', async () => {
  const [a, b] = [new Door(), new Door()];
  const passing = anyOf([a, b]).pass(new AbortController().signal);
  b.open();
  const inside = await passing;
  a.open();
  b.shut(reason);
  expect(inside.aborted).toBe(false);
  a.shut(reason);
  expect(inside.aborted).toBe(true);
});
