import type { BackupPhase, Schedule } from '../../../api/index.ts';
import { nextRun, parseCron } from '../../../base/index.ts';

/** What to do about a schedule now. Times are milliseconds since 1970. */
export type ScheduleDecision =
  | { kind: 'refuse'; problems: string[] }
  | { kind: 'pause' }
  /** The run that is due now is to be skipped: `nextAt` is the one after it. */
  | { kind: 'skip'; nextAt: number }
  | { kind: 'wait'; nextAt: number }
  /** One run is due, however many were missed. */
  | { kind: 'run'; dueAt: number };

/** `zone` is the server's, for schedules that name none. */
export function decideSchedule(schedule: Schedule, now: number, zone: string): ScheduleDecision {
  const { spec } = schedule;
  if (spec.schedule.trim() === '') {
    return { kind: 'refuse', problems: ['Schedule must be a non-empty valid Cron expression'] };
  }
  const { cron, problems } = parseCron(spec.schedule, zone);
  if (cron === undefined)
    return { kind: 'refuse', problems: problems.map((problem) => `invalid schedule: ${problem}`) };
  const fromNow = nextRun(cron, now);
  if (fromNow === undefined) {
    return {
      kind: 'refuse',
      problems: [`invalid schedule: no day of the next five years is one of "${spec.schedule}"`],
    };
  }
  if (spec.paused === true) return { kind: 'pause' };
  if (spec.skipImmediately === true) return { kind: 'skip', nextAt: fromNow };
  const nextAt = nextAfterLast(schedule, now, { fromNow, after: (last) => nextRun(cron, last) ?? fromNow });
  return now >= nextAt ? { kind: 'run', dueAt: nextAt } : { kind: 'wait', nextAt };
}

interface Times {
  fromNow: number;
  after: (last: number) => number;
}

/** The first run after the last one, or after the schedule was created. */
function nextAfterLast({ metadata, status }: Schedule, now: number, { fromNow, after }: Times): number {
  const last = toMs(status.lastBackup) ?? toMs(metadata.creationTimestamp) ?? now;
  const from = Math.max(last, toMs(status.lastSkipped) ?? last);
  if (from <= now) return after(from);
  // The clock was set back. Use the run that was announced since then, or it would stay in the future forever.
  const announced = toMs(status.nextRun);
  return announced === undefined || announced > fromNow ? fromNow : announced;
}

function toMs(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

const UNDER_WAY: readonly (BackupPhase | undefined)[] = [undefined, 'New', 'Queued', 'ReadyToStart', 'InProgress'];

/** A schedule's next run waits for such a backup. Velero ignores queued ones, and they pile up. */
export function isUnderWay(phase: BackupPhase | undefined): boolean {
  return UNDER_WAY.includes(phase);
}
