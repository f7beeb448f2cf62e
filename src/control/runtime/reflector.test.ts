import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster, type ScriptedCall } from '../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import type { KubeObject } from '../../edge/kube/port.ts';
import type { CacheChange } from './object-cache.ts';
import { Reflector, type ReflectorOptions } from './reflector.ts';

const TYPE = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
const TARGET = { type: TYPE, namespace: 'velero' };

function backup(name: string, more: object = {}): KubeObject {
  return { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { namespace: 'velero', name }, ...more };
}

function setUp(options: Partial<ReflectorOptions> = {}) {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const log = recordingLog();
  const reflector = new Reflector({ target: TARGET, ...options }, { kube: cluster, clock, log, random: () => 1 });
  const changes: string[] = [];
  reflector.cache.subscribe((change) => changes.push(`${change.type} ${change.key}`));
  const stop = new AbortController();
  const seed = async (...names: string[]): Promise<void> => {
    for (const name of names) await cluster.create(TARGET, backup(name));
  };
  const touch = async (name: string): Promise<void> => {
    await cluster.patch({ ...TARGET, name }, { kind: 'merge', body: { status: { phase: String(clock.now()) } } });
  };
  const start = async (): Promise<void> => {
    void reflector.run(stop.signal);
    await clock.advance(0);
  };
  const count = (verb: ScriptedCall['verb']) => cluster.calls.filter((call) => call.verb === verb).length;
  return { clock, cluster, log, reflector, changes, stop, seed, touch, start, count };
}
type Bed = ReturnType<typeof setUp>;

const keys = (bed: Bed) => [...bed.reflector.cache.values()].map((object) => object.metadata.name).sort();

