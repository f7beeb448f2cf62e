import type { ReactElement } from 'react';
import type { ProblemGroup } from '../../../src/core/operations/index.ts';
import { formatCount } from '../../../src/base/index.ts';
import { rootCause } from '../../../src/core/operations/problems.ts';
import { Notice, sentence } from '../show/notice.tsx';
import { plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import styles from './operation.module.css';

function errorCount(problems: readonly ProblemGroup[]): number {
  return problems.filter(({ level }) => level === 'error').reduce((sum, { count }) => sum + count, 0);
}

/** Equal problems as one, errors first; each opens on its messages. */
export function Problems({ problems }: { problems: readonly ProblemGroup[] }): ReactElement {
  if (problems.length === 0) {
    return (
      <Notice sign="ok" title="No problems">
        No errors or warnings were reported.
      </Notice>
    );
  }
  const cause = rootCause(problems);
  return (
    <ul className={styles.problems}>
      {cause && (
        <li className={styles.cause}>
          <strong>Fix this first:</strong> {sentence(cause.text)} It accounts for {formatCount(cause.count)} of{' '}
          {plural(errorCount(problems), 'error')}.
        </li>
      )}
      {problems.map((group) => (
        <li key={`${group.level} ${group.text}`}>
          <details open={group === problems[0] && group.level === 'error'}>
            <summary>
              <Sign kind={group.level === 'error' ? 'bad' : 'warn'} />
              <span>
                <span className={styles.level}>{group.level}</span> {sentence(group.text)}
              </span>
            </summary>
            <ul className={styles.examples}>
              {group.examples.map((example, at) => (
                <li key={at}>{example}</li>
              ))}
              {group.count > group.examples.length && <li>and {group.count - group.examples.length} more</li>}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  );
}
