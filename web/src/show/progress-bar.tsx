import type { ReactElement } from 'react';
import type { Report } from '../../../src/core/progress/index.ts';
import { barParts } from './bar-parts.ts';
import { measuresText } from './progress-text.ts';
import styles from './progress-bar.module.css';

/** Done, skipped, failed and the rest; stripes while the total is unknown. It stands still when the work does. */
export function ProgressBar({ report, label }: { report: Report; label: string }): ReactElement {
  const parts = barParts(report);
  const isMoving = report.state === 'running';
  const value = parts === undefined ? {} : { 'aria-valuenow': report.percent };
  return (
    <div
      className={`${styles.bar} ${parts === undefined && isMoving ? styles.striped : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={parts === undefined ? measuresText(report) : `${String(report.percent)} %`}
      {...value}
    >
      <Part className={report.state === 'completed' ? styles.ok : styles.done} percent={parts?.done} />
      <Part className={styles.skipped} percent={parts?.skipped} />
      <Part className={styles.failed} percent={parts?.failed} />
    </div>
  );
}

function Part({
  className,
  percent = 0,
}: {
  className: string | undefined;
  percent: number | undefined;
}): ReactElement {
  return <span className={className} style={{ width: `${percent.toFixed(2)}%` }} />;
}
