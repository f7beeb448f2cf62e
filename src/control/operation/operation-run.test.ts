import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { Restore } from '../../api/index.ts';
import { AppError, isObject, NO_LOG, objectAt, objectsAt, valueAt, type JsonObject } from '../../base/index.ts';
import { adapterFor, readOperation } from '../../core/operations/index.ts';
import { exact, toStatusProgress } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { OperationRun } from './operation-run.ts';
import type { Explanation } from './waits.ts';

const target = { type: Restore, namespace: 'velero', name: 'a' };

async function start(resume?: ConstructorParameters<typeof OperationRun>[0]['resume']) {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const term = new AbortController();
  const object = await cluster.create(target, {
    apiVersion: 'velero.io/v1',
    kind: 'Restore',
    metadata: { name: 'a', namespace: 'velero' },
  });
  const deps = {
    kube: cluster,
    clock,
    log: NO_LOG,
    random: () => 0.5,
    mayWrite: () => true,
  };
  const run = new OperationRun(
    {
      target,
      object,
      isOver: (found: KubeObject) => valueAt(found['status'], 'phase') === 'Completed',
      statusOf: ({ report, conditions, stages }) =>
        ({ phase: 'InProgress', progress: toStatusProgress(report), conditions, stages }) as unknown as JsonObject,
      resume,
      writes: term.signal,
    },
    deps,
  );
  run.start();
  const status = async (): Promise<JsonObject> => objectAt((await cluster.get(target))['status']);
  return { clock, cluster, run, status, term };
}

