import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { OperationPool, type PoolOptions } from './operation-pool.ts';

function setUp(options: Partial<PoolOptions> = {}) {
  const clock = new FakeClock();
  const log = recordingLog();
  const settled: string[] = [];
  const pool = new OperationPool(
    { name: 'operations', capacity: 2, onSettled: (uid) => settled.push(uid), ...options },
    { clock, log, random: () => 0 },
  );
  const begun: string[] = [];
  const lasting = (uid: string, ms: number) => async (signal: AbortSignal) => {
    begun.push(uid);
    await clock.sleep(ms, signal);
  };
  return { clock, log, pool, settled, begun, lasting };
}

describe('OperationPool', () => {
  it('runs up to its capacity and lets the rest wait in order', async () => {
    const { pool, clock, begun, settled, lasting } = setUp();
    const results = ['a', 'b', 'c', 'd'].map((uid, i) => pool.start(uid, lasting(uid, 100 + i)));
    expect(results).toEqual(['running', 'running', 'waiting', 'waiting']);
    expect([begun, pool.running, pool.waiting]).toEqual([['a', 'b'], 2, 2]);
    await clock.advance(100);
    expect(begun).toEqual(['a', 'b', 'c']);
    await clock.advance(1000);
    expect([begun, settled, pool.running]).toEqual([['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'], 0]);
  });

  it('refuses a uid it has, and more than may wait', () => {
    const { pool, lasting } = setUp({ capacity: 1, waitingLimit: 1 });
    pool.start('a', lasting('a', 100));
    pool.start('b', lasting('b', 100));
    expect([
      pool.start('a', lasting('a', 1)),
      pool.start('b', lasting('b', 1)),
      pool.start('c', lasting('c', 1)),
    ]).toEqual(['known', 'known', 'full']);
    expect([pool.has('b'), pool.has('c')]).toEqual([true, false]);
  });

  it('cancels a running operation with the reason, and a waiting one too, so that it writes its end', async () => {
    const { pool, clock, settled } = setUp({ capacity: 1 });
    const ends: unknown[] = [];
    const work = (uid: string) => (signal: AbortSignal) =>
      clock.sleep(1000, signal).catch(() => void ends.push([uid, signal.reason]));
    for (const uid of ['a', 'b', 'c']) pool.start(uid, work(uid));
    expect([pool.cancel('b', 'user'), pool.cancel('x', 'user')]).toEqual([true, false]);
    await clock.advance(0);
    expect([ends, settled]).toEqual([[['b', 'user']], ['b']]);
    // When an operation that took no room ends, no room becomes free.
    expect([pool.running, pool.waiting]).toEqual([1, 1]);
    pool.cancel('a', 'user');
    await clock.advance(0);
    expect([ends, settled, pool.running]).toEqual([
      [
        ['b', 'user'],
        ['a', 'user'],
      ],
      ['b', 'a'],
      1,
    ]);
  });

  it('logs work that throws, also at once, and goes on', async () => {
    const { pool, clock, log, settled } = setUp();
    pool.start('a', () => {
      throw new Error('bug');
    });
    await clock.advance(0);
    expect(log.lines).toMatchObject([
      { level: 'error', message: 'operation crashed', fields: { uid: 'a', err: 'bug' } },
    ]);
    expect(settled).toEqual(['a']);
  });

  it('logs work that throws after it was canceled, unless it throws the reason', async () => {
    const { pool, clock, log, lasting } = setUp();
    pool.start('a', lasting('a', 1000));
    pool.start('b', (signal) => clock.sleep(1000, signal).catch(() => Promise.reject(new Error('bug'))));
    pool.cancel('a', 'user');
    pool.cancel('b', 'user');
    await clock.advance(0);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { uid: 'b', err: 'bug' } }]);
  });

  it('survives a listener that throws', async () => {
    const { pool, clock, log } = setUp({
      onSettled: () => {
        throw new Error('listener bug');
      },
    });
    pool.start('a', () => Promise.resolve());
    await clock.advance(0);
    expect(log.lines.map((line) => line.message)).toEqual(['listener of the pool failed']);
  });

  it('drains: tells all, waits, and names what does not stop in time', async () => {
    const { pool, clock, lasting } = setUp();
    const hang = Promise.withResolvers<undefined>();
    pool.start('good', lasting('good', 60_000));
    pool.start('deaf', () => hang.promise);
    pool.start('waiting', lasting('waiting', 1));
    const drained = pool.drain('stopping', 5000);
    expect(pool.start('late', lasting('late', 1))).toBe('closed');
    await clock.advance(5000);
    expect(await drained).toEqual(['deaf']);
    expect([pool.busy(), pool.waiting]).toEqual([['deaf'], 0]);
    hang.resolve(undefined);
    expect(await pool.drain('stopping', 5000)).toEqual([]);
  });

  it('is a part: open while it runs, ended with its last operation, and can be run again', async () => {
    const { pool, clock, lasting } = setUp();
    const stop = new AbortController();
    const run = pool.run(stop.signal);
    pool.start('a', lasting('a', 60_000));
    stop.abort('stopping');
    await run;
    expect(pool.start('b', lasting('b', 1))).toBe('closed');
    const again = new AbortController();
    const second = pool.run(again.signal);
    expect(pool.start('b', lasting('b', 1))).toBe('running');
    await clock.advance(1);
    again.abort('stopping');
    await second;
    expect(pool.running).toBe(0);
  });

  it('never runs a uid twice at a time nor more than its capacity, whatever is asked of it', async () => {
    const uid = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.record({
      op: fc.constantFrom('start', 'cancel', 'advance'),
      uid,
      ms: fc.integer({ min: 0, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { pool, clock, settled, log } = setUp();
        const running: string[] = [];
        const aborted = new Set<string>();
        let accepted = 0;
        for (const { op, uid: id, ms } of steps) {
          if (op === 'advance') await clock.advance(ms);
          else if (op === 'cancel') pool.cancel(id, 'user');
          else {
            const result = pool.start(id, async (signal) => {
              expect(running).not.toContain(id);
              running.push(id);
              // An operation canceled while it waited takes no room.
              if (!signal.aborted) expect(running.length - aborted.size).toBeLessThanOrEqual(2);
              else aborted.add(id);
              await clock.sleep(ms, signal).catch(() => undefined);
              running.splice(running.indexOf(id), 1);
              aborted.delete(id);
            });
            if (result !== 'known') accepted += 1;
          }
        }
        await clock.advance(10_000);
        // The pool catches and logs expectations that fail inside the work.
        expect(log.lines).toEqual([]);
        expect([running.length, pool.running, pool.waiting, settled.length]).toEqual([0, 0, 0, accepted]);
      }),
      { numRuns: 100 },
    );
  });
});
