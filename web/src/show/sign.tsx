import type { ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { dataGap } from '../../../src/core/operations/problems.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { STANDING_WORDS, type Standing } from './standing-words.ts';
import styles from './sign.module.css';

export function standingOf({ report }: Operation): Standing {
  return report.stalled === undefined ? report.state : 'stalled';
}

export type SignKind = 'ok' | 'busy' | 'warn' | 'bad' | 'stopped' | 'idle' | 'off';

const SIGNS: Readonly<Record<Standing, SignKind>> = {
  pending: 'idle',
  running: 'busy',
  stalled: 'warn',
  completed: 'ok',
  partiallyFailed: 'warn',
  failed: 'bad',
  canceled: 'stopped',
};

const SHAPES: Readonly<Record<SignKind, ReactElement>> = {
  ok: <path d="M3 8.5l3.2 3.2L13 4.8" fill="none" strokeWidth="2.2" />,
  busy: <circle cx="8" cy="8" r="4.6" stroke="none" />,
  warn: <path d="M8 2.6L14.2 13H1.8z" strokeWidth="1" />,
  bad: <path d="M4 4l8 8M12 4l-8 8" fill="none" strokeWidth="2.2" />,
  idle: <circle cx="8" cy="8" r="4.4" fill="none" strokeWidth="1.8" />,
  stopped: <path d="M8 3.2a4.8 4.8 0 100 9.6 4.8 4.8 0 000-9.6zM4.6 11.4l6.8-6.8" fill="none" strokeWidth="1.8" />,
  off: <path d="M4 8h8" fill="none" strokeWidth="1.8" />,
};

/** ✓ ● ▲ ✕ ⊘ ○ –: drawn, so that they look the same with every font. */
export function Sign({ kind }: { kind: SignKind }): ReactElement {
  return (
    <svg className={`${styles.sign} ${styles[kind]}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[kind]}
    </svg>
  );
}

export function StandingSign({ operation }: { operation: Operation }): ReactElement {
  return <Sign kind={signOf(operation)} />;
}

/** Green would say that everything is safe. */
function signOf(operation: Operation): SignKind {
  const sign = SIGNS[standingOf(operation)];
  const { facts } = operation;
  const isGreen = facts.isNothingSelected !== true && dataGap(facts) === undefined;
  return sign === 'ok' && !isGreen ? 'warn' : sign;
}

/** The sign with its word: colour is never the only sign. */
export function StandingLabel({ operation }: { operation: Operation }): ReactElement {
  const standing = standingOf(operation);
  const leaving = leavingWord(operation);
  const sign = leaving === undefined ? signOf(operation) : 'busy';
  return (
    <span className={`${styles.label} ${styles[sign]}`}>
      <Sign kind={sign} />
      {leaving ?? STANDING_WORDS[standing]}
    </span>
  );
}

/** Beside a standing, wherever a backup or restore is shown: which data it does not have. */
export function DataGap({ operation }: { operation: Operation }): ReactElement | null {
  const gap = dataGap(operation.facts);
  if (gap === undefined) return null;
  return (
    <span
      className={`${styles.label} ${styles.warn}`}
      title="The objects of these volume claims are included, but not the data in them"
    >
      {gap}
    </span>
  );
}

/** For a cell of a table, where what is missing stands below. */
export function StandingCell({ operation }: { operation: Operation }): ReactElement {
  return (
    <span className={styles.cell}>
      <StandingLabel operation={operation} />
      <DataGap operation={operation} />
    </span>
  );
}

/** What somebody has asked for and is not done yet. */
function leavingWord({ report, facts }: Operation): string | undefined {
  if (facts.isDeleting) return 'deleting';
  return facts.isCancelAsked && !isTerminal(report.state) && !report.stalled ? 'canceling' : undefined;
}
