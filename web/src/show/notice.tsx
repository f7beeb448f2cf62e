import { Button } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { AppError } from '../../../src/base/index.ts';
import { Sign, type SignKind } from './sign.tsx';
import styles from './notice.module.css';

/** Why nothing is shown here, and what to do about it. */
export function Notice(props: {
  sign?: SignKind;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}): ReactElement {
  return (
    <div className={styles.notice}>
      <p className={styles.title}>
        {props.sign && <Sign kind={props.sign} />} {props.title}
      </p>
      {props.children && <div className={styles.text}>{props.children}</div>}
      {props.action}
    </div>
  );
}

const TITLES: Partial<Record<AppError['code'], string>> = {
  forbidden: 'You may not see this',
  unauthenticated: 'You are not logged in any more',
  notFound: 'This is not there',
  unreachable: 'The server does not answer',
  timeout: 'The server took too long',
};

const HINTS: Partial<Record<AppError['code'], string>> = {
  forbidden: 'Ask somebody who manages this cluster for the right that is named above, then try again.',
  notFound: 'It may have been deleted meanwhile. The lists of backups and restores show what there is.',
  unreachable: 'It is tried again by itself as soon as the server is back.',
};

/** What failed, why, and the next thing to do. */
export function ErrorNotice({ error, again }: { error: AppError; again?: () => void }): ReactElement {
  const hint = error.details?.['hint'] ?? HINTS[error.code];
  return (
    <div role="alert">
      <Notice
        sign={error.code === 'notFound' ? 'idle' : 'bad'}
        title={TITLES[error.code] ?? 'This did not work'}
        action={
          again && (
            <Button size="xs" variant="default" onClick={again}>
              Try again
            </Button>
          )
        }
      >
        <p>{sentence(error.message)}</p>
        {typeof hint === 'string' && <p>{sentence(hint)}</p>}
      </Notice>
    </div>
  );
}

/** Never a spinner without a sentence. */
export function Waiting({ children }: { children: ReactNode }): ReactElement {
  return (
    <p className={styles.waiting} role="status">
      {children}
    </p>
  );
}

export function sentence(text: string): string {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
