import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { formatCount, formatDuration } from '../../../src/base/index.ts';
import type { Operation, OperationStep } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useSetQuery } from '../frame/place.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { can } from '../show/operation-name.tsx';
import { sentence } from '../show/notice.tsx';
import { Panel } from '../show/panel.tsx';
import { ProgressBar } from '../show/progress-bar.tsx';
import { leftText, measureText, stepText, tookText } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { secondsBetween } from '../show/time-text.ts';
import type { Step } from './step.ts';
import { STEP_SIGNS, STEP_WORDS } from './step-row.tsx';
import styles from './step-panel.module.css';

/** The rest opens on demand: whoever writes a pipeline may write a hundred lines into each step. */
const MAX_LINES = 12;

interface StepPanelProps {
  operation: Operation;
  step: Step;
  inside: OperationStep;
  total: number;
}

/** One step, opened: how far it is, the phase in it and what that does, and what moves. */
export function StepPanel({ operation, step, inside, total }: StepPanelProps): ReactElement {
  const number = stepText({ number: step.number, of: total });
  return (
    <Panel title={`${sentenceCase(number)}: ${step.name}`} side={<State step={step} />}>
      <div className={styles.step}>
        {step.of !== undefined && <p className={styles.dim}>Action: {step.of}</p>}
        <Progress operation={operation} step={step} inside={inside} />
        <Phase operation={operation} step={step} inside={inside} />
        <Lines key={step.number} lines={inside.lines} />
        <PhaseLog operation={operation} inside={inside} />
      </div>
    </Panel>
  );
}

function sentenceCase(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function State({ step: { state, seconds, trouble } }: { step: Step }): ReactElement {
  const took = seconds === undefined ? undefined : tookText(seconds);
  const time = state === 'running' || state === 'stalled' ? `for ${took ?? ''}` : `after ${took ?? ''}`;
  return (
    <span className={styles.state}>
      <Sign kind={STEP_SIGNS[state]} /> {STEP_WORDS[state]} {took !== undefined && time}
      {trouble !== undefined && `, ${trouble}`}
    </span>
  );
}

function Progress({ operation, step, inside }: Omit<StepPanelProps, 'total'>): ReactElement | null {
  const isOld = useOldSince(operation.cluster) !== undefined;
  const { percent, measures, etaSeconds } = inside;
  const isRunning = step.state === 'running' || step.state === 'stalled';
  const left = isRunning && step.state !== 'stalled' && !isOld ? leftText({ etaSeconds }) : undefined;
  const facts = [...measures.map(measureText), left].filter((fact) => fact !== undefined);
  if (step.state === 'done' || (!isRunning && percent === undefined)) {
    return facts.length === 0 ? null : <p>{facts.join(' · ')}</p>;
  }
  const report = {
    state: isRunning ? ('running' as const) : ('failed' as const),
    measures,
    children: [],
    ...(percent === undefined ? {} : { percent }),
  };
  return (
    <>
      <ProgressBar report={report} label={`Step ${step.name}`} />
      <p>
        {percent !== undefined && <strong className={styles.percent}>{String(percent)} %</strong>} {facts.join(' · ')}
      </p>
    </>
  );
}

function Phase({ operation, step, inside }: Omit<StepPanelProps, 'total'>): ReactElement | null {
  const now = useNow();
  const oldSince = useOldSince(operation.cluster);
  const { phase, phaseStartedAt, sentence: told } = inside;
  if (phase === undefined && told === undefined) return null;
  const isRunning = step.state === 'running' || step.state === 'stalled';
  const took = isRunning && phaseStartedAt !== undefined ? secondsBetween(phaseStartedAt, oldSince ?? now) : undefined;
  return (
    <p>
      {phase !== undefined && (
        <>
          <span className={styles.dim}>{isRunning ? 'Phase' : 'Last phase'}</span> <code>{phase}</code>{' '}
          {took !== undefined && <span className={styles.dim}>for {formatDuration(took)}</span>}
          <br />
        </>
      )}
      {told !== undefined && sentence(told)}
    </p>
  );
}

/** A name with other signs stands in quotes there. */
function asInLog(name: string): string {
  return /^[\w\-./@^+]+$/.test(name) ? name : JSON.stringify(name);
}

/** The log has the name of its phase on every line. */
function PhaseLog({ operation, inside }: Pick<StepPanelProps, 'operation' | 'inside'>): ReactElement | null {
  const setQuery = useSetQuery();
  if (!can(operation, 'logs') || inside.state === 'Not started' || isTerminal(operation.report.state)) return null;
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={styles.more}
      onClick={() => {
        setQuery({ tab: 'log', q: `phase=${asInLog(inside.name)}` });
      }}
    >
      Log of this phase
    </Button>
  );
}

function Lines({ lines }: { lines: readonly string[] }): ReactElement | null {
  const [isWhole, setWhole] = useState(false);
  if (lines.length === 0) return null;
  const shown = isWhole ? lines : lines.slice(0, MAX_LINES);
  const more = lines.length - shown.length;
  return (
    <>
      <ul className={styles.lines} aria-label="Progress of the phase">
        {shown.map((line, at) => (
          <li key={at}>{line}</li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          className={styles.more}
          onClick={() => {
            setWhole(true);
          }}
        >
          Show {formatCount(more)} more
        </Button>
      )}
    </>
  );
}
