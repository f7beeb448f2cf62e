import { useEffect, useRef, type ReactElement } from 'react';
import { tookText } from '../show/progress-text.ts';
import { Sign, type SignKind } from '../show/sign.tsx';
import type { Step } from './steps.ts';
import styles from './step-row.module.css';

const SIGNS: Readonly<Record<Step['state'], SignKind>> = {
  done: 'ok',
  partly: 'warn',
  running: 'busy',
  stalled: 'warn',
  failed: 'bad',
  notStarted: 'idle',
  notReached: 'off',
};

const WORDS: Readonly<Record<Step['state'], string>> = {
  done: 'done',
  partly: 'partly failed',
  running: 'running',
  stalled: 'stalled',
  failed: 'ended here',
  notStarted: 'not started',
  notReached: 'not reached',
};

export function StepRow({ steps }: { steps: readonly Step[] }): ReactElement {
  const row = useRef<HTMLOListElement>(null);
  const current = steps.find(({ state }) => state === 'running' || state === 'stalled')?.stage;
  useEffect(() => {
    // On a phone the row is wider than the screen.
    const step = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (step) row.current?.scrollTo(step.offsetLeft - row.current.offsetLeft - 24, 0);
  }, [current, steps.length]);
  return (
    <ol ref={row} className={styles.steps} aria-label="Stages" tabIndex={0}>
      {steps.map(({ stage, state, seconds, trouble }) => (
        <li
          key={stage}
          className={`${styles.step} ${styles[state]}`}
          aria-current={state === 'running' || state === 'stalled' ? 'step' : undefined}
        >
          <span className={styles.name}>
            <Sign kind={SIGNS[state]} />
            {stage}
          </span>
          <span className={styles.time}>
            {seconds === undefined ? WORDS[state] : tookText(seconds)}
            {state === 'running' && ' …'}
            {trouble && `, ${trouble}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
