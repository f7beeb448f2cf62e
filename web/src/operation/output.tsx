import type { ReactElement } from 'react';
import type { ActionOutput } from './outputs.ts';
import styles from './operation.module.css';

/** What the phases of an action set returned, and the artifacts that later actions find its data by. */
export function Output({ outputs }: { outputs: readonly ActionOutput[] }): ReactElement {
  const areSeveral = new Set(outputs.map(({ action }) => action)).size > 1;
  return (
    <div className={styles.outputs}>
      {outputs.map(({ action, title, values }, at) => (
        <section key={at}>
          <h2>
            {title} {areSeveral && <span className={styles.dim}>of action {action}</span>}
          </h2>
          <dl>
            {values.map(({ name, text }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
