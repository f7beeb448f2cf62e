import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Schedule } from '../../../api/index.ts';
import { decideSchedule, isUnderWay, scheduledBackup, type ScheduleDecision } from './index.ts';

const CREATED = '2026-01-01T12:00:00Z';
const ms = (time: string): number => Date.parse(time);

function schedule(spec: object = {}, status: object = {}, metadata: object = {}): Schedule {
  return Schedule.parse({
    metadata: { name: 'nightly', namespace: 'velero', uid: 'u1', creationTimestamp: CREATED, ...metadata },
    spec: { schedule: '0 3 * * *', template: { includedNamespaces: ['shop'] }, ...spec },
    status,
  }).value;
}

const decide = (at: string, spec = {}, status = {}): ScheduleDecision =>
  decideSchedule(schedule(spec, status), ms(at), 'UTC');

describe('a schedule', () => {
  it('first runs at the first time after it was created', () => {
    expect(decide('2026-01-02T02:59:59Z')).toEqual({ kind: 'wait', nextAt: ms('2026-01-02T03:00:00Z') });
    expect(decide('2026-01-02T03:00:00Z')).toEqual({ kind: 'run', dueAt: ms('2026-01-02T03:00:00Z') });
  });

  it('runs once, however many runs were missed', () => {
    const status = { lastBackup: '2026-01-02T03:00:01Z' };
    expect(decide('2027-06-01T00:00:00Z', {}, status)).toEqual({ kind: 'run', dueAt: ms('2026-01-03T03:00:00Z') });
    const next = decide('2027-06-01T00:00:01Z', {}, { lastBackup: '2027-06-01T00:00:00Z' });
    expect(next).toEqual({ kind: 'wait', nextAt: ms('2027-06-01T03:00:00Z') });
  });

  it('counts from what was skipped when that is later', () => {
    const status = { lastBackup: '2026-01-02T03:00:01Z', lastSkipped: '2026-01-05T10:00:00Z' };
    expect(decide('2026-01-05T11:00:00Z', {}, status)).toEqual({ kind: 'wait', nextAt: ms('2026-01-06T03:00:00Z') });
    const early = { lastBackup: '2026-01-05T03:00:01Z', lastSkipped: '2026-01-02T10:00:00Z' };
    expect(decide('2026-01-05T11:00:00Z', {}, early)).toEqual({ kind: 'wait', nextAt: ms('2026-01-06T03:00:00Z') });
  });

  it('skips the run that is due when asked to', () => {
    expect(decide('2026-01-09T12:00:00Z', { skipImmediately: true })).toEqual({
      kind: 'skip',
      nextAt: ms('2026-01-10T03:00:00Z'),
    });
  });

  it('rests while paused, also when its line is due', () => {
    expect(decide('2026-01-09T12:00:00Z', { paused: true, skipImmediately: true })).toEqual({ kind: 'pause' });
  });

  it('is refused with the reasons, also while paused', () => {
    for (const [line, problem] of [
      ['every now and then', /^invalid schedule: expected exactly 5 fields/],
      ['0 0 30 2 *', /^invalid schedule: no day of the next five years/],
    ] as const) {
      const decision = decide('2026-01-09T12:00:00Z', { schedule: line, paused: true });
      expect(decision).toMatchObject({ kind: 'refuse', problems: [expect.stringMatching(problem)] });
    }
  });

  it('goes on after the clock was turned back', () => {
    const future = { lastBackup: '2030-01-01T03:00:00Z', nextRun: '2030-01-02T03:00:00Z' };
    const first = decide('2026-01-09T12:00:00Z', {}, future);
    expect(first).toEqual({ kind: 'wait', nextAt: ms('2026-01-10T03:00:00Z') });
    const announced = { ...future, nextRun: '2026-01-10T03:00:00Z' };
    expect(decide('2026-01-10T02:00:00Z', {}, announced).kind).toBe('wait');
    expect(decide('2026-01-10T03:00:00Z', {}, announced).kind).toBe('run');
  });

  it('runs at most once for every run that its line has, wherever the clock jumps', () => {
    const jump = fc.integer({ min: -90_000_000, max: 90_000_000 });
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 40 }), (jumps) => {
        let now = ms(CREATED);
        let status: { lastBackup?: string; nextRun?: string } = {};
        for (const by of jumps) {
          now += by;
          const decision = decideSchedule(schedule({}, status), now, 'UTC');
          const iso = (at: number): string => new Date(at).toISOString();
          if (decision.kind === 'run') {
            expect(decision.dueAt).toBeLessThanOrEqual(now);
            status = { ...status, lastBackup: iso(now) };
            // Right after a run nothing is due.
            expect(decideSchedule(schedule({}, status), now, 'UTC').kind).toBe('wait');
          } else if (decision.kind === 'wait') {
            expect(decision.nextAt).toBeGreaterThan(now);
            // It never pauses longer than its cron line says.
            expect(decision.nextAt - now).toBeLessThanOrEqual(86_400_000);
            status = { ...status, nextRun: iso(decision.nextAt) };
          } else throw new Error(decision.kind);
        }
      }),
    );
  });

  it('waits for what it began, also in the queue', () => {
    expect(
      [undefined, 'New', 'Queued', 'ReadyToStart', 'InProgress'].every((phase) => isUnderWay(phase as never)),
    ).toBe(true);
    expect(isUnderWay('Finalizing') || isUnderWay('Completed') || isUnderWay('WaitingForPluginOperations')).toBe(false);
  });
});

describe('the backup of a run', () => {
  const run = { dueAt: ms('2026-03-04T03:00:00Z'), now: ms('2026-03-04T03:00:07Z'), zone: 'UTC' };

  it('is named by the clock of the server and says which run it is', () => {
    const backup = scheduledBackup(schedule({}, {}, { labels: { team: 'a' }, annotations: { note: 'x' } }), run);
    expect(backup).toEqual({
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: {
        name: 'nightly-20260304030007',
        namespace: 'velero',
        labels: { team: 'a', 'velero.io/schedule-name': 'nightly' },
        annotations: { note: 'x' },
      },
      spec: { includedNamespaces: ['shop'] },
      status: { scheduledFor: '2026-03-04T03:00:00.000Z' },
    });
    expect(scheduledBackup(schedule(), { ...run, zone: 'Asia/Tokyo' }).metadata.name).toBe('nightly-20260304120007');
  });

  it('takes the labels of the template instead of the schedule’s, and a long name shortened', () => {
    const template = { metadata: { labels: { a: 'b' } } };
    const name = 's'.repeat(80);
    const { metadata } = scheduledBackup(schedule({ template }, {}, { name, labels: { team: 'a' } }), run);
    expect(Object.keys(metadata.labels ?? {})).toEqual(['a', 'velero.io/schedule-name']);
    expect(metadata.labels?.['velero.io/schedule-name']).toMatch(/^s{57}[0-9a-f]{6}$/);
  });

  it('belongs to the schedule only when asked to, and does not pretend to have been applied', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const owned = scheduledBackup(schedule({ useOwnerReferencesInBackup: true }, {}, { annotations }), run);
    expect(owned.metadata['ownerReferences']).toEqual([
      { apiVersion: 'velero.io/v1', kind: 'Schedule', name: 'nightly', uid: 'u1', controller: true },
    ]);
    expect(owned.metadata.annotations).toBeUndefined();
    expect(scheduledBackup(schedule(), run).metadata['ownerReferences']).toBeUndefined();
  });
});
