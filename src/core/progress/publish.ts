import type { Report } from './report.ts';
import { isTerminal } from './state.ts';

/** The newest report that was sent to status, and when it was sent. */
export interface LastWrite {
  at: number;
  report: Report;
}

export type PublishDecision = { kind: 'now' } | { kind: 'at'; time: number } | { kind: 'nothing' };

/** Law 4: a progress-only write at most this often, and a change no later than this. */
export const PUBLISH_INTERVAL_MS = 1000;
/** Rate, ETA and the length of a stall change with the clock alone; writing them every second would be noise. */
export const DERIVED_INTERVAL_MS = 10_000;

/**
 * When `report` should be sent, given what status contains. A change of state is sent at once, because it is more than
 * progress; the terminal report goes with the terminal phase in one write.
 */
export function publishDecision(lastWrite: LastWrite | undefined, report: Report, now: number): PublishDecision {
  if (lastWrite === undefined || lastWrite.report.state !== report.state) return { kind: 'now' };
  if (isTerminal(report.state)) return { kind: 'nothing' };
  const wait = waitMs(lastWrite.report, report);
  if (wait === undefined) return { kind: 'nothing' };
  const due = lastWrite.at + wait;
  // A clock that was set back must not silence an operation until it has caught up.
  return now >= due || now < lastWrite.at ? { kind: 'now' } : { kind: 'at', time: due };
}

function waitMs(before: Report, after: Report): number | undefined {
  if (JSON.stringify(facts(before)) !== JSON.stringify(facts(after))) return PUBLISH_INTERVAL_MS;
  return JSON.stringify(derived(before)) === JSON.stringify(derived(after)) ? undefined : DERIVED_INTERVAL_MS;
}

// Both are lists in a fixed order, so that two reports with the same content give the same text.
function facts(report: Report): unknown[] {
  const { counts, stalled } = report;
  return [
    report.state,
    report.percent,
    report.exactPercent,
    report.measures.map(({ unit, done, total }) => [unit, done, total.kind, total.kind === 'unknown' || total.value]),
    report.stage,
    report.current,
    report.startedAt,
    report.lastProgressAt,
    stalled && [stalled.cause, stalled.hint],
    report.waits?.map(({ cause, since }) => [cause, since]),
    report.pipeline,
    counts && [counts.created, counts.updated, counts.skipped, counts.failed],
    report.children.map((child) => [child.ref.kind, child.ref.namespace, child.ref.name, facts(child.report)]),
  ];
}

function derived(report: Report): unknown[] {
  return [
    report.ratePerSecond,
    report.etaSeconds,
    report.stalled?.sinceSeconds,
    report.children.map((child) => derived(child.report)),
  ];
}
