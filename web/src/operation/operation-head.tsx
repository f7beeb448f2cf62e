import type { ReactElement } from 'react';
import { reportAt } from '../../../src/core/operations/at-moment.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { ProgressBar } from '../show/progress-bar.tsx';
import { leftText, percentText } from '../show/progress-text.ts';
import { DataGap, StandingLabel } from '../show/sign.tsx';
import { OperationActions } from './operation-actions.tsx';
import { Origin } from './origin.tsx';
import type { OpenedSteps } from './opened-steps.ts';
import { StepRow } from './step-row.tsx';
import styles from './operation.module.css';

/** Stays in view while the rest scrolls: what it is, how far, how long yet, and the way to stop it. */
export function OperationHead({ operation, opened }: { operation: Operation; opened: OpenedSteps }): ReactElement {
  const report = reportAt(operation.report, useNow(500));
  const oldSince = useOldSince(operation.cluster);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1 title={operationTitle(operation)}>{operationTitle(operation)}</h1>
        <StandingLabel operation={operation} />
        <DataGap operation={operation} />
        <span className={styles.percent}>{percentText(report)}</span>
        <span className={styles.left}>{report.state === 'running' && oldSince === undefined && leftText(report)}</span>
        <div className={styles.actions}>
          <OperationActions operation={operation} />
        </div>
      </div>
      <Origin operation={operation} />
      <ProgressBar report={report} label={operationTitle(operation)} />
      <StepRow steps={opened.steps} total={opened.total} open={opened.open?.number} onOpen={opened.toggle} />
    </header>
  );
}
