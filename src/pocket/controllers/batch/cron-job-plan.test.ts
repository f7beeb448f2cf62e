import { describe, expect, it } from 'vitest';
import type { CronJob, Job } from '../kinds/index.ts';
import { cronJobJob, planCronJob } from './cron-job-plan.ts';

const at = (time: string): number => Date.parse(`2026-01-01T${time}Z`);
const cronJob = (spec: Partial<CronJob['spec']> = {}, status?: CronJob['status']): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:30Z' },
  spec: { schedule: '*/10 * * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } }, ...spec },
  ...(status === undefined ? {} : { status }),
});
const job = (name: string, end?: 'Complete' | 'Failed', created = '2026-01-01T00:00:00Z'): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, creationTimestamp: created },
  spec: { template: { spec: { containers: [] } } },
  status:
    end === undefined ? {} : { conditions: [{ type: end, status: 'True' }], completionTime: '2026-01-01T00:05:00Z' },
});
const names = (jobs: readonly Job[]) => jobs.map(({ metadata }) => metadata.name);

describe('planCronJob', () => {
  it('waits for the first time after it was made', () => {
    const plan = planCronJob(cronJob(), [], at('00:09:00'));
    expect([plan.start, plan.nextInMs]).toEqual([undefined, 60_100]);
  });

  it('starts what is due, once', () => {
    const plan = planCronJob(cronJob(), [], at('00:10:01'));
    expect(plan.start).toBe(at('00:10:00'));
    const made = cronJobJob(cronJob(), at('00:10:00')) as unknown as Job;
    expect(planCronJob(cronJob(), [made], at('00:10:01')).start).toBeUndefined();
    const done = cronJob({}, { lastScheduleTime: '2026-01-01T00:10:00Z' });
    expect(planCronJob(done, [], at('00:10:01')).start).toBeUndefined();
  });

  it('starts only the latest of what was missed, even after years', () => {
    expect(planCronJob(cronJob(), [], at('05:47:00')).start).toBe(at('05:40:00'));
    expect(planCronJob(cronJob(), [], Date.parse('2036-01-01T00:00:05Z')).start).toBe(
      Date.parse('2036-01-01T00:00:00Z'),
    );
    const irregular = cronJob({ schedule: '30 6-16/4 * * 1-5' });
    expect(planCronJob(irregular, [], Date.parse('2026-01-12T11:00:00Z')).start).toBe(
      Date.parse('2026-01-12T10:30:00Z'),
    );
  });

  it('does not start what is too late', () => {
    const strict = cronJob({ startingDeadlineSeconds: 30 });
    expect(planCronJob(strict, [], at('00:10:29')).start).toBe(at('00:10:00'));
    expect(planCronJob(strict, [], at('00:10:31')).start).toBeUndefined();
  });

  it.each([
    ['Allow', true, []],
    ['Forbid', false, []],
    ['Replace', true, ['running']],
  ])('%s beside one that runs', (concurrencyPolicy, starts, removed) => {
    const plan = planCronJob(cronJob({ concurrencyPolicy }), [job('running')], at('00:10:01'));
    expect([plan.start !== undefined, names(plan.remove)]).toEqual([starts, removed]);
  });

  it('does nothing when it is suspended or makes no sense', () => {
    expect(planCronJob(cronJob({ suspend: true }), [], at('00:10:01'))).toMatchObject({
      start: undefined,
      nextInMs: undefined,
    });
    expect(planCronJob(cronJob({ schedule: 'often' }), [], at('00:10:01')).start).toBeUndefined();
    expect(planCronJob(cronJob({ timeZone: 'Middle/Earth' }), [], at('00:10:01')).start).toBeUndefined();
  });

  it('keeps as much history as asked for, the newest', () => {
    const jobs = [1, 2, 3, 4, 5].map((n) => job(`ok-${n}`, 'Complete', `2026-01-01T00:0${n}:00Z`));
    const failed = [1, 2].map((n) => job(`bad-${n}`, 'Failed', `2026-01-01T00:0${n}:00Z`));
    const plan = planCronJob(cronJob(), [...jobs, ...failed], at('00:08:00'));
    expect(names(plan.remove)).toEqual(['ok-1', 'ok-2', 'bad-1']);
  });

  it('lists what runs and when one last succeeded', () => {
    const { status } = planCronJob(cronJob(), [job('running'), job('done', 'Complete')], at('00:08:00'));
    expect(status.active).toMatchObject([{ kind: 'Job', name: 'running', apiVersion: 'batch/v1' }]);
    expect(status.lastSuccessfulTime).toBe('2026-01-01T00:05:00Z');
  });
});

it('cronJobJob is named after its minute', () => {
  expect(cronJobJob(cronJob(), at('00:10:00')).metadata).toMatchObject({
    name: `nightly-${at('00:10:00') / 60_000}`,
    annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T00:10:00Z' },
  });
});
