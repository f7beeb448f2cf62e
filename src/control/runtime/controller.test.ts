import { describe, expect, it } from 'vitest';
import { AppError, NO_LOG } from '../../base/index.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { Controller, type ControllerOptions, type Reconcile } from './controller.ts';
import { ObjectCache } from './object-cache.ts';

function setUp(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const clock = new FakeClock();
  const log = recordingLog();
  const cache = new ObjectCache(NO_LOG);
  const outcomes: string[] = [];
  const depths: number[] = [];
  const metrics = {
    reconciled: (_: string, outcome: string) => outcomes.push(outcome),
    queueDepth: (_: string, depth: number) => depths.push(depth),
  };
  const controller = new Controller(
    { name: 'backup', reconcile, sources: [{ cache }], backoff: { baseMs: 100, maxMs: 1000 }, ...options },
    { clock, log, random: () => 1, metrics },
  );
  const stop = new AbortController();
  const put = (name: string, resourceVersion: string) =>
    cache.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid: name, resourceVersion } });
  const start = async () => {
    const run = controller.run(stop.signal);
    await clock.advance(0);
    return run;
  };
  return { clock, log, cache, controller, outcomes, depths, stop, put, start };
}

describe('Controller', () => {
  it('reconciles what is there at the start and what changes', async () => {
    const seen: string[] = [];
    const bed = setUp((key) => {
      seen.push(key);
      return Promise.resolve('done');
    });
    bed.put('a', '1');
    bed.put('b', '1');
    void bed.start();
    await bed.clock.advance(0);
    bed.put('a', '2');
    bed.cache.delete('n/b');
    await bed.clock.advance(0);
    expect(seen).toEqual(['n/a', 'n/b', 'n/a', 'n/b']);
    expect(bed.outcomes).toEqual(['done', 'done', 'done', 'done']);
    expect([Math.max(...bed.depths), bed.depths.at(-1)]).toEqual([2, 0]);
  });

  it('maps a change to other keys when told how', async () => {
    const seen: string[] = [];
    const cache = new ObjectCache(NO_LOG);
    const bed = setUp(
      (key) => {
        seen.push(key);
        return Promise.resolve('done');
      },
      { sources: [{ cache, keysOf: (change) => [`owner/${change.object.metadata.name}`] }] },
    );
    void bed.start();
    cache.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' } });
    await bed.clock.advance(0);
    expect(seen).toEqual(['owner/p']);
  });

  it('comes back when asked to', async () => {
    const at: number[] = [];
    const bed = setUp(() => {
      at.push(bed.clock.now());
      return Promise.resolve(at.length < 3 ? { requeueAfterMs: 5000 } : 'done');
    });
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(60_000);
    expect(at.map((time) => time - (at[0] ?? 0))).toEqual([0, 5000, 10_000]);
    expect(bed.outcomes).toEqual(['requeued', 'requeued', 'done']);
  });

  it('does not retry what only the user can fix, until the object changes', async () => {
    const bed = setUp(() => Promise.reject(new AppError('invalid', 'spec.ttl: expected a duration')));
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(3_600_000);
    expect(bed.outcomes).toEqual(['invalid']);
    bed.put('a', '2');
    await bed.clock.advance(0);
    expect(bed.outcomes).toEqual(['invalid', 'invalid']);
  });

  it.each(['unauthenticated', 'forbidden', 'untrusted'] as const)(
    'tries again what the server turned away as %s: whoever mends that does not touch the object',
    async (code) => {
      let isAllowed = false;
      const bed = setUp(() =>
        isAllowed ? Promise.resolve('done') : Promise.reject(new AppError(code, 'turned away')),
      );
      bed.put('a', '1');
      void bed.start();
      await bed.clock.advance(3_600_000);
      expect(bed.log.lines.at(-1)).toMatchObject({ level: 'error', fields: { code, retryInMs: 1000 } });
      isAllowed = true;
      await bed.clock.advance(1000);
      expect(bed.outcomes.at(-1)).toBe('done');
    },
  );

  it('retries transient errors with a growing delay that a success resets', async () => {
    let failsLeft = 3;
    const bed = setUp(() =>
      failsLeft-- > 0 ? Promise.reject(new AppError('conflict', 'modified')) : Promise.resolve('done'),
    );
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(10_000);
    expect(bed.outcomes).toEqual(['transient', 'transient', 'transient', 'done']);
    expect(bed.log.lines.map((line) => line.fields['retryInMs'])).toEqual([100, 200, 400]);
    failsLeft = 1;
    bed.put('a', '2');
    await bed.clock.advance(0);
    expect(bed.log.lines.at(-1)?.fields['retryInMs']).toBe(100);
  });

  it('warns of a conflict only when it goes on', async () => {
    let tries = 0;
    const bed = setUp(() =>
      ++tries <= 5 ? Promise.reject(new AppError('conflict', 'the object has been modified')) : Promise.resolve('done'),
    );
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(0);
    await bed.clock.advance(10_000);
    expect(tries).toBe(6);
    expect(bed.log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields['failures'])).toEqual([
      4, 5,
    ]);
  });

  it('logs a bug with its stack, counts it and tries again', async () => {
    let calls = 0;
    const bed = setUp(() => {
      calls += 1;
      if (calls === 1) throw new TypeError('cannot read properties of undefined');
      return Promise.resolve('done');
    });
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(1000);
    expect(bed.outcomes).toEqual(['bug', 'done']);
    expect(bed.log.lines[0]).toMatchObject({ level: 'error', fields: { code: 'bug', key: 'n/a' } });
    expect(bed.log.lines[0]?.fields['stack']).toContain('controller.test.ts');
  });

  it('takes a delay that is no number for a bug, not for a tight loop', async () => {
    const bed = setUp(() => Promise.resolve({ requeueAfterMs: NaN }));
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(1000);
    expect(new Set(bed.outcomes)).toEqual(new Set(['bug']));
    expect(bed.outcomes.length).toBeLessThan(6);
  });

  it('aborts a reconcile at its deadline and retries it', async () => {
    const reasons: unknown[] = [];
    const bed = setUp(
      (_key, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('whatever the code below throws'));
          });
        }),
      { deadlineMs: 2000 },
    );
    bed.put('a', '1');
    void bed.start();
    await bed.clock.advance(2000);
    expect(bed.outcomes).toEqual(['transient']);
    expect(reasons[0]).toMatchObject({ code: 'timeout' });
  });

  it('serves other keys while one hangs, and never starts that one a second time', async () => {
    const started: string[] = [];
    const hang = Promise.withResolvers<'done'>();
    const bed = setUp(
      (key) => {
        started.push(key);
        return key === 'n/stuck' ? hang.promise : Promise.resolve('done');
      },
      { deadlineMs: 1000 },
    );
    bed.put('stuck', '1');
    bed.put('b', '1');
    void bed.start();
    await bed.clock.advance(7000);
    bed.put('stuck', '2');
    await bed.clock.advance(7000);
    expect(started).toEqual(['n/stuck', 'n/b']);
    expect(bed.controller.busy()).toEqual(['n/stuck']);
    expect(bed.log.lines.map((line) => line.message)).toEqual(['reconcile does not stop at its deadline']);
    hang.resolve('done');
    await bed.clock.advance(0);
    expect(started).toEqual(['n/stuck', 'n/b', 'n/stuck']);
  });

  it('works on as many keys at a time as it has workers', async () => {
    let now = 0;
    let most = 0;
    const bed = setUp(
      async () => {
        most = Math.max(most, ++now);
        await bed.clock.sleep(100);
        now -= 1;
        return 'done';
      },
      { workers: 3 },
    );
    for (let i = 0; i < 10; i += 1) bed.put(`k${i}`, '1');
    void bed.start();
    await bed.clock.advance(1000);
    expect([most, bed.outcomes.length]).toEqual([3, 10]);
  });

  it('stops: tells the running reconcile, waits for it, logs no failure, and starts anew with everything', async () => {
    let calls = 0;
    const bed = setUp((_key, signal) => {
      calls += 1;
      return bed.clock.sleep(10_000, signal).then(() => 'done');
    });
    bed.put('a', '1');
    bed.put('b', '1');
    const run = bed.start();
    await bed.clock.advance(100);
    bed.stop.abort(new AppError('canceled', 'stopping'));
    await run;
    expect([bed.outcomes, bed.log.lines, calls, bed.clock.sleeping]).toEqual([['stopped'], [], 1, 0]);
    bed.controller.enqueue('n/a');
    void bed.controller.run(new AbortController().signal);
    await bed.clock.advance(20_000);
    expect(bed.outcomes).toEqual(['stopped', 'done', 'done']);
  });
});
