import { useDocumentTitle } from '@mantine/hooks';
import type { ReactElement, ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  title: string;
  /** Buttons and filters at the right of the title. */
  actions?: ReactNode;
  /** The content fills the height and scrolls by itself, as long tables do. */
  isFilled?: boolean;
  children: ReactNode;
}

export function Page({ title, actions, isFilled = false, children }: PageProps): ReactElement {
  useDocumentTitle(`${title} · Headway`);
  return (
    <div className={`${styles.page} ${isFilled ? styles.filled : ''}`}>
      <div className={styles.head}>
        <h1>{title}</h1>
        <div className={styles.actions}>{actions}</div>
      </div>
      {children}
    </div>
  );
}
