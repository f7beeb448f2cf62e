import { describe, expect, it } from 'vitest';
import { AppError, type Clock } from '../../base/index.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { LEASE } from '../../api/meta/builtin-types.ts';
import { holderOf } from './election/lease.ts';
import { Door } from './door.ts';
import { Leader } from './election/leader.ts';
import { Manager, type ManagerOptions } from './manager.ts';
import type { Part } from './ports.ts';

const TARGET = { type: LEASE, namespace: 'velero', name: 'headway' };

interface TestPart extends Part {
  becomeReady(): void;
  crash(error: Error): void;
}

/** Writes into the diary; stops `stopMs` after it was told to, never if that is Infinity. */
function testPart(name: string, diary: string[], clock: Clock, stopMs = 0): TestPart {
  const ready = Promise.withResolvers<undefined>();
  const crashed = Promise.withResolvers<undefined>();
  return {
    name,
    ready: ready.promise,
    becomeReady: () => {
      ready.resolve(undefined);
    },
    crash: (error) => {
      crashed.reject(error);
    },
    run: async (signal) => {
      diary.push(`${name} starts`);
      const told = new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
      await Promise.race([told, crashed.promise]);
      if (stopMs === Infinity) await new Promise(() => undefined);
      if (stopMs > 0) await clock.sleep(stopMs);
      diary.push(`${name} ends`);
    },
    busy: () => (stopMs > 0 ? ['velero/b1'] : []),
  };
}

function setUp(workerStopMs = 0) {
  const clock = new FakeClock();
  const log = recordingLog();
  const cluster = new ScriptedCluster(clock);
  const diary: string[] = [];
  const source = testPart('source', diary, clock);
  const worker = testPart('worker', diary, clock, workerStopMs);
  const deps = { clock, log, random: () => 0 };
  const leader = new Leader({ namespace: 'velero', name: 'headway', identity: 'a' }, { ...deps, kube: cluster });
  const stop = new AbortController();
  const start = async (options: Partial<ManagerOptions> = {}) => {
    const manager = new Manager({ sources: [source], workers: [worker], ...options }, deps);
    const run = manager.run(stop.signal);
    run.catch(() => undefined);
    await clock.advance(0);
    return { ended: run };
  };
  const holder = () => {
    const lease = cluster.peek(TARGET);
    return lease === undefined ? undefined : holderOf(lease);
  };
  return { clock, log, cluster, diary, source, worker, leader, stop, start, holder };
}

