import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError, NO_LOG } from '../../base/index.ts';
import { WorkQueue } from './work-queue.ts';

/** A queue whose reconciles wait until the test lets them go. */
function setUp() {
  const clock = new FakeClock();
  const started: string[] = [];
  const gates: { key: string; open: (afterMs?: number) => void; fail: (error: unknown) => void }[] = [];
  const queue = new WorkQueue({
    clock,
    log: NO_LOG,
    reconcile: (key) => {
      started.push(key);
      return new Promise((resolve, reject) => gates.push({ key, open: resolve, fail: reject }));
    },
  });
  const turn = () => clock.advance(0);
  return { clock, queue, started, gates, turn };
}

describe('WorkQueue', () => {
  it('runs different keys side by side and each key once at a time', async () => {
    const { queue, started, gates, turn } = setUp();
    queue.add('a');
    queue.add('a');
    queue.add('b');
    await turn();
    expect(started).toEqual(['a', 'b']);
    queue.add('a');
    queue.add('a');
    await turn();
    expect(started).toEqual(['a', 'b']);
    gates[0]?.open();
    await turn();
    expect(started).toEqual(['a', 'b', 'a']);
  });

  it('runs at most 32 at once and the rest when there is room', async () => {
    const { queue, started, gates, turn } = setUp();
    for (let i = 0; i < 40; i += 1) queue.add(`k${i}`);
    await turn();
    expect(started).toHaveLength(32);
    gates[0]?.open();
    await turn();
    expect(started).toHaveLength(33);
  });

  it('looks again when a reconcile asks for it, with one timer for all', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    queue.add('b');
    await turn();
    gates[0]?.open(5000);
    gates[1]?.open(1000);
    await turn();
    expect(clock.sleeping).toBe(1);
    await clock.advance(1000);
    expect(started).toEqual(['a', 'b', 'b']);
    await clock.advance(4000);
    expect(started).toEqual(['a', 'b', 'b', 'a']);
  });

  it('does not spin when a reconcile always wants to look again at once', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    gates[0]?.open(0);
    await clock.advance(99);
    expect(started).toEqual(['a']);
    await clock.advance(1);
    expect(started).toEqual(['a', 'a']);
  });

  it('wakes up for a day that is far away without losing it', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    gates[0]?.open(3 * 86_400_000);
    await turn();
    await clock.advance(3 * 86_400_000 - 1);
    expect(started).toEqual(['a']);
    await clock.advance(1);
    expect(started).toEqual(['a', 'a']);
  });

  it('tries a failed key again, later each time, and gives up until something changes', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    for (let attempt = 0; attempt < 15; attempt += 1) {
      gates.at(-1)?.fail(new AppError('invalid', 'no such field'));
      await turn();
      expect(started).toHaveLength(attempt + 1);
      await clock.advance(30_000);
      expect(started).toHaveLength(attempt + 2);
    }
    gates.at(-1)?.fail(new Error('no'));
    await clock.advance(3_600_000);
    expect(started).toHaveLength(16);
    queue.add('a');
    await turn();
    expect(started).toHaveLength(17);
  });

  it('never gives up what time may mend', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    for (let attempt = 0; attempt < 30; attempt += 1) {
      gates.at(-1)?.fail(new AppError('serverError', 'the disk is full'));
      await clock.advance(30_000);
    }
    expect(started).toHaveLength(31);
  });

  it('does not try again what a terminating namespace refuses', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    gates[0]?.fail(new AppError('forbidden', 'namespace is being terminated'));
    await clock.advance(60_000);
    expect(started).toEqual(['a']);
  });

  it('closes when what runs has ended, and starts nothing any more', async () => {
    const { clock, queue, started, gates, turn } = setUp();
    queue.add('a');
    await turn();
    queue.add('a');
    queue.addAfter('b', 1000);
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await turn();
    expect(isClosed).toBe(false);
    gates[0]?.open(10);
    await closing;
    queue.add('c');
    await clock.advance(60_000);
    expect(started).toEqual(['a']);
    expect(clock.sleeping).toBe(0);
  });
});
