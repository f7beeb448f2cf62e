import type { ReactElement } from 'react';
import type { ProblemGroup } from '../../../src/core/operations/index.ts';
import { Notice, sentence } from '../show/notice.tsx';
import { Sign } from '../show/sign.tsx';
import styles from './operation.module.css';

/** Equal problems as one, errors first; each opens on its messages. */
export function Problems({ problems }: { problems: readonly ProblemGroup[] }): ReactElement {
  if (problems.length === 0) {
    return (
      <Notice sign="ok" title="No problems">
        Nothing was reported as a warning or an error.
      </Notice>
    );
  }
  return (
    <ul className={styles.problems}>
      {problems.map((group) => (
        <li key={`${group.level} ${group.text}`}>
          <details>
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
