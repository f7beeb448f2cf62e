import { describe, expect, it } from 'vitest';
import { AppError, type JsonObject } from '../../../base/index.ts';
import type { Report } from '../../../core/progress/index.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import type { KubeObject } from '../../../edge/kube/port.ts';
import { StatusPublisher, type PublisherOptions } from './publisher.ts';

const TYPE = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
const TARGET = { type: TYPE, namespace: 'velero', name: 'b1' };
const OBJECT: KubeObject = {
  apiVersion: 'velero.io/v1',
  kind: 'Backup',
  metadata: { namespace: 'velero', name: 'b1' },
};

function running(done: number, more: Partial<Report> = {}): Report {
  return {
    state: 'running',
    measures: [{ unit: 'items', done, total: { kind: 'exact', value: 1000 } }],
    children: [],
    ...more,
  };
}
const COMPLETED = running(1000, { state: 'completed', percent: 100 });

function statusOf(report: Report): JsonObject {
  const eta = report.etaSeconds;
  return {
    phase: report.state,
    progress: { done: report.measures[0]?.done ?? 0, ...(eta === undefined ? {} : { etaSeconds: eta }) },
  };
}

async function setUp(options: Partial<PublisherOptions> = {}) {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const log = recordingLog();
  if (options.subresource === 'status') cluster.kindsWithStatus.add('Backup');
  const object = await cluster.create(TARGET, OBJECT);
  const stop = new AbortController();
  const publisher = new StatusPublisher(
    {
      target: TARGET,
      object,
      statusOf,
      isOver: ({ status }) => /completed|failed/.test(JSON.stringify(status)),
      signal: stop.signal,
      ...options,
    },
    { kube: cluster, clock, log, random: () => 0 },
  );
  const status = () => cluster.peek(TARGET)?.['status'];
  const patches = () => cluster.calls.filter((call) => call.verb === 'patch');
  const touch = () =>
    cluster.patch(TARGET, { kind: 'merge', body: { metadata: { annotations: { at: String(clock.now()) } } } });
  return { clock, cluster, log, publisher, stop, status, patches, touch };
}

type Bed = Awaited<ReturnType<typeof setUp>>;

