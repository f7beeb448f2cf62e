import { formatDuration } from '../../base/index.ts';
import type { Report } from '../../core/progress/index.ts';
import { formatBar, formatMeasure, formatRate } from './measures.ts';

const BAR_CELLS = 20;

/** One line that answers: is it moving, how long yet. `restoring  ████▒░░░  68 %  1 653 of 2 431   812/s   1 s left` */
export function progressLine(report: Report, label: string): string {
  return `  ${label.padEnd(10)} ${[formatBar(report, BAR_CELLS), ...progressParts(report)].join('  ')}`;
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
