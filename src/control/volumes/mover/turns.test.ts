import { expect, it } from 'vitest';
import { AppError } from '../../../base/index.ts';
import { Channel } from './channel.ts';
import { Preparations, SharedTurn } from './preparations.ts';
import { MoverSlots } from './slots.ts';

const never = new AbortController().signal;

/** What has happened once everything that could has. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

it('lets so many movers run on a node and in the cluster, in their order', async () => {
  const slots = new MoverSlots({ movers: 3, moversPerNode: 2 });
  const begun: string[] = [];
  const take = (name: string, node: string): Promise<() => void> =>
    slots.take(node, never).then((end) => {
      begun.push(name);
      return end;
    });
  const [first] = [take('a1', 'a'), take('a2', 'a'), take('a3', 'a'), take('b1', 'b'), take('b2', 'b')];
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  const end = await first;
  end();
  end();
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('gives a turn at once or not at all to who must not wait', () => {
  const slots = new MoverSlots({ movers: 2, moversPerNode: 1 });
  const end = slots.takeNow('a');
  expect(end).toBeTypeOf('function');
  expect(slots.takeNow('a')).toBeUndefined();
  end?.();
  expect(slots.takeNow('a')).toBeTypeOf('function');
});

it('forgets who does not wait any more', async () => {
  const slots = new MoverSlots({ movers: 1, moversPerNode: 1 });
  const end = await slots.take('a', never);
  const stop = new AbortController();
  const waiting = slots.take('a', stop.signal);
  const reason = new AppError('canceled', 'it was canceled');
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  end();
  await expect(slots.take('a', never)).resolves.toBeTypeOf('function');
});

it('lets one prepare a repository, and the next one if it failed', async () => {
  const preparations = new Preparations();
  const first = await preparations.turn('r', never);
  const second = preparations.turn('r', never);
  expect(first.isPreparing).toBe(true);
  first.end();
  const next = await second;
  expect(next.isPreparing).toBe(true);
  const third = preparations.turn('r', never);
  next.ready();
  expect((await third).isPreparing).toBe(false);
  next.end();
  expect((await preparations.turn('r', never)).isPreparing).toBe(false);
  preparations.forget('r');
  expect((await preparations.turn('r', never)).isPreparing).toBe(true);
});

it('lets those who share a turn wait for each other, and for nobody else', async () => {
  const preparations = new Preparations();
  const shared = new SharedTurn(await preparations.turn('r', never));
  const begun: string[] = [];
  const stranger = preparations.turn('r', never).then(({ isPreparing }) => begun.push(`stranger ${isPreparing}`));
  const first = await shared.turn(never);
  const second = shared.turn(never);
  expect(first.isPreparing).toBe(true);
  // It is tried again, or the next of them comes; nobody else may come between.
  first.end();
  const next = await second;
  expect(next.isPreparing).toBe(true);
  const third = shared.turn(never);
  await settled();
  expect(begun).toEqual([]);
  next.ready();
  expect((await third).isPreparing).toBe(false);
  await stranger;
  expect(begun).toEqual(['stranger false']);
  next.end();
  shared.end();
  const later = new SharedTurn(await preparations.turn('r', never));
  expect((await later.turn(never)).isPreparing).toBe(false);
});

it('hands a shared turn on when none of them has prepared the repository', async () => {
  const preparations = new Preparations();
  const shared = new SharedTurn(await preparations.turn('r', never));
  const waiting = preparations.turn('r', never);
  (await shared.turn(never)).end();
  shared.end();
  expect((await waiting).isPreparing).toBe(true);
});

it('does not forget a repository that somebody prepares again', async () => {
  const preparations = new Preparations();
  (await preparations.turn('r', never)).ready();
  preparations.forget('r');
  const again = await preparations.turn('r', never);
  const other = preparations.turn('r', never);
  // Another one has found it missing, a little later.
  preparations.forget('r');
  again.ready();
  expect((await other).isPreparing).toBe(false);
});

it('hands on one value after the other, and the last one after the end', async () => {
  const channel = new Channel<number>();
  const pushed: number[] = [];
  const push = async (value: number): Promise<void> => {
    await channel.push(value);
    pushed.push(value);
  };
  const reader = channel[Symbol.asyncIterator]();
  void push(1);
  await settled();
  expect(pushed).toEqual([]);
  expect(await reader.next()).toEqual({ done: false, value: 1 });
  const next = reader.next();
  await settled();
  expect(pushed).toEqual([1]);
  void push(2);
  expect(await next).toEqual({ done: false, value: 2 });
  void push(3);
  channel.end();
  await settled();
  expect(pushed).toContain(3);
  expect(await reader.next()).toEqual({ done: false, value: 3 });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

it('lets the producer go on when the consumer leaves with a value', async () => {
  const channel = new Channel<number>();
  const pushed = channel.push(1).then(() => 'gone on');
  for await (const value of channel) {
    expect(value).toBe(1);
    break;
  }
  expect(await Promise.race([pushed, settled()])).toBe('gone on');
  await channel.push(2);
});
