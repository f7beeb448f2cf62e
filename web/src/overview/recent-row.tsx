import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { dataGap } from '../../../src/core/operations/problems.ts';
import { OperationLink, Where } from '../show/operation-name.tsx';
import { measuresText, NOTHING, plural, tookText } from '../show/progress-text.ts';
import { DataGap, StandingSign, standingOf } from '../show/sign.tsx';
import { STANDING_WORDS } from '../show/standing-words.ts';
import { When } from '../show/when.tsx';
import styles from './overview.module.css';

export function RecentRow({ operation }: { operation: Operation }): ReactElement {
  return (
    <li className={styles.recent}>
      <span className={styles.name}>
        <StandingSign operation={operation} /> <OperationLink operation={operation} /> <Where operation={operation} />
      </span>
      <span className={styles.result}>
        <span className={styles.text}>{resultText(operation)}</span> <DataGap operation={operation} />
      </span>
      <span className={styles.took}>{operation.seconds === undefined ? NOTHING : tookText(operation.seconds)}</span>
      <span className={styles.ended}>
        <When time={operation.endedAt ?? operation.createdAt} />
      </span>
    </li>
  );
}

/** `2 431 items`, or what went wrong; the state in words, unless it is success. */
export function resultText(operation: Operation): string {
  const { report, errors, warnings } = operation;
  const failed = report.counts?.failed ?? 0;
  const word = STANDING_WORDS[standingOf(operation)];
  switch (report.state) {
    case 'completed': {
      const items = report.measures.filter(({ unit }) => unit === 'items');
      const done = measuresText({ ...report, measures: items.length > 0 ? items : report.measures });
      // Its mark says more than their number.
      const isMarked = warnings === 0 || dataGap(operation.facts) !== undefined;
      return isMarked ? done : `${done}, ${plural(warnings, 'warning')}`;
    }
    case 'partiallyFailed':
      return failed > 0 ? `${formatCount(failed)} failed` : `${word}, ${plural(errors, 'error')}`;
    default:
      return word;
  }
}
