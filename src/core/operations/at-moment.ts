import { WINDOW_SECONDS, type Report } from '../progress/index.ts';
import type { Operation } from './operation.ts';

/**
 * An operation as it is at this moment. Nothing writes the status of a stalled operation, so the length of a stall is
 * computed here, and a speed over the last minute is dropped if nothing advanced in that minute.
 */
export function atMoment(operation: Operation, now: number): Operation {
  const report = reportAt(operation.report, now);
  return report === operation.report ? operation : { ...operation, report };
}

export function reportAt(report: Report, now: number): Report {
  const seconds = (now - Date.parse(report.lastProgressAt ?? '')) / 1000;
  if (report.state !== 'running' || Number.isNaN(seconds)) return report;
  if (report.stalled !== undefined) {
    return { ...report, stalled: { ...report.stalled, sinceSeconds: Math.max(0, Math.floor(seconds)) } };
  }
  if (seconds < WINDOW_SECONDS || (report.ratePerSecond ?? report.etaSeconds) === undefined) return report;
  const { ratePerSecond: _, etaSeconds: __, ...rest } = report;
  return rest;
}
