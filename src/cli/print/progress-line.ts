import { formatDuration } from '../../base/index.ts';
import type { Report } from '../../core/progress/index.ts';
import { formatBar, formatMeasure, formatRate } from './measures.ts';

const BAR_CELLS = 20;
const MIN_BAR_CELLS = 6;
/** Of a terminal that nobody has made larger: the time left stands at the end, and must not be cut off. */
const COLUMNS = 79;

/** One line that answers: is it moving, how long yet. `restoring  ████▒░░░  68 %  1 653 of 2 431   812/s   1 s left` */
export function progressLine(report: Report, label: string): string {
  const head = `  ${label.padEnd(10)} `;
  const room = (shown: Report): number => COLUMNS - [head, ...progressParts(shown)].join('  ').length;
  // With two measures the bar gives way at first, and the rate then.
  const { ratePerSecond: _, ...slim } = report;
  const shown = room(report) < MIN_BAR_CELLS ? slim : report;
  const cells = Math.max(MIN_BAR_CELLS, Math.min(BAR_CELLS, room(shown)));
  return head + [formatBar(report, cells), ...progressParts(shown)].join('  ');
}

/** The same without a bar, for a log that nobody draws over. */
export function progressParts(report: Report): string[] {
  const parts = [
    report.percent === undefined ? '' : `${String(report.percent).padStart(3)} %`,
    report.measures.map(formatMeasure).join(', '),
    formatRate(report) ?? '',
    report.etaSeconds === undefined ? '' : `${formatDuration(report.etaSeconds)} left`,
  ];
  return parts.filter((part) => part !== '');
}
