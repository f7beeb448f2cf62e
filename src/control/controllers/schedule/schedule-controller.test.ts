import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { Workbench } from '../../../../test/around/workbench.ts';
import { Backup, Schedule } from '../../../api/index.ts';
import { AppError, textAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Schedules } from './schedule-controller.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A schedule whose next run is at 03:00 of the day after it was created. */
async function setUp(spec: JsonObject = {}, metadata: JsonObject = {}) {
  const bench = new Workbench(cluster);
  const name = Workbench.newName('nightly');
  const object = await bench.create(Schedule, name, {
    metadata,
    spec: { schedule: '0 3 * * *', template: {}, ...spec },
  });
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  const firstRun = created - (created % 86_400_000) + (created % 86_400_000 < 10_800_000 ? 0 : 86_400_000) + 10_800_000;
  const schedules = new Schedules({}, bench.deps);
  return {
    bench,
    name,
    firstRun,
    /** Reconciles with what the cluster contains now. */
    turn: async (now: number) => {
      bench.now = now;
      return await schedules.reconcile(await bench.get(Schedule, name), bench.signal);
    },
    schedules,
    status: async () => (await bench.get(Schedule, name))['status'] as JsonObject,
    backups: async () =>
      (await bench.list(Backup)).filter((one) => one.metadata.labels?.['velero.io/schedule-name'] === name),
  };
}
const time = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const finish = async (bench: Workbench, backup: KubeObject | undefined): Promise<void> => {
  await bench.patch(Backup, backup?.metadata.name ?? '', { status: { phase: 'Completed' } });
};

