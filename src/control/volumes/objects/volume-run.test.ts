import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { VolumePluginBackup } from '../../../api/index.ts';
import { AppError, NO_LOG, objectsAt, textAt, valueAt } from '../../../base/index.ts';
import { VolumeRun } from './volume-run.ts';

const TARGET = { type: VolumePluginBackup, namespace: 'velero', name: 'b-1' };
const never = new AbortController().signal;

/** A volume on its way, and every write of its status with its time. */
async function begun() {
  const clock = new FakeClock();
  const kube = new ScriptedCluster(clock);
  const object = await kube.create(TARGET, {
    apiVersion: 'velero.io/v1',
    kind: VolumePluginBackup.kind,
    metadata: { name: 'b-1', namespace: 'velero' },
  });
  const writes: { at: number; done: number; current: string | undefined; isStalled: boolean }[] = [];
  kube.after = ({ verb }) => {
    const status = kube.peek(TARGET)?.['status'];
    if (verb !== 'patch' || status === undefined) return;
    const conditions = objectsAt(kube.peek(TARGET), 'status', 'conditions');
    writes.push({
      at: clock.now(),
      done: Number(valueAt(kube.peek(TARGET), 'status', 'progress', 'bytesDone') ?? 0),
      current: textAt(kube.peek(TARGET), 'status', 'progress', 'current'),
      isStalled: conditions.some(({ type }) => type === 'Stalled'),
    });
  };
  const deps = { kube, clock, random: () => 0.5, log: NO_LOG, mayWrite: () => true };
  const run = new VolumeRun(
    [{ type: VolumePluginBackup, object }],
    { own: {}, readAt: clock.now(), writes: never },
    deps,
  );
  const beginning = run.begin(1, never);
  await clock.advance(0);
  await beginning;
  return { clock, run, writes, startedAt: clock.now() };
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((at, index) => at - times[index]!);

describe('a volume, seen from outside', () => {
  it('is silent for no two seconds while its pod starts, and says what it waits for and how long', async () => {
    const { clock, run, writes, startedAt } = await begun();
    const wait = run.wait(new AppError('timeout', 'pod shop/mover has to start'));
    for (let ms = 0; ms < 20_000; ms += 100) await clock.advance(100);
    const between = gaps([startedAt, ...writes.map(({ at }) => at), clock.now()]);
    expect(Math.max(...between)).toBeLessThan(2_000);
    expect(Math.min(...gaps(writes.slice(1).map(({ at }) => at)))).toBeGreaterThanOrEqual(1_000);
    expect(writes.map(({ current }) => current)).toContain('pod shop/mover has to start, for 3 s');
    wait.end();
    run.progress({ bytesDone: 1, current: 'a/file' });
    await clock.advance(1_200);
    expect(writes.at(-1)).toMatchObject({ done: 1, current: 'a/file' });
    await run.leave();
  });

  it('is stalled within 15 s when the cluster says what is in the way, and no noise follows', async () => {
    const { clock, run, writes, startedAt } = await begun();
    const wait = run.wait(new AppError('timeout', 'pod shop/mover has to start'));
    await clock.advance(2_000);
    wait.explain({ reason: 'Unschedulable', cause: 'no node fits', hint: 'add one' });
    for (let ms = 0; ms < 60_000; ms += 100) await clock.advance(100);
    const stalled = writes.find(({ isStalled }) => isStalled);
    expect(stalled!.at - startedAt).toBeLessThan(13_000);
    const after = gaps(writes.filter(({ at }) => at > stalled!.at).map(({ at }) => at));
    expect(Math.min(...after)).toBeGreaterThanOrEqual(5_000);
    await run.leave();
  });

  it('shows every number within 1.2 s, at most once a second', async () => {
    const steps = fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 3, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (waits) => {
        const { clock, run, writes } = await begun();
        const told: { at: number; done: number }[] = [];
        for (const [index, ms] of waits.entries()) {
          run.progress({ bytesDone: (index + 1) * 1_000, totalBytes: 1_000_000 });
          told.push({ at: clock.now(), done: (index + 1) * 1_000 });
          await clock.advance(ms);
        }
        await clock.advance(2_000);
        for (const { at, done } of told) {
          const seen = writes.find((write) => write.done >= done);
          expect(seen!.at - at).toBeLessThanOrEqual(1_000);
        }
        expect(Math.min(1_000, ...gaps(writes.slice(1).map(({ at }) => at)))).toBe(1_000);
        await run.leave();
      }),
      { numRuns: 60 },
    );
  });
});