describe('Manager', () => {
  it('starts workers when every source is ready, and stops them first', async () => {
    const bed = setUp();
    const { ended } = await bed.start();
    await bed.clock.advance(60_000);
    expect(bed.diary).toEqual(['source starts']);
    bed.source.becomeReady();
    await bed.clock.advance(0);
    bed.stop.abort(new AppError('canceled', 'stopped by SIGTERM'));
    expect(await ended).toEqual({ hung: [] });
    expect(bed.diary).toEqual(['source starts', 'worker starts', 'worker ends', 'source ends']);
    expect(bed.clock.sleeping).toBe(0);
  });

  it('stops while it still waits for sources or for the lease', async () => {
    const bed = setUp();
    const { ended } = await bed.start({ leader: bed.leader });
    bed.stop.abort(new AppError('canceled', 'stopped'));
    expect(await ended).toEqual({ hung: [] });
    expect(bed.diary).toEqual(['source starts', 'source ends']);

    const second = setUp();
    second.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    second.source.becomeReady();
    const run = await second.start({ leader: second.leader });
    await second.clock.advance(10_000);
    second.stop.abort(new AppError('canceled', 'stopped'));
    expect(await run.ended).toEqual({ hung: [] });
    expect(second.diary).toEqual(['source starts', 'source ends']);
  });

  it('works only while leading, and gives the lease away after the workers have stopped', async () => {
    const bed = setUp(3000);
    bed.source.becomeReady();
    const { ended } = await bed.start({ leader: bed.leader });
    expect([bed.holder(), bed.diary.at(-1)]).toEqual(['a', 'worker starts']);
    bed.stop.abort(new AppError('canceled', 'stopped'));
    await bed.clock.advance(2999);
    expect(bed.holder()).toBe('a');
    await bed.clock.advance(1);
    expect(await ended).toEqual({ hung: [] });
    expect(bed.holder()).toBe('');
  });

  it('stops working when deposed, and works again when it has the lease again', async () => {
    const bed = setUp();
    bed.source.becomeReady();
    await bed.start({ leader: bed.leader });
    await bed.cluster.patch(TARGET, { kind: 'merge', body: { spec: { holderIdentity: 'b' } } });
    await bed.clock.advance(2000);
    expect(bed.diary).toEqual(['source starts', 'worker starts', 'worker ends']);
    await bed.clock.advance(20_000);
    expect([bed.holder(), bed.diary.at(-1)]).toEqual(['a', 'worker starts']);
  });

  it('says what hangs, does not give its lease away and does not go on renewing it', async () => {
    const bed = setUp(Infinity);
    bed.source.becomeReady();
    const { ended } = await bed.start({ leader: bed.leader, stopDeadlineMs: 10_000 });
    bed.stop.abort(new AppError('canceled', 'stopped'));
    await bed.clock.advance(10_000);
    expect(await ended).toEqual({ hung: ['worker (velero/b1)'] });
    expect(bed.log.lines.at(-1)).toMatchObject({ level: 'error', message: 'parts did not stop in time' });
    expect(bed.holder()).toBe('a');
    const calls = bed.cluster.calls.length;
    await bed.clock.advance(60_000);
    expect(bed.cluster.calls).toHaveLength(calls);
  });

  it('fails when a deposed worker hangs: another may work by now, and somebody must look', async () => {
    const bed = setUp(Infinity);
    bed.source.becomeReady();
    const { ended } = await bed.start({ leader: bed.leader, stopDeadlineMs: 10_000 });
    await bed.cluster.patch(TARGET, { kind: 'merge', body: { spec: { holderIdentity: 'b' } } });
    await bed.clock.advance(20_000);
    await expect(ended).rejects.toMatchObject({
      code: 'timeout',
      message: 'no longer leading, and still at work after being told to stop: worker (velero/b1)',
    });
    expect(bed.diary.at(-1)).toBe('source ends');
  });

  it.each(['source', 'worker'] as const)('stops everything and throws when a %s crashes', async (which) => {
    const bed = setUp();
    bed.source.becomeReady();
    const { ended } = await bed.start({ leader: bed.leader });
    bed[which].crash(new TypeError('bug'));
    await expect(ended).rejects.toMatchObject({ code: 'bug', message: `${which} ended with an error: bug` });
    expect(bed.diary).toContain(which === 'source' ? 'worker ends' : 'source ends');
    expect(bed.holder()).toBe('');
  });

  it('throws when a source crashes before it was ready', async () => {
    const bed = setUp();
    const { ended } = await bed.start();
    bed.source.crash(new TypeError('bug'));
    await expect(ended).rejects.toThrow('source ended with an error');
    expect(bed.diary).toEqual(['source starts']);
  });
});

it('does not lead while its gate is shut, and lets go of the lease when it is shut again', async () => {
  const bed = setUp();
  const door = new Door();
  const { ended } = await bed.start({ leader: bed.leader, gate: door });
  bed.source.becomeReady();
  await bed.clock.advance(10_000);
  expect([bed.diary, bed.holder()]).toEqual([['source starts'], undefined]);
  door.open();
  await bed.clock.advance(5000);
  expect([bed.diary.at(-1), bed.holder()]).toEqual(['worker starts', 'a']);
  door.shut(new AppError('conflict', 'Velero runs'));
  await bed.clock.advance(5000);
  expect([bed.diary.at(-1), bed.holder()]).toEqual(['worker ends', '']);
  door.open();
  await bed.clock.advance(5000);
  expect(bed.diary.at(-1)).toBe('worker starts');
  bed.stop.abort(new AppError('canceled', 'stopped by SIGTERM'));
  expect(await ended).toEqual({ hung: [] });
});
