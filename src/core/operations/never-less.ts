import type { Operation } from './operation.ts';

/**
 * Law 1 for statuses that others write: while an operation runs, the percent that people have seen never falls, and one
 * that is no longer told stays. Counts are shown as they are.
 */
export function neverLess(before: Operation | undefined, after: Operation): Operation {
  if (before === undefined || before.ref.uid !== after.ref.uid) return after;
  if (before.report.state !== 'running' || after.report.state !== 'running') return after;
  const percent = higher(before.report.percent, after.report.percent);
  const exactPercent = higher(before.report.exactPercent, after.report.exactPercent);
  if (percent === after.report.percent && exactPercent === after.report.exactPercent) return after;
  const report = {
    ...after.report,
    ...(percent === undefined ? {} : { percent }),
    ...(exactPercent === undefined ? {} : { exactPercent }),
  };
  return { ...after, report };
}

function higher(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || (after !== undefined && after >= before) ? after : before;
}
