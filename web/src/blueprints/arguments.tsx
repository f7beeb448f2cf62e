import type { ReactElement } from 'react';
import styles from './blueprints.module.css';

/** The arguments of a phase, each as text to read. */
export function Arguments({ args }: { args: readonly { name: string; text: string }[] }): ReactElement {
  if (args.length === 0) return <p className={styles.dim}>It has no arguments.</p>;
  return (
    <dl className={styles.args}>
      {args.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <pre tabIndex={0}>{text}</pre>
          </dd>
        </div>
      ))}
    </dl>
  );
}