describe('StatusPublisher', () => {
  it.each([{}, { subresource: 'status' as const }])('writes the first report at once, %o', async (options) => {
    const bed = await setUp(options);
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 1 } });
    expect(bed.patches()[0]?.body).toMatchObject({ metadata: { resourceVersion: '2' } });
  });

  it('writes at most once a second, and then the newest', async () => {
    const bed = await setUp();
    for (let i = 1; i <= 500; i += 1) {
      bed.publisher.publish(running(i));
      if (i % 100 === 0) await bed.clock.advance(500);
    }
    expect(bed.patches()).toHaveLength(3);
    await bed.clock.advance(1000);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 500 } });
  });

  it('removes what a newer report no longer says', async () => {
    const bed = await setUp();
    bed.publisher.publish(running(1, { etaSeconds: 9 }));
    await bed.clock.advance(1000);
    bed.publisher.publish(running(2));
    await bed.clock.advance(1000);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 2 } });
  });

  it('sends a change within a second also while it waits for something less urgent', async () => {
    const bed = await setUp();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    bed.publisher.publish(running(1, { etaSeconds: 9 }));
    await bed.clock.advance(1500);
    bed.publisher.publish(running(2));
    await bed.clock.advance(999);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
  });

  it('does not wait for the second to end when the state changes', async () => {
    const bed = await setUp();
    bed.publisher.publish(running(0, { state: 'pending' }));
    await bed.clock.advance(10);
    bed.publisher.publish(running(0, { state: 'pending', stage: 'listing' }));
    await bed.clock.advance(10);
    bed.publisher.publish(running(1));
    await bed.clock.advance(10);
    expect(bed.status()).toMatchObject({ phase: 'running' });
  });

  it('keeps one write in flight, and the work never waits for it', async () => {
    const bed = await setUp();
    const answer = Promise.withResolvers<undefined>();
    bed.cluster.before = () => answer.promise;
    for (let i = 1; i <= 5; i += 1) {
      bed.publisher.publish(running(i));
      await bed.clock.advance(1000);
    }
    bed.cluster.before = () => undefined;
    expect(bed.patches()).toHaveLength(0);
    answer.resolve(undefined);
    await bed.clock.advance(0);
    expect(bed.patches()).toHaveLength(2);
    expect(bed.status()).toMatchObject({ progress: { done: 5 } });
  });

  it('logs and retries errors, and the newest report is what gets in', async () => {
    const bed = await setUp();
    bed.cluster.before = () => {
      throw new AppError('serverError', 'etcd has no leader');
    };
    bed.publisher.publish(running(1));
    await bed.clock.advance(900);
    bed.publisher.publish(running(2));
    await bed.clock.advance(60_000);
    expect(bed.log.lines[0]).toMatchObject({ level: 'warn', fields: { name: 'b1', err: 'etcd has no leader' } });
    bed.cluster.before = () => undefined;
    await bed.clock.advance(30_000);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
  });

  it('tries again with the newest report, not with the one that failed', async () => {
    const bed = await setUp();
    const refuse = Promise.withResolvers<undefined>();
    bed.cluster.before = () => refuse.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    bed.publisher.publish(running(2));
    bed.cluster.before = () => undefined;
    refuse.reject(new AppError('serverError', 'etcd has no leader'));
    await bed.clock.advance(5000);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
    expect(bed.patches()).toHaveLength(1);
  });

  it('goes on after a report that says nothing new', async () => {
    const bed = await setUp();
    for (const done of [1, 1, 2]) {
      bed.publisher.publish(running(done));
      await bed.clock.advance(1500);
    }
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
    expect(bed.patches()).toHaveLength(2);
  });

  it('overlooks no report, however soon after a write it comes', async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const bed = await setUp();
      const publishLater = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        bed.publisher.publish(running(2));
      };
      bed.cluster.after = () => {
        bed.cluster.after = () => undefined;
        void publishLater();
      };
      bed.publisher.publish(running(1));
      await bed.clock.advance(1500);
      expect(bed.status(), `${turns} turns later`).toMatchObject({ progress: { done: 2 } });
    }
  });

  it('keeps a bug in statusOf away from the work', async () => {
    const bed = await setUp({
      statusOf: () => {
        throw new TypeError('bug');
      },
    });
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    expect(bed.log.lines).toMatchObject([{ message: 'progress not written', fields: { err: 'bug' } }]);
  });

  it('applies a report to the fresh version when somebody else has written', async () => {
    const bed = await setUp();
    await bed.touch();
    bed.publisher.publish(running(7));
    await bed.clock.advance(0);
    // The refused patch never reached the object, but it reached the server.
    expect(bed.cluster.calls.slice(-3).map((call) => call.verb)).toEqual(['patch', 'get', 'patch']);
    expect(bed.status()).toMatchObject({ progress: { done: 7 } });
  });

  it('stops for good when somebody has ended the operation', async () => {
    const bed = await setUp();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.cluster.patch(TARGET, { kind: 'merge', body: { status: { phase: 'failed' } } });
    bed.publisher.publish(running(2));
    await bed.clock.advance(5000);
    expect(bed.status()).toEqual({ phase: 'failed', progress: { done: 1 } });
    expect(await bed.publisher.finish(COMPLETED)).toBe('superseded');
    expect(bed.status()).toEqual({ phase: 'failed', progress: { done: 1 } });
  });

  it.each(['deleted', 'made anew'])('stops when the object is %s', async (how) => {
    const bed = await setUp();
    await bed.cluster.delete(TARGET);
    if (how === 'made anew') await bed.cluster.create(TARGET, OBJECT);
    expect(await bed.publisher.finish(COMPLETED)).toBe('superseded');
    expect(bed.status()).toBeUndefined();
  });

  it('writes the last report and the ending as one, after the write in flight', async () => {
    const bed = await setUp();
    const answer = Promise.withResolvers<undefined>();
    bed.cluster.before = () => answer.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    const finished = bed.publisher.finish(COMPLETED, { completionTimestamp: 'now' });
    bed.publisher.publish(running(3));
    await bed.clock.advance(0);
    expect(bed.patches()).toHaveLength(0);
    answer.resolve(undefined);
    expect(await finished).toBe('written');
    expect(bed.patches().map((call) => call.body)).toMatchObject([
      { status: { phase: 'running' } },
      { status: { phase: 'completed', progress: { done: 1000 }, completionTimestamp: 'now' } },
    ]);
    expect(await bed.publisher.finish(running(1))).toBe('written');
    expect(bed.patches()).toHaveLength(2);
  });

  it('sends the last write at once when the one in flight fails', async () => {
    const bed = await setUp();
    const refuse = Promise.withResolvers<undefined>();
    bed.cluster.before = () => refuse.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(0);
    bed.cluster.before = () => undefined;
    refuse.reject(new AppError('serverError', 'refused'));
    await bed.clock.advance(0);
    expect(await finished).toBe('written');
  });

  it('retries the last write until it is in', async () => {
    const bed = await setUp();
    bed.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(600_000);
    bed.cluster.before = () => undefined;
    await bed.clock.advance(30_000);
    expect(await finished).toBe('written');
    expect(bed.log.lines[0]).toMatchObject({ level: 'error', message: 'last status not written' });
  });

  it('recognises its own last write whose answer was lost', async () => {
    const bed = await setUp();
    bed.cluster.after = (call) => {
      if (call.verb === 'patch') throw new AppError('unreachable', 'connection reset');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(5000);
    expect(await finished).toBe('written');
    // The second try was refused because of the first.
    expect(bed.patches()).toHaveLength(2);
    expect(bed.cluster.peek(TARGET)?.metadata.resourceVersion).toBe('3');
  });

  it('gives up only when its signal says that another leads', async () => {
    const bed = await setUp();
    bed.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(10_000);
    bed.stop.abort(new AppError('canceled', 'deposed'));
    await bed.clock.advance(0);
    expect(await finished).toBe('abandoned');
    expect(bed.clock.sleeping).toBe(0);
  });

  it('asks before each write whether it still may', async () => {
    let isLeading = true;
    const bed = await setUp({ mayWrite: () => isLeading });
    bed.publisher.publish(running(1));
    await bed.clock.advance(100);
    bed.publisher.publish(running(2));
    isLeading = false;
    await bed.clock.advance(5000);
    expect(await bed.publisher.finish(COMPLETED)).toBe('abandoned');
    expect(bed.status()).toMatchObject({ progress: { done: 1 } });
  });

  it('asks also before it writes once more what the next leader has written', async () => {
    let isLeading = true;
    const bed = await setUp({ mayWrite: () => isLeading });
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.touch();
    bed.cluster.before = (call) => {
      // Suspended while it looked, it goes on before any timer could tell it.
      if (call.verb === 'get') isLeading = false;
    };
    const before = bed.patches().length;
    await expect(bed.publisher.finish(COMPLETED)).resolves.toBe('abandoned');
    // The one that met the conflict.
    expect(bed.patches().length - before).toBe(1);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 1 } });
  });

  it('ends a write that hangs at its deadline', async () => {
    const bed = await setUp({ writeDeadlineMs: 2000 });
    bed.cluster.before = () => new Promise(() => undefined);
    bed.publisher.publish(running(1));
    await bed.clock.advance(2000);
    expect(bed.log.lines[0]?.fields['err']).toContain('longer than 2000 ms');
    bed.cluster.before = () => undefined;
    await bed.clock.advance(1000);
    expect(bed.status()).toMatchObject({ progress: { done: 1 } });
  });
});

