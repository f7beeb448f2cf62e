import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { going, NOW, pod } from '../../../../test/pocket/sample-objects.ts';
import type { Job, JobSpec, JobStatus, Pod } from '../kinds/index.ts';
import { planJob } from './job-plan.ts';
import { countEnds, isTracked, jobStatus, totalsOf, TRACKING, verdictOf, withVerdict } from './job-status.ts';

const job = (spec: Partial<JobSpec> = {}, status: JobStatus = {}): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'seed', namespace: 'shop', uid: 'u' },
  spec: { completions: 3, parallelism: 2, template: { spec: { containers: [] } }, ...spec },
  status,
});
const ended = (name: string, phase: 'Succeeded' | 'Failed' | 'Running', change: Partial<Pod['metadata']> = {}): Pod =>
  pod(name, { status: { phase }, metadata: { finalizers: [TRACKING], ...change } });
const released = (one: Pod): Pod => ({ ...one, metadata: { ...one.metadata, finalizers: [] } });

describe('countEnds', () => {
  it('notes an end, and counts it when the pod was let go', () => {
    const one = ended('a', 'Succeeded');
    const noted = countEnds(job(), [one]);
    expect(noted).toMatchObject({ succeeded: 0, uncountedTerminatedPods: { succeeded: ['uid-a'] } });
    expect(totalsOf({ status: noted })).toEqual({ succeeded: 1, failed: 0 });
    const counted = countEnds(job({}, noted), [released(one)]);
    expect(counted).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
    expect(countEnds(job({}, counted), [released(one)])).toMatchObject({ succeeded: 1 });
  });

  it('counts one that is gone altogether', () => {
    const noted = countEnds(job(), [ended('a', 'Failed')]);
    expect(countEnds(job({}, noted), [])).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
  });

  it('counts one that is deleted before it could end as failed', () => {
    const { uncountedTerminatedPods } = countEnds(job(), [ended('a', 'Running', going)]);
    expect(uncountedTerminatedPods).toEqual({ failed: ['uid-a'] });
  });

  it('remembers the indexes that are done', () => {
    const index = { annotations: { 'batch.kubernetes.io/job-completion-index': '2' } };
    const status = countEnds(job({ completionMode: 'Indexed' }, { completedIndexes: '0-1,4' }), [
      ended('a', 'Succeeded', index),
    ]);
    expect(status.completedIndexes).toBe('0-2,4');
  });

  it('counts every pod once, in whatever order it is killed, notes and lets go', () => {
    const steps = fc.array(fc.constantFrom('note', 'write', 'release', 'forget'), { maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Succeeded', 'Failed'), { maxLength: 6 }), steps, (phases, moves) => {
        let pods = phases.map((phase, i) => ended(`p${i}`, phase));
        let stored: JobStatus = {};
        let pending = stored;
        const finish = ['note', 'write', 'release', 'note', 'write', 'note', 'write'] as const;
        for (const move of [...moves, ...finish]) {
          if (move === 'note') pending = countEnds(job({}, stored), pods);
          // Whatever was not written is lost with the process.
          if (move === 'write') stored = pending;
          const noted = new Set(Object.values(stored.uncountedTerminatedPods ?? {}).flat());
          if (move === 'release') pods = pods.map((one) => (noted.has(one.metadata.uid ?? '') ? released(one) : one));
          if (move === 'forget') pods = pods.filter(isTracked);
          pending = move === 'write' ? pending : countEnds(job({}, stored), pods);
          expect(totalsOf({ status: stored }).succeeded).toBeLessThanOrEqual(
            phases.filter((one) => one === 'Succeeded').length,
          );
        }
        expect(totalsOf({ status: stored })).toEqual({
          succeeded: phases.filter((phase) => phase === 'Succeeded').length,
          failed: phases.filter((phase) => phase === 'Failed').length,
        });
      }),
    );
  });
});

