import type { ReactElement } from 'react';
import { reportAt } from '../../../src/core/operations/at-moment.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { OperationLink, Where } from '../show/operation-name.tsx';
import { ProgressBar } from '../show/progress-bar.tsx';
import { leftText, measuresText, NOTHING, percentText, rateText, stepText } from '../show/progress-text.ts';
import { StandingSign } from '../show/sign.tsx';
import { resultText } from './recent-row.tsx';
import styles from './overview.module.css';

interface RunningRowProps {
  operation: Operation;
  /** Those of its parts that run now. */
  parts?: readonly Operation[];
}

/** One running operation: how far, how fast, how long yet, and what it does now. */
export function RunningRow({ operation, parts = [] }: RunningRowProps): ReactElement {
  const report = reportAt(operation.report, useNow(5000));
  const isOld = useOldSince(operation.cluster) !== undefined;
  return (
    <li className={styles.running}>
      <div className={styles.line}>
        <span className={styles.name}>
          <StandingSign operation={operation} /> <OperationLink operation={operation} /> <Where operation={operation} />
        </span>
        <span className={styles.percent}>{percentText(report)}</span>
      </div>
      <ProgressBar report={report} label={operationTitle(operation)} />
      <div className={`${styles.line} ${styles.meta}`}>
        <span className={styles.now}>{nowText(operation)}</span>
        <span className={styles.numbers}>
          <span className={styles.count}>{measuresText(report)}</span>
          <span className={styles.rate}>{isOld ? NOTHING : rateText(report)}</span>
          <span className={styles.left}>{(isOld ? undefined : leftText(report)) ?? NOTHING}</span>
        </span>
      </div>
      {parts.length > 0 && (
        <ul className={styles.parts} aria-label={`Parts of ${operationTitle(operation)}`}>
          {parts.map((part) => (
            <RunningRow key={part.id} operation={part} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Step or stage, then the current item; why not, when it waits. */
export function nowText(operation: Operation): string {
  const { report, facts } = operation;
  if (isTerminal(report.state)) return operation.sentence ?? resultText(operation);
  if (report.stalled !== undefined) return `stalled: ${report.stalled.cause}`;
  if (facts.isCancelAsked) return 'canceling';
  if (report.state === 'pending') {
    const place = facts.queuePosition === undefined ? '' : `queued at position ${String(facts.queuePosition)}`;
    const [why] = report.waits ?? [];
    const state = place === '' ? (why === undefined ? 'waiting to start' : 'waiting') : place;
    return why === undefined ? state : `${state}: ${why.cause}`;
  }
  const { step } = operation;
  const where = step === undefined ? report.stage : `${stepText(step)} ${step.name}`;
  // An action's current item is the phase that its step names already.
  const current = report.current === step?.name ? undefined : report.current;
  const parts = [where, current].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' · ') : operation.phase;
}
