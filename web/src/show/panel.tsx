import { useId, type ReactElement, type ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** Stands at the right of the title. */
  side?: ReactNode;
  tone?: 'plain' | 'warn';
  children: ReactNode;
}

export function Panel({ title, side, tone = 'plain', children }: PanelProps): ReactElement {
  const id = useId();
  return (
    <section className={`${styles.panel} ${tone === 'warn' ? styles.warn : ''}`} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {side}
      </header>
      {children}
    </section>
  );
}
