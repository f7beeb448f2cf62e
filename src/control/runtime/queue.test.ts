import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { WorkQueue } from './queue.ts';

const BACKOFF = { baseMs: 100, maxMs: 1000 };

function setUp() {
  const clock = new FakeClock();
  return { clock, queue: new WorkQueue(BACKOFF, { clock, random: () => 1 }) };
}

describe('WorkQueue', () => {
  it('hands out keys in order of arrival, each once', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.depth).toBe(3);
    expect([await queue.take(), await queue.take(), await queue.take()]).toEqual(['a', 'b', 'c']);
  });

  it('gives a key that was added while active back after done, behind the others', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.take();
    queue.add('a');
    queue.add('b');
    expect(queue.depth).toBe(1);
    queue.done('a');
    expect([await queue.take(), await queue.take()]).toEqual(['b', 'a']);
  });

  it('serves a waiting worker at once', async () => {
    const { queue } = setUp();
    const taken = queue.take();
    queue.add('a');
    expect(await taken).toBe('a');
    expect(queue.active()).toEqual(['a']);
  });

  it('lets the earliest of several times win', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 500);
    queue.addAfter('a', 200);
    queue.addAfter('a', 900);
    expect(clock.sleeping).toBe(1);
    await clock.advance(199);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  it('drops the later time when a key is added now', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 500);
    queue.add('a');
    queue.addAfter('a', 500);
    expect(clock.sleeping).toBe(0);
    queue.done((await queue.take()) ?? '');
    await clock.advance(1000);
    expect(queue.depth).toBe(0);
  });

  it('backs off further with each failure, up to the cap, until forget', () => {
    const { queue } = setUp();
    const delays = Array.from({ length: 6 }, () => queue.retry('a', new Error('no')));
    expect(delays).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(queue.failures('a')).toBe(6);
    queue.forget('a');
    expect(queue.retry('a', new Error('no'))).toBe(100);
  });

  it('hears a server that says when to come back, up to the cap', () => {
    const { queue } = setUp();
    const after = (afterMs: number) => new AppError('throttled', 'slow down', { retry: { afterMs } });
    expect(queue.retry('a', after(700))).toBe(700);
    expect(queue.retry('b', after(3_600_000))).toBe(1000);
  });

  it('turns a delay no timer can hold into a day', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', Infinity);
    await clock.advance(86_400_000);
    expect(queue.depth).toBe(1);
  });

  it('shuts down: waiting workers leave, waiting keys are forgotten, active ones are waited for', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    await queue.take();
    const idle = queue.take();
    queue.add('a');
    queue.addAfter('c', 10);
    let isDown = false;
    const down = queue.shutDown().then(() => (isDown = true));
    expect(await idle).toBeUndefined();
    queue.add('d');
    queue.addAfter('e', 10);
    await clock.advance(100);
    expect([isDown, clock.sleeping, queue.depth, await queue.take()]).toEqual([false, 0, 0, undefined]);
    queue.done('a');
    await down;
    expect(queue.active()).toEqual([]);
  });
});

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  fc.record({ op: fc.constant('add' as const), key }),
  fc.record({ op: fc.constant('addAfter' as const), key, ms: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ op: fc.constant('retry' as const), key }),
  fc.record({ op: fc.constant('take' as const) }),
  fc.record({ op: fc.constant('done' as const), nth: fc.nat(3) }),
  fc.record({ op: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 300 }) }),
);

describe('WorkQueue under any schedule', () => {
  it('loses no key and never hands one to two workers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { queue, clock } = setUp();
        const active: string[] = [];
        /** Keys that were added after they were last taken. */
        const owed = new Set<string>();
        const onTaken = (taken: string | undefined): void => {
          if (taken === undefined) return;
          expect(active).not.toContain(taken);
          active.push(taken);
          owed.delete(taken);
        };
        for (const each of steps) {
          if (each.op === 'take') void queue.take().then(onTaken);
          else if (each.op === 'advance') await clock.advance(each.ms);
          else if (each.op === 'done') {
            const [done] = active.splice(each.nth, 1);
            if (done !== undefined) queue.done(done);
          } else {
            owed.add(each.key);
            if (each.op === 'add') queue.add(each.key);
            else if (each.op === 'retry') queue.retry(each.key, new Error('no'));
            else queue.addAfter(each.key, each.ms);
          }
          await Promise.resolve();
        }
        while (active.length > 0) queue.done(active.pop() ?? '');
        await clock.advance(10_000);
        // From now on every key that is due must be handed out.
        for (let i = 0; i < 200 && (owed.size > 0 || active.length > 0); i += 1) {
          void queue.take().then(onTaken);
          await clock.advance(0);
          while (active.length > 0) queue.done(active.pop() ?? '');
        }
        expect([...owed]).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
