import { formatDuration } from '../../base/index.ts';
import type { Report } from '../../core/progress/index.ts';
import { formatBar, formatMeasure, formatRate } from './measures.ts';

const BAR_CELLS = 20;

/** One line that answers: is it moving, how long yet. `restoring  ████▒░░░  68 %  1 653 of 2 431   812/s   1 s left` */
export function progressLine(report: Report, label: string): string {
  const parts = [
    formatBar(report, BAR_CELLS),
    report.percent === undefined ? '' : `${String(report.percent).padStart(3)} %`,
    report.measures.map(formatMeasure).join(', '),
    formatRate(report) ?? '',
    report.etaSeconds === undefined ? '' : `${formatDuration(report.etaSeconds)} left`,
  ];
  return `  ${label.padEnd(10)} ${parts.filter((part) => part !== '').join('  ')}`;
}