describe('commit', () => {
  const never = new AbortController().signal;

  it('resolves when its fields are stored, and later writes keep them', async () => {
    const bed = await setUp();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.publisher.commit(running(2), { status: { openHooks: ['db'] } }, never);
    expect(bed.status()).toMatchObject({ openHooks: ['db'], progress: { done: 2 } });
    bed.publisher.publish(running(3));
    await bed.clock.advance(1000);
    expect(bed.status()).toMatchObject({ openHooks: ['db'], progress: { done: 3 } });
    await bed.publisher.commit(running(4), { status: { openHooks: null } }, never);
    expect(bed.status()).not.toHaveProperty('openHooks');
  });

  it('is kept by the last write', async () => {
    const bed = await setUp();
    await bed.publisher.commit(running(1), { status: { openHooks: ['db'] } }, never);
    expect(await bed.publisher.finish(COMPLETED, { phase: 'failed' })).toBe('written');
    expect(bed.status()).toMatchObject({ phase: 'failed', openHooks: ['db'] });
  });

  it('adds and removes a finalizer in the same write', async () => {
    const bed = await setUp();
    const finalizer = { name: 'headway.io/hooks', isWanted: true };
    await bed.publisher.commit(running(1), { status: { a: 1 }, finalizer }, never);
    expect(bed.cluster.peek(TARGET)?.metadata['finalizers']).toEqual(['headway.io/hooks']);
    expect(bed.patches()).toHaveLength(1);
    await bed.publisher.commit(running(2), { finalizer: { ...finalizer, isWanted: false } }, never);
    expect(bed.cluster.peek(TARGET)?.metadata['finalizers']).toEqual([]);
  });

  it('waits for the write that is under way, then for its own', async () => {
    const bed = await setUp();
    const gate = Promise.withResolvers<undefined>();
    bed.cluster.before = async ({ verb }) => {
      if (verb === 'patch' && bed.patches().length === 0) await gate.promise;
    };
    bed.publisher.publish(running(1));
    let isStored = false;
    const stored = bed.publisher.commit(running(2), { status: { a: 1 } }, never).then(() => {
      isStored = true;
    });
    await bed.clock.advance(2000);
    expect(isStored).toBe(false);
    gate.resolve(undefined);
    await bed.clock.advance(10);
    await stored;
    expect(bed.patches()).toHaveLength(2);
    expect(bed.status()).toMatchObject({ a: 1 });
  });

  it('is tried again while the server refuses, and soon', async () => {
    const bed = await setUp();
    let refusals = 3;
    bed.cluster.before = ({ verb }) => {
      if (verb === 'patch' && (refusals -= 1) >= 0) throw new AppError('serverError', 'etcd is slow');
    };
    const stored = bed.publisher.commit(running(1), { status: { a: 1 } }, never);
    await bed.clock.advance(2000);
    await stored;
    expect(bed.status()).toMatchObject({ a: 1 });
  });

  it('rejects when its signal is aborted, also during a write that fails', async () => {
    const bed = await setUp();
    const gate = Promise.withResolvers<undefined>();
    bed.cluster.before = async ({ verb }) => {
      if (verb === 'patch') await gate.promise;
    };
    const stop = new AbortController();
    const stored = bed.publisher.commit(running(1), { status: { a: 1 } }, stop.signal);
    stop.abort(new AppError('canceled', 'enough'));
    await expect(stored).rejects.toThrow('enough');
    gate.reject(new AppError('serverError', 'no'));
    await bed.clock.advance(100);
    expect(bed.status()).toBeUndefined();
  });

  it.each([
    ['after the end', async (bed: Bed) => void (await bed.publisher.finish(COMPLETED)), 'it has ended'],
    ['without leadership', (bed: Bed) => bed.stop.abort(), 'no longer leads'],
    ['of an object that is gone', (bed: Bed) => bed.cluster.delete(TARGET), 'it is gone'],
  ])('rejects %s', async (_, change, why) => {
    const bed = await setUp();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await change(bed);
    await expect(bed.publisher.commit(running(2), { status: { a: 1 } }, never)).rejects.toThrow(why);
  });
});
