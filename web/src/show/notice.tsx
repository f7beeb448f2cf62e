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
  forbidden: 'You are not allowed to see this',
  unauthenticated: 'You are not logged in',
  notFound: 'Not found',
  unreachable: 'The server is not responding',
  timeout: 'The server took too long',
};

const HINTS: Partial<Record<AppError['code'], string>> = {
  forbidden: 'Ask your cluster administrator for the permission named above, then try again.',
  notFound: 'It may have been deleted. Go back to the list to see what is there.',
  unreachable: 'The page reconnects automatically when the server is back.',
};

/** What failed, why, and the next thing to do. */
export function ErrorNotice({ error, again }: { error: AppError; again?: () => void }): ReactElement {
  const hint = error.details?.['hint'] ?? HINTS[error.code];
  return (
    <div role="alert">
      <Notice
        sign={error.code === 'notFound' ? 'idle' : 'bad'}
        title={TITLES[error.code] ?? 'That did not work'}
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
