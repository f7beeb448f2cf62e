import { UnstyledButton } from '@mantine/core';
import { useEffect, useRef, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { tookText } from '../show/progress-text.ts';
import { Sign, type SignKind } from '../show/sign.tsx';
import type { ShownState, Step } from './step.ts';
import { groupSteps, mainStep } from './steps.ts';
import styles from './step-row.module.css';

export const STEP_SIGNS: Readonly<Record<ShownState, SignKind>> = {
  done: 'ok',
  partly: 'warn',
  running: 'busy',
  stalled: 'warn',
  failed: 'bad',
  canceled: 'stopped',
  skipped: 'off',
  notStarted: 'idle',
  notReached: 'off',
};

export const STEP_WORDS: Readonly<Record<ShownState, string>> = {
  done: 'done',
  partly: 'partly failed',
  running: 'running',
  stalled: 'stalled',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
  notStarted: 'not started',
  notReached: 'not reached',
};

interface StepRowProps {
  steps: readonly Step[];
  /** Of all, also those that are not in the row. */
  total: number;
  /** The number of the one that is open below. */
  open?: number | undefined;
  onOpen?: (number: number) => void;
}

export function StepRow({ steps, total, open, onOpen }: StepRowProps): ReactElement | null {
  const row = useRef<HTMLOListElement>(null);
  const main = mainStep(steps)?.number;
  useEffect(() => {
    // On a phone the row is wider than the screen.
    const step = row.current?.querySelector<HTMLElement>('[data-main]');
    if (step) row.current?.scrollTo(step.offsetLeft - row.current.offsetLeft - 24, 0);
  }, [main, steps.length]);
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [before, after] = [first.number - 1, Math.max(0, total - last.number)];
  return (
    <ol ref={row} className={styles.row} aria-label="Steps" tabIndex={0}>
      {before > 0 && <li className={styles.more}>{formatCount(before)} before</li>}
      {groupSteps(steps).map((group, at) => (
        <li key={at} className={styles.group} style={{ flexGrow: group.steps.length }}>
          {group.of !== undefined && (
            <span className={styles.of} title={group.of}>
              {group.of}
            </span>
          )}
          <ol className={styles.steps}>
            {group.steps.map((step) => (
              <StepItem
                key={step.number}
                step={step}
                isMain={step.number === main}
                isOpen={step.number === open}
                onOpen={onOpen}
              />
            ))}
          </ol>
        </li>
      ))}
      {after > 0 && <li className={styles.more}>{formatCount(after)} more</li>}
    </ol>
  );
}

interface StepItemProps {
  step: Step;
  isMain: boolean;
  isOpen: boolean;
  onOpen: StepRowProps['onOpen'];
}

function StepItem({ step, isMain, isOpen, onOpen }: StepItemProps): ReactElement {
  const { number, state, inside } = step;
  const isRunning = state === 'running' || state === 'stalled';
  const canOpen = inside !== undefined && onOpen !== undefined;
  return (
    <li
      className={`${styles.step} ${styles[state]} ${isOpen ? styles.open : ''}`}
      aria-current={isRunning ? 'step' : undefined}
      data-main={isMain || undefined}
    >
      {canOpen ? (
        <UnstyledButton
          className={styles.button}
          aria-expanded={isOpen}
          onClick={() => {
            onOpen(number);
          }}
        >
          <StepText step={step} />
        </UnstyledButton>
      ) : (
        <StepText step={step} />
      )}
    </li>
  );
}

function StepText({ step: { name, state, seconds, trouble } }: { step: Step }): ReactElement {
  // The sign is not heard, and two of them are not told apart by a duration.
  const isPlain = state === 'done' || state === 'running' || state === 'partly';
  const took = seconds === undefined ? undefined : `${tookText(seconds)}${state === 'running' ? ' …' : ''}`;
  const parts = [isPlain && took !== undefined ? undefined : STEP_WORDS[state], took, trouble];
  return (
    <>
      <span className={styles.name} title={name}>
        <Sign kind={STEP_SIGNS[state]} />
        <span className={styles.text}>{name}</span>
      </span>
      <span className={styles.time}>{parts.filter((part) => part !== undefined).join(', ')}</span>
    </>
  );
}