describe('a schedule', () => {
  it('is enabled, tells its next run, and makes one backup when that comes', async () => {
    const { bench, name, firstRun, turn, status, backups } = await setUp({ template: { ttl: '2h0m0s' } });
    expect(await turn(firstRun - 90_000)).toEqual({ requeueAfterMs: 60_000 });
    expect(await status()).toMatchObject({ phase: 'Enabled', nextRun: time(firstRun) });
    expect(await backups()).toEqual([]);
    expect(await turn(firstRun - 500)).toEqual({ requeueAfterMs: 500 });
    await turn(firstRun + 2_000);
    const [backup, ...others] = await backups();
    expect(others).toEqual([]);
    expect(backup?.metadata.name).toBe(`${name}-${time(firstRun + 2_000).replace(/\D/g, '')}`);
    expect(backup?.['spec']).toEqual({ ttl: '2h0m0s' });
    expect(await status()).toMatchObject({
      phase: 'Enabled',
      lastBackup: time(firstRun + 2_000),
      nextRun: time(firstRun + 86_400_000),
    });
    expect(bench.events.map(({ reason }) => reason)).toEqual(['BackupCreated']);
    await turn(firstRun + 3_000);
    expect(await backups()).toHaveLength(1);
  });

  it('makes no second backup for a run whose maker was killed before it could say so', async () => {
    const { bench, name, firstRun, turn, backups } = await setUp();
    await turn(firstRun + 1_000);
    await bench.patch(Schedule, name, { status: { lastBackup: null } });
    await finish(bench, (await backups())[0]);
    await turn(firstRun + 5_000);
    expect(await backups()).toHaveLength(1);
    expect((await bench.get(Schedule, name))['status']).toMatchObject({ lastBackup: time(firstRun + 5_000) });
  });

  it('makes no second backup from a stale cache', async () => {
    const { bench, name, firstRun, schedules, backups } = await setUp();
    const stale = await bench.get(Schedule, name);
    bench.now = firstRun + 1_000;
    await schedules.reconcile(stale, bench.signal);
    await finish(bench, (await backups())[0]);
    await schedules.reconcile(stale, bench.signal);
    expect(await backups()).toHaveLength(1);
  });

  it.each(['New', 'Queued', 'ReadyToStart', 'InProgress'])('waits while its backup is %s, then runs', async (phase) => {
    const { bench, firstRun, turn, status, backups } = await setUp();
    await turn(firstRun);
    const [first] = await backups();
    await bench.patch(Backup, first?.metadata.name ?? '', { status: { phase } });
    const dueAt = firstRun + 86_400_000;
    expect(await turn(dueAt + 10_000)).toEqual({ requeueAfterMs: 5_000 });
    expect(await status()).toMatchObject({
      nextRun: time(dueAt),
      conditions: [{ type: 'Ready', status: 'True', reason: 'WaitingForBackup' }],
    });
    await finish(bench, first);
    await turn(dueAt + 15_000);
    expect(await backups()).toHaveLength(2);
  });

  it('makes one backup after a long pause or a jump of the clock, not all that were missed', async () => {
    const { bench, firstRun, turn, status, backups } = await setUp({ schedule: '@every 1m' });
    await turn(firstRun + 400 * 86_400_000);
    expect(await backups()).toHaveLength(1);
    await finish(bench, (await backups())[0]);
    await turn(firstRun + 400 * 86_400_000 + 1_000);
    expect(await backups()).toHaveLength(1);
    // Back to the earlier time: the next run is a minute away, not 400 days.
    expect(await turn(firstRun)).toEqual({ requeueAfterMs: 60_000 });
    expect((await status())['nextRun']).toBe(time(firstRun + 60_000));
    await turn(firstRun + 61_000);
    expect(await backups()).toHaveLength(2);
  });

  it('skips the run that is due when asked to, and forgets that it was asked', async () => {
    const { bench, name, firstRun, turn, status, backups } = await setUp({ skipImmediately: true });
    await turn(firstRun + 60_000);
    expect(await backups()).toEqual([]);
    expect(await status()).toMatchObject({
      lastSkipped: time(firstRun + 60_000),
      nextRun: time(firstRun + 86_400_000),
    });
    expect(textAt(await bench.get(Schedule, name), 'spec', 'schedule')).toBe('0 3 * * *');
    expect((await bench.get(Schedule, name))['spec']).toMatchObject({ skipImmediately: false });
    await turn(firstRun + 70_000);
    expect(await backups()).toEqual([]);
    await turn(firstRun + 86_400_000);
    expect(await backups()).toHaveLength(1);
  });

  it('does nothing while paused, and runs when that ends', async () => {
    const { bench, name, firstRun, turn, status, backups } = await setUp({ paused: true });
    expect(await turn(firstRun + 60_000)).toBe('done');
    expect(await backups()).toEqual([]);
    // It was never enabled, so it has no phase, and as in Velero nothing else changes.
    expect(await status()).toEqual({ conditions: [expect.objectContaining({ type: 'Ready', reason: 'Paused' })] });
    expect((await bench.get(Schedule, name))['spec']).not.toHaveProperty('skipImmediately');
    await bench.patch(Schedule, name, { spec: { paused: false } });
    await turn(firstRun + 61_000);
    expect(await backups()).toHaveLength(1);
    expect((await bench.get(Schedule, name))['spec']).toMatchObject({ paused: false, skipImmediately: false });
    await bench.patch(Schedule, name, { spec: { paused: true } });
    await turn(firstRun + 62_000);
    expect(await status()).toMatchObject({ phase: 'Enabled', conditions: [{ reason: 'Paused' }] });
  });

  it.each(['every now and then', '61 * * * *', '@every never', '0 0 30 2 *', 'CRON_TZ=Nowhere 0 3 * * *', ''])(
    'refuses %o with the reason, and takes it back when it is mended',
    async (line) => {
      const { bench, name, firstRun, turn, status } = await setUp({ schedule: line });
      expect(await turn(firstRun)).toBe('done');
      expect(await status()).toMatchObject({
        phase: 'FailedValidation',
        validationErrors: [expect.stringMatching(/^invalid schedule: |^Schedule must be/) as string],
        conditions: [{ type: 'Ready', status: 'False', reason: 'Invalid' }],
      });
      await turn(firstRun + 1_000);
      expect(bench.events.map(({ reason }) => reason)).toEqual(['FailedValidation']);
      await bench.patch(Schedule, name, { spec: { schedule: '@daily' } });
      await turn(firstRun - 86_400_000);
      expect(await status()).toMatchObject({ phase: 'Enabled' });
      expect((await status())['validationErrors']).toBeUndefined();
    },
  );

  it('waits a second when the name of its backup is taken', async () => {
    const { bench, name, firstRun, turn, backups } = await setUp();
    await bench.create(Backup, `${name}-${time(firstRun).replace(/\D/g, '')}`, { spec: {} });
    expect(await turn(firstRun)).toEqual({ requeueAfterMs: 1_000 });
    await turn(firstRun + 1_000);
    expect(await backups()).toHaveLength(1);
  });

  it('writes nothing when this process no longer leads', async () => {
    const { bench, name, firstRun } = await setUp();
    const schedules = new Schedules({}, { ...bench.deps, mayWrite: () => false });
    bench.now = firstRun - 1_000;
    await expect(schedules.reconcile(await bench.get(Schedule, name), bench.signal)).rejects.toThrow(AppError);
  });
});
