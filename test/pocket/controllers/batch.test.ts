import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/index.ts';
import { CRON_JOBS, JOBS, PODS, type Job } from '../../../src/pocket/controllers/kinds/index.ts';
import { eventually } from '../../eventually.ts';
import { FakeClock } from '../../fake-clock.ts';
import { Cluster, container } from './cluster.ts';

let cluster: Cluster;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 0, 1, 0, 0, 30));
  cluster = await Cluster.start(clock);
});
afterEach(() => cluster[Symbol.asyncDispose]());

const template = { spec: { restartPolicy: 'Never', containers: [container] } };
const job = (name: string, spec: JsonObject = {}) =>
  cluster.create({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } });
const cronJob = (name: string, spec: JsonObject) =>
  cluster.create({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { jobTemplate: { spec: { template } }, ...spec },
  });
const read = (name: string): Job | undefined => cluster.client.get(JOBS, 'default', name);
const pods = (name: string) =>
  cluster.client.list(PODS, 'default').filter((pod) => pod.metadata.labels?.['batch.kubernetes.io/job-name'] === name);
const complete = (name: string) =>
  eventually(() => {
    expect(read(name)?.status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'True' });
  });

describe('a job', () => {
  it('runs as many pods as it should, counts each once and lets them go', async () => {
    await job('five', { completions: 5, parallelism: 2 });
    await complete('five');
    expect(read('five')?.status).toMatchObject({
      succeeded: 5,
      startTime: '2026-01-01T00:00:30Z',
      completionTime: '2026-01-01T00:00:30Z',
    });
    expect(read('five')?.status?.uncountedTerminatedPods).toEqual({});
    expect(pods('five').map((pod) => [pod.status?.phase, pod.metadata.finalizers])).toEqual(
      Array.from({ length: 5 }, () => ['Succeeded', undefined]),
    );
  });

  it('numbers its pods when it is indexed', async () => {
    await job('indexed', { completions: 3, parallelism: 3, completionMode: 'Indexed' });
    await complete('indexed');
    expect(read('indexed')?.status?.completedIndexes).toBe('0-2');
    expect(pods('indexed').map((pod) => pod.spec.hostname)).toEqual(['indexed-0', 'indexed-1', 'indexed-2']);
  });

  it('does nothing while it is suspended', async () => {
    await job('later', { suspend: true });
    await eventually(() => {
      expect(read('later')?.status?.conditions).toMatchObject([{ type: 'Suspended', status: 'True' }]);
    });
    expect(pods('later')).toEqual([]);
    await cluster.change(JOBS, 'default/later', (now) => ({ ...now, spec: { ...now.spec, suspend: false } }));
    await complete('later');
  });

  it('goes after its time to live, with its pods', async () => {
    await job('short', { ttlSecondsAfterFinished: 100 });
    await complete('short');
    await clock.advance(99_000);
    expect(read('short')).toBeDefined();
    await clock.advance(2000);
    await eventually(() => {
      expect([read('short'), pods('short')]).toEqual([undefined, []]);
    });
  });

  it('fails when its pods cannot be placed in time', async () => {
    const nowhere = { spec: { ...template.spec, nodeSelector: { no: 'where' } } };
    await job('stuck', { activeDeadlineSeconds: 60, template: nowhere });
    await eventually(() => {
      expect(pods('stuck')).toHaveLength(1);
      expect(read('stuck')?.status?.active).toBe(1);
    });
    await clock.advance(61_000);
    await eventually(() => {
      expect(read('stuck')?.status?.conditions?.at(-1)).toMatchObject({ type: 'Failed', reason: 'DeadlineExceeded' });
      expect(pods('stuck')).toEqual([]);
    });
  });

  it('goes on where it was after a restart', async () => {
    await job('lasting', { completions: 20, parallelism: 3 });
    for (let i = 0; i < 3; i += 1) await cluster.restart();
    await complete('lasting');
    expect(read('lasting')?.status).toMatchObject({ succeeded: 20 });
    expect(pods('lasting')).toHaveLength(20);
  });

  it('leaves no pod behind when it is deleted in the middle', async () => {
    const nowhere = { spec: { ...template.spec, nodeSelector: { no: 'where' } } };
    await job('gone', { template: nowhere, parallelism: 3, completions: 3 });
    await eventually(() => {
      expect(pods('gone')).toHaveLength(3);
    });
    await cluster.client.delete(JOBS, 'default', 'gone', { propagation: 'Background' });
    await eventually(() => {
      expect(pods('gone')).toEqual([]);
    });
  });
});

describe('a cron job', () => {
  const names = () => cluster.client.list(JOBS, 'default').map(({ metadata }) => metadata.name);
  const minute = (time: string) => Date.parse(`2026-01-01T${time}Z`) / 60_000;

  it('starts a job every time it is due and keeps the last three', async () => {
    await cronJob('often', { schedule: '*/10 * * * *' });
    await eventually(() => {
      expect(clock.sleeping).toBeGreaterThan(0);
    });
    for (let n = 1; n <= 5; n += 1) {
      await clock.advance(600_000);
      const expected = `often-${minute('00:00:00') + 10 * n}`;
      await complete(expected);
    }
    await eventually(() => {
      expect(names()).toEqual([30, 40, 50].map((n) => `often-${minute('00:00:00') + n}`));
      expect(cluster.client.get(CRON_JOBS, 'default', 'often')?.status).toMatchObject({
        lastScheduleTime: '2026-01-01T00:50:00Z',
      });
      expect(cluster.client.get(CRON_JOBS, 'default', 'often')?.status?.active ?? []).toEqual([]);
    });
  });

  it('starts the last one it missed while it was off, once', async () => {
    await cronJob('missed', { schedule: '0 * * * *' });
    await clock.advance(7_200_000 + 60_000);
    await complete(`missed-${minute('02:00:00')}`);
    await cluster.restart();
    await clock.advance(1000);
    await eventually(() => {
      expect(names()).toContain(`missed-${minute('02:00:00')}`);
    });
    expect(names().filter((name) => name === `missed-${minute('02:00:00')}`)).toHaveLength(1);
  });

  it('goes with its jobs', async () => {
    await cronJob('brief', { schedule: '* * * * *' });
    await clock.advance(60_000);
    await complete(`brief-${minute('00:01:00')}`);
    await cluster.client.delete(CRON_JOBS, 'default', 'brief', { propagation: 'Background' });
    await eventually(() => {
      expect([names(), cluster.client.list(PODS, 'default')]).toEqual([[], []]);
    });
  });
});