describe('a running operation', () => {
  it('shows a change within a second, and ends with phase and numbers in one write', async () => {
    const { clock, cluster, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'restoring' });
    run.feed({ kind: 'measure', unit: 'items', done: 25, total: exact(100) });
    await clock.advance(1000);
    expect(valueAt(await status(), 'progress', 'percent')).toBe(25);
    expect(valueAt(await status(), 'progress', 'stage')).toBe('restoring');
    run.feed({ kind: 'measure', unit: 'items', done: 100 });
    const writes = cluster.calls.length;
    expect(await run.finish('completed', { phase: 'Completed' })).toBe('written');
    expect(cluster.calls.slice(writes).filter(({ verb }) => verb === 'patch')).toHaveLength(1);
    expect(await status()).toMatchObject({ phase: 'Completed', progress: { percent: 100 } });
    expect(objectsAt(await status(), 'stages')[0]?.['endedAt']).toBeDefined();
    await clock.advance(5000);
    expect(cluster.calls.filter(({ verb }) => verb === 'patch').length).toBeLessThan(6);
  });

  it('names what it waits for when nothing moves, and forgets it when work goes on', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'uploading' });
    const wait = run.wait(new AppError('unreachable', 'put backups/a/a.tar.gz: connection refused'), 'away');
    await clock.advance(10_000);
    expect(valueAt(await status(), 'conditions')).toEqual([]);
    await clock.advance(6_000);
    const stalled = (valueAt(await status(), 'conditions') as JsonObject[]).filter(isObject)[0];
    expect(stalled).toMatchObject({ type: 'Stalled', status: 'True', reason: 'Waiting' });
    expect(stalled?.['message']).toContain('connection refused');
    wait.end();
    run.feed({ kind: 'worked' });
    await clock.advance(2000);
    expect(valueAt(await status(), 'conditions')).toEqual([]);
    await run.leave();
  });

  it.each(['unreachable', 'forbidden'] as const)('is read back with cause and hint apart (%s)', async (code) => {
    const { clock, cluster, run } = await start();
    run.wait(new AppError(code, 'put a.tar.gz: refused; try later'), 'away');
    await clock.advance(121_000);
    const seen = { cluster: 'c', now: clock.now() };
    const { stalled } = readOperation(adapterFor('Restore'), await cluster.get(target), seen).report;
    expect(stalled?.cause).toBe('put a.tar.gz: refused; try later');
    expect(stalled?.hint).toMatch(/it continues when/);
    await run.leave();
  });

  it('gives what is only slow its time', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'finalizing' });
    run.wait(new AppError('timeout', 'pod shop/web is not up: ContainerCreating'), 'slow');
    await clock.advance(100_000);
    expect(valueAt(await status(), 'conditions')).toEqual([]);
    await clock.advance(21_000);
    expect(objectsAt(await status(), 'conditions')[0]?.['message']).toContain('ContainerCreating');
    await run.leave();
  });

  it('asks the cluster why nothing moves, names the answer within 15 s, and forgets it when work goes on', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'restoring' });
    const asked: number[] = [];
    let answer: Explanation | undefined = {
      reason: 'Unschedulable',
      cause: 'pod a/b fits on no node',
      hint: 'add one',
    };
    run.wait(new AppError('timeout', 'pod a/a is not up'), 'slow');
    const wait = run.wait(new AppError('timeout', 'pod a/b is not up'), 'slow');
    wait.explainWith(() => {
      asked.push(clock.now());
      return Promise.resolve(answer);
    });
    await clock.advance(3000);
    expect(asked).toEqual([]);
    await clock.advance(11_000);
    expect(objectsAt(await status(), 'conditions')).toMatchObject([
      { type: 'Stalled', reason: 'Unschedulable', message: 'pod a/b fits on no node; add one' },
    ]);
    expect(run.report.waits?.map(({ cause }) => cause)).toEqual(['pod a/a is not up', 'pod a/b fits on no node']);
    // Nothing is in the way any more, and it is slow all the same: no stall before the usual limit.
    answer = undefined;
    await clock.advance(10_000);
    expect(objectsAt(await status(), 'conditions')).toEqual([]);
    expect(asked.length).toBeLessThan(6);
    const before = asked.length;
    run.feed({ kind: 'worked' });
    await clock.advance(3000);
    expect(asked).toHaveLength(before);
    await run.leave();
  });

  it('asks about a few waits at a time, and is held up neither by silence nor by an error', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'restoring' });
    const open = { now: 0, most: 0 };
    for (let index = 0; index < 50; index += 1) {
      const wait = run.wait(new AppError('timeout', `pod a/${index} is not up`), 'slow');
      wait.explainWith(async (signal) => {
        open.most = Math.max(open.most, (open.now += 1));
        try {
          if (index === 0) throw new AppError('forbidden', 'events are forbidden');
          return await clock.sleep(3600_000, signal).then(() => undefined);
        } finally {
          open.now -= 1;
        }
      });
    }
    run.feed({ kind: 'measure', unit: 'items', done: 1, total: exact(2) });
    await clock.advance(130_000);
    expect(open.most).toBe(4);
    expect(valueAt(await status(), 'progress', 'percent')).toBe(50);
    expect(objectsAt(await status(), 'conditions')).toMatchObject([{ reason: 'Waiting' }]);
    await run.leave();
    expect(open.now).toBe(0);
  });

  it('is not stalled by an outage that is over', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'uploading' });
    const wait = run.wait(new AppError('unreachable', 'connection refused'), 'away');
    await clock.advance(16_000);
    expect(objectsAt(await status(), 'conditions')).toHaveLength(1);
    wait.end();
    await clock.advance(2_000);
    expect(objectsAt(await status(), 'conditions')).toEqual([]);
    await run.leave();
  });

  it('lists no wait that is over in a moment, and of very many the twenty oldest', async () => {
    const { clock, run } = await start();
    run.feed({ kind: 'stage', stage: 'finalizing' });
    for (let pod = 0; pod < 100; pod += 1) run.wait(new AppError('timeout', `pod ${pod} is not up`), 'slow');
    await clock.advance(2900);
    expect(run.report.waits).toBeUndefined();
    await clock.advance(200);
    expect(run.report.waits).toHaveLength(20);
    expect(run.report.waits?.[0]?.cause).toBe('pod 0 is not up');
    await run.leave();
  });

  it('shows the oldest of many waits, and one that ends leaves the others', async () => {
    const { clock, run, status } = await start();
    run.feed({ kind: 'stage', stage: 'finalizing' });
    const first = run.wait(new AppError('timeout', 'pod shop/a is not up: ContainerCreating'), 'slow');
    await clock.advance(1000);
    const second = run.wait(new AppError('timeout', 'pod shop/b is not up: Unschedulable'), 'slow');
    await clock.advance(121_000);
    expect(objectsAt(await status(), 'conditions')[0]?.['message']).toContain('shop/a');
    const causes = () => run.report.waits?.map(({ cause }) => cause);
    expect(causes()).toEqual([expect.stringContaining('shop/a'), expect.stringContaining('shop/b')]);
    first.end();
    await clock.advance(2000);
    expect(objectsAt(await status(), 'conditions')[0]?.['message']).toContain('shop/b is not up: Unschedulable');
    second.tell(new AppError('timeout', 'pod shop/b is not up: ImagePullBackOff'));
    await clock.advance(2000);
    expect(objectsAt(await status(), 'conditions')[0]?.['message']).toContain('ImagePullBackOff');
    second.end();
    await clock.advance(2000);
    expect(run.report.waits).toBeUndefined();
    await run.leave();
  });

  it('tells its children and its steps', async () => {
    const { clock, run } = await start();
    const child = { ref: { apiVersion: 'velero.io/v1', kind: 'PodVolumeBackup', name: 'v' }, report: run.report };
    run.setChildren([child]);
    run.setPipeline([{ name: 'Backup', message: 'Running', started: '2026-01-01T00:00:00Z' }]);
    await clock.advance(1000);
    expect(run.report.children).toHaveLength(1);
    expect(run.report.pipeline).toMatchObject([{ name: 'Backup' }]);
    await run.leave();
  });

  it('gives up on a record that cannot be written for ten minutes', async () => {
    const { clock, cluster, run } = await start();
    cluster.before = ({ verb }) => {
      if (verb === 'patch') throw new AppError('serverError', 'etcd is slow');
    };
    const never = new AbortController().signal;
    const stored = expect(run.commit({ status: { openHooks: [] } }, never)).rejects.toThrow('too long');
    await clock.advance(11 * 60_000);
    await stored;
    await run.leave();
  });

  it('goes on from the percent that people have seen', async () => {
    const { clock, run, status } = await start({ state: 'running', percent: 60, measures: [], children: [] });
    run.feed({ kind: 'measure', unit: 'items', done: 1, total: exact(100) });
    await clock.advance(1000);
    expect(valueAt(await status(), 'progress', 'percent')).toBe(60);
    await run.leave();
  });

  it('writes nothing after the term', async () => {
    const { clock, cluster, run, term } = await start();
    await clock.advance(1000);
    term.abort(new AppError('canceled', 'deposed'));
    const writes = cluster.calls.length;
    run.feed({ kind: 'measure', unit: 'items', done: 1 });
    await clock.advance(5000);
    expect(await run.finish('completed', { phase: 'Completed' })).toBe('abandoned');
    expect(cluster.calls).toHaveLength(writes);
  });
});