describe('Reflector', () => {
  it('lists by pages, becomes ready and then follows the watch', async () => {
    const bed = setUp({ pageSize: 2 });
    await bed.seed('a', 'b', 'c');
    await bed.start();
    await expect(bed.reflector.ready).resolves.toBeUndefined();
    expect(bed.count('list')).toBe(2);
    await bed.seed('d');
    await bed.touch('a');
    await bed.cluster.delete({ ...TARGET, name: 'b' });
    await bed.clock.advance(0);
    expect(bed.changes).toEqual([
      'added velero/a',
      'added velero/b',
      'added velero/c',
      'added velero/d',
      'updated velero/a',
      'deleted velero/b',
    ]);
    expect(bed.reflector.cache.get('velero/a')?.['status']).toEqual({ phase: String(bed.clock.now()) });
  });

  it('goes on from the last event when a connection that worked breaks, without listing', async () => {
    const bed = setUp();
    await bed.seed('a');
    await bed.start();
    await bed.clock.advance(5000);
    await bed.touch('a');
    bed.cluster.endWatches(new AppError('unreachable', 'socket hang up'));
    await bed.seed('b');
    await bed.clock.advance(0);
    expect(keys(bed)).toEqual(['a', 'b']);
    expect([bed.count('list'), bed.count('watch')]).toEqual([1, 2]);
  });

  it('lists again after 410 and notices what was deleted and what was made anew meanwhile', async () => {
    const bed = setUp();
    await bed.seed('a', 'b', 'c');
    await bed.start();
    await bed.clock.advance(5000);
    bed.changes.length = 0;
    bed.cluster.muteWatches();
    await bed.cluster.delete({ ...TARGET, name: 'b' });
    await bed.cluster.delete({ ...TARGET, name: 'c' });
    await bed.seed('c', 'd');
    bed.cluster.compact();
    bed.cluster.endWatches();
    await bed.clock.advance(1000);
    expect(bed.changes).toEqual(['deleted velero/c', 'added velero/c', 'added velero/d', 'deleted velero/b']);
    expect([bed.count('list'), bed.cluster.openWatches]).toEqual([2, 1]);
  });

  it('drops what it saw when the server starts the list over', async () => {
    const bed = setUp({ pageSize: 1 });
    await bed.seed('a', 'b');
    let isFirst = true;
    bed.cluster.before = async (call) => {
      if (call.verb !== 'list' || call.page !== 1 || !isFirst) return;
      isFirst = false;
      await bed.cluster.delete({ ...TARGET, name: 'a' });
      throw new AppError('gone', 'the continue token expired');
    };
    await bed.start();
    expect(bed.changes).toEqual(['added velero/a', 'added velero/b', 'deleted velero/a']);
    expect(keys(bed)).toEqual(['b']);
  });

  it('notices a half-open connection by its silence; bookmarks are a sign of life', async () => {
    const bed = setUp({ inactivityMs: 10_000 });
    await bed.start();
    await bed.clock.advance(6000);
    bed.cluster.bookmark();
    await bed.clock.advance(9000);
    expect(bed.count('watch')).toBe(1);
    bed.cluster.muteWatches();
    await bed.seed('a');
    await bed.clock.advance(1001);
    expect([bed.count('watch'), bed.count('list'), keys(bed)]).toEqual([2, 1, ['a']]);
  });

  it('is at it again at once when somebody cuts a quiet watch, however often', async () => {
    const bed = setUp();
    await bed.start();
    for (let cut = 0; cut < 10; cut += 1) {
      await bed.clock.advance(50_000);
      bed.cluster.endWatches(new AppError('unreachable', 'socket hang up'));
    }
    await bed.seed('a');
    await bed.clock.advance(0);
    expect([keys(bed), bed.count('list'), bed.count('watch')]).toEqual([['a'], 1, 11]);
  });

  it('never gives up, and waits at most 30 s between attempts', async () => {
    const bed = setUp();
    const attempts: number[] = [];
    bed.cluster.before = () => {
      attempts.push(bed.clock.now());
      throw new AppError('unreachable', 'connection refused');
    };
    await bed.start();
    await bed.clock.advance(600_000);
    const gaps = attempts.slice(1).map((at, i) => at - (attempts[i] ?? 0));
    expect(gaps.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
    expect(Math.max(...gaps)).toBe(30_000);
    bed.cluster.before = () => undefined;
    await bed.seed('a');
    await bed.clock.advance(30_000);
    expect(keys(bed)).toEqual(['a']);
  });

  it('says since when the cluster is not seen, until the watch is open again', async () => {
    const bed = setUp();
    await bed.start();
    await bed.clock.advance(5000);
    expect(bed.reflector.unseenSince).toBeUndefined();
    bed.cluster.endWatches();
    await bed.clock.advance(2000);
    expect(bed.reflector.unseenSince).toBeUndefined();
    bed.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    const brokeAt = bed.clock.now();
    bed.cluster.endWatches(new AppError('unreachable', 'socket hang up'));
    await bed.clock.advance(60_000);
    expect(bed.reflector.unseenSince).toBe(brokeAt);
    bed.cluster.before = () => undefined;
    await bed.clock.advance(30_000);
    expect(bed.reflector.unseenSince).toBeUndefined();
  });

  it('goes on trying what is forbidden, and says that somebody must look', async () => {
    const bed = setUp();
    bed.cluster.before = () => {
      throw new AppError('forbidden', 'backups is forbidden');
    };
    await bed.start();
    expect(bed.log.lines).toMatchObject([{ level: 'error', message: 'watch refused', fields: { listsAgain: true } }]);
    bed.cluster.before = () => undefined;
    await bed.clock.advance(500);
    await expect(bed.reflector.ready).resolves.toBeUndefined();
  });

  it('lists again when the resourceVersion itself seems to be the trouble', async () => {
    const bed = setUp();
    await bed.start();
    bed.cluster.endWatches();
    bed.cluster.before = (call) => {
      if (call.verb === 'watch' && bed.count('list') === 1) throw new AppError('timeout', 'too large resource version');
    };
    await bed.clock.advance(60_000);
    expect([bed.count('list'), bed.cluster.openWatches]).toEqual([2, 1]);
  });

  it('does not ask in a tight loop when every watch is closed at once', async () => {
    const bed = setUp();
    bed.cluster.before = (call) => {
      if (call.verb === 'watch') throw new AppError('gone', 'too old');
    };
    await bed.start();
    await bed.clock.advance(60_000);
    expect(bed.count('list')).toBeLessThan(10);
  });

  it('keeps deleting nothing when a list breaks in the middle', async () => {
    const bed = setUp({ pageSize: 1 });
    await bed.seed('a', 'b');
    await bed.start();
    bed.cluster.compact();
    bed.cluster.before = (call) => {
      if (call.verb === 'list' && call.page === 1) throw new AppError('serverError', '500');
    };
    bed.cluster.endWatches(new AppError('gone', 'too old'));
    await bed.clock.advance(5000);
    expect(keys(bed)).toEqual(['a', 'b']);
    expect(bed.log.lines.some((line) => line.message === 'watch broke')).toBe(true);
  });

  it('survives a listener that throws', async () => {
    const bed = setUp();
    bed.reflector.cache.subscribe(() => {
      throw new Error('listener bug');
    });
    await bed.seed('a', 'b');
    await bed.start();
    expect(bed.changes).toHaveLength(2);
    expect(bed.log.lines.filter((line) => line.level === 'error')).toHaveLength(2);
  });

  it('tells a late listener what is there, and nothing after it has left', async () => {
    const bed = setUp({ trim: (object) => ({ ...object, spec: undefined }) });
    await bed.cluster.create(TARGET, backup('a', { spec: { ttl: '1h' } }));
    await bed.start();
    const heard: CacheChange[] = [];
    const leave = bed.reflector.cache.subscribe((change) => heard.push(change));
    leave();
    await bed.seed('b');
    await bed.clock.advance(0);
    expect(heard.map((change) => [change.type, change.object['spec']])).toEqual([['added', undefined]]);
  });

  it('ends when stopped, also before it was ready', async () => {
    const bed = setUp();
    bed.cluster.before = () => new Promise(() => undefined);
    const run = bed.reflector.run(bed.stop.signal);
    bed.stop.abort(new AppError('canceled', 'stopped'));
    await run;
    await expect(bed.reflector.ready).rejects.toThrow('stopped');
    expect(bed.clock.sleeping).toBe(0);
  });
});

describe('a kind that need not be there', () => {
  it('is empty and ready while it is missing, and is seen within 10 s of its definition', async () => {
    let missing: string | undefined = 'no CRD backups.velero.io';
    const told: (string | undefined)[] = [];
    const bed = setUp({
      absence: () => Promise.resolve(missing),
      onAbsence: () => told.push(bed.reflector.absence),
    });
    let refused = 0;
    bed.cluster.before = (call) => {
      if (missing === undefined || call.verb !== 'list') return;
      refused += 1;
      throw new AppError('notFound', 'no such kind');
    };
    await bed.start();
    await expect(bed.reflector.ready).resolves.toBeUndefined();
    expect([bed.reflector.absence, bed.reflector.isListed, bed.reflector.unseenSince]).toEqual([
      'no CRD backups.velero.io',
      false,
      undefined,
    ]);
    await bed.clock.advance(60_000);
    // Asked for once; from then on only its definition is looked for.
    expect([refused, bed.log.lines.filter(({ level }) => level !== 'debug')]).toEqual([1, []]);
    missing = undefined;
    await bed.seed('a');
    await bed.clock.advance(10_000);
    expect([keys(bed), bed.reflector.isListed]).toEqual([['a'], true]);
    // Its definition is deleted, and with it everything of the kind.
    missing = 'gone';
    bed.cluster.endWatches(new AppError('notFound', 'no such kind'));
    await bed.clock.advance(5000);
    expect([keys(bed), told]).toEqual([[], ['no CRD backups.velero.io', undefined, 'gone']]);
  });

  it('keeps what it has seen while only the list answers 404, as a server that has just started does', async () => {
    const bed = setUp({ absence: () => Promise.resolve(undefined) });
    await bed.seed('a');
    await bed.start();
    bed.cluster.before = (call) => {
      if (call.verb === 'list' || call.verb === 'watch') throw new AppError('notFound', 'the server is not ready');
    };
    bed.cluster.endWatches(new AppError('notFound', 'the server is not ready'));
    await bed.clock.advance(30_000);
    expect([keys(bed), bed.reflector.absence]).toEqual([['a'], undefined]);
  });

  it('holds nobody up when it may not be listed', async () => {
    const bed = setUp({ absence: () => Promise.resolve(undefined) });
    bed.cluster.before = () => {
      throw new AppError('forbidden', 'actionsets is forbidden');
    };
    await bed.start();
    await expect(bed.reflector.ready).resolves.toBeUndefined();
    expect([bed.reflector.absence, bed.reflector.unseenSince]).toEqual(['actionsets is forbidden', undefined]);
  });
});
