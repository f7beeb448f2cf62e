import type { ReactElement } from 'react';
import { formatCount, objectAt } from '../../../src/base/index.ts';
import type { OperationDetail } from '../../../src/core/operations/index.ts';
import { fewClaims, missingClaims } from '../../../src/core/operations/missing-claims.ts';
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
  const isRestore = detail.object['kind'] === 'Restore';
  const unknown = isRestore ? 'The backup does not have their data, and says why' : 'Nobody wrote down why';
  return (
    <Panel title={`Claims without data (${formatCount(count)})`} tone="warn">
      <ul className={styles.missing}>
        {groups.map(({ claims, reason }, at) => (
          <li key={at}>
            <Sign kind="warn" />
            <div className={styles.claims}>
              <strong>{fewClaims(claims)}</strong> {sentence(reason ?? unknown)}
              {fewClaims(claims) !== claims.join(', ') && (
                <details>
                  <summary>Their names</summary>
                  <p>{claims.join(', ')}</p>
                </details>
              )}
            </div>
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