describe('verdictOf and withVerdict', () => {
  it('is done with enough successes, and over when all are counted and nothing runs', () => {
    const status = { succeeded: 2, active: 0, uncountedTerminatedPods: { succeeded: ['x'] } };
    const verdict = verdictOf(job(), status, NOW);
    expect(verdict).toMatchObject({ type: 'SuccessCriteriaMet', reason: 'CompletionsReached' });
    const first = withVerdict(status, verdict!, NOW);
    expect(first.conditions?.map(({ type }) => type)).toEqual(['SuccessCriteriaMet']);
    const second = withVerdict({ ...first, succeeded: 3, uncountedTerminatedPods: {} }, verdict!, NOW);
    expect(second.conditions?.map(({ type }) => type)).toEqual(['SuccessCriteriaMet', 'Complete']);
    expect(second.completionTime).toBe('2026-01-01T12:00:00Z');
  });

  it('without a number of completions one success and quiet are enough', () => {
    const { completions: _none, ...spec } = job().spec;
    const queue = { ...job(), spec };
    expect(verdictOf(queue, { succeeded: 1, active: 1 }, NOW)).toBeUndefined();
    expect(verdictOf(queue, { succeeded: 1, active: 0 }, NOW)).toMatchObject({ type: 'SuccessCriteriaMet' });
  });

  it('fails after too many failures', () => {
    const status = { failed: 1, active: 1 };
    expect(verdictOf(job({ backoffLimit: 1 }), status, NOW)).toBeUndefined();
    const verdict = verdictOf(job({ backoffLimit: 0 }), status, NOW);
    expect(verdict).toMatchObject({ type: 'FailureTarget', reason: 'BackoffLimitExceeded' });
    expect(withVerdict(status, verdict!, NOW).conditions?.map(({ type }) => type)).toEqual(['FailureTarget']);
    expect(withVerdict({ failed: 2 }, verdict!, NOW).conditions?.at(-1)).toMatchObject({
      type: 'Failed',
      status: 'True',
    });
  });

  it('fails when it takes too long, but not while it is suspended', () => {
    const status = { startTime: '2026-01-01T11:59:00Z' };
    expect(verdictOf(job({ activeDeadlineSeconds: 60 }), status, NOW)).toMatchObject({ reason: 'DeadlineExceeded' });
    expect(verdictOf(job({ activeDeadlineSeconds: 61 }), status, NOW)).toBeUndefined();
    expect(verdictOf(job({ activeDeadlineSeconds: 2n ** 60n }), status, NOW)).toBeUndefined();
    expect(verdictOf(job({ activeDeadlineSeconds: 60, suspend: true }), status, NOW)).toBeUndefined();
  });
});

describe('jobStatus', () => {
  it('shows what runs', () => {
    expect(jobStatus(job(), [ended('a', 'Running')], NOW)).toMatchObject({
      active: 1,
      ready: 1,
      startTime: '2026-01-01T12:00:00Z',
    });
  });

  it('has no start while it is suspended, and a new one when it is resumed', () => {
    const suspended = jobStatus(job({ suspend: true }, { startTime: '2026-01-01T11:00:00Z' }), [], NOW);
    expect(suspended.startTime).toBeUndefined();
    expect(suspended.conditions).toMatchObject([{ type: 'Suspended', status: 'True' }]);
    const resumed = jobStatus(job({}, suspended), [], NOW + 1000);
    expect(resumed.startTime).toBe('2026-01-01T12:00:01Z');
    expect(resumed.conditions).toMatchObject([{ type: 'Suspended', status: 'False' }]);
  });
});

describe('planJob', () => {
  it.each([
    [{}, 0, 0, 2],
    [{}, 1, 0, 1],
    [{}, 0, 2, 1],
    [{ parallelism: 0 }, 0, 0, 0],
    [{ suspend: true }, 0, 0, 0],
  ])('%j with %i running and %i done makes %i', (spec, running, done, expected) => {
    const pods = Array.from({ length: running }, (_, i) => ended(`p${i}`, 'Running'));
    expect(planJob(job(spec), pods, { succeeded: done }).create).toHaveLength(expected);
  });

  it('takes the lowest indexes that nobody works on', () => {
    const busy = ended('a', 'Running', { annotations: { 'batch.kubernetes.io/job-completion-index': '0' } });
    const indexed = job({ completionMode: 'Indexed', completions: 5, parallelism: 3 });
    expect(planJob(indexed, [busy], { completedIndexes: '1' }).create).toEqual([2, 3]);
  });

  it('takes pods away when there are too many, and all of them when it is suspended', () => {
    const pods = ['a', 'b', 'c'].map((name) => ended(name, 'Running'));
    expect(planJob(job(), pods, {}).remove).toHaveLength(1);
    expect(planJob(job({ suspend: true }), pods, {}).remove).toHaveLength(3);
  });
});
