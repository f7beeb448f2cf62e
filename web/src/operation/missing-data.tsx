import type { ReactElement } from 'react';
import { objectAt } from '../../../src/base/index.ts';
import type { OperationDetail } from '../../../src/core/operations/index.ts';
import { missingClaims } from '../../../src/core/operations/missing-claims.ts';
import { sentence } from '../show/notice.tsx';
import { Panel } from '../show/panel.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import styles from './volumes.module.css';

/** The claims that are there without their data, and why each of them is. */
export function MissingData({ detail }: { detail: OperationDetail }): ReactElement | null {
  const groups = missingClaims(objectAt(detail.object, 'status'));
  const count = detail.facts.claimsWithoutData ?? 0;
  if (groups.length === 0) return null;
  return (
    <Panel title={`Claims without data (${String(count)})`} tone="warn">
      <ul className={styles.missing}>
        {groups.map(({ claims, reason }, at) => (
          <li key={at}>
            <Sign kind="warn" />
            <span>
              <strong className={styles.claims}>{claims.join(', ')}</strong>{' '}
              {sentence(reason ?? 'Nobody wrote down why')}
            </span>
          </li>
        ))}
        {claimCount(groups) < count && (
          <li>and {plural(count - claimCount(groups), 'more claim')}, named in the log</li>
        )}
      </ul>
    </Panel>
  );
}

function claimCount(groups: ReturnType<typeof missingClaims>): number {
  return groups.reduce((sum, { claims }) => sum + claims.length, 0);
}
