import { cleanText, formatCount, formatDuration } from '../../base/index.ts';
import type { OperationStep } from '../../core/operations/index.ts';
import { formatMeasure } from './measures.ts';

/** The word tells a canceled step from a failed one. */
const STATES: Readonly<Record<OperationStep['state'], { sign: string; word?: string }>> = {
  Completed: { sign: '✓' },
  Running: { sign: '●' },
  Failed: { sign: '✕', word: 'failed' },
  Canceled: { sign: '✕', word: 'canceled' },
  Skipped: { sign: '–', word: 'skipped' },
  'Not started': { sign: '○' },
};
/** Names are of programs, and short; whoever writes a pipeline may write anything. */
const MAX_NAME = 60;
/** What moves in a step; who wants all of it has `-o json`. */
const SHOWN_LINES = 5;

/** The steps of a pipeline or the phases of actions, one a line; the running one with what it does and what moves in it. */
export function stepLines(steps: readonly OperationStep[], now: number): string[] {
  const width = Math.max(...steps.map(({ name }) => cleanText(name, MAX_NAME).length));
  let action: string | undefined;
  return steps.flatMap((step) => {
    const heading = step.of !== undefined && step.of !== action ? [`  ${step.of}`] : [];
    action = step.of;
    return [...heading, headOf(step, { width, now }), ...below(step)];
  });
}

function headOf(step: OperationStep, { width, now }: { width: number; now: number }): string {
  const { sign, word } = STATES[step.state];
  const parts = [
    word,
    tookText(step, now),
    step.state === 'Running' && step.percent !== undefined ? `${String(step.percent)} %` : undefined,
    step.measures.map(formatMeasure).join(', '),
    step.etaSeconds === undefined ? undefined : `${formatDuration(step.etaSeconds)} left`,
    step.isDeferred === true ? 'runs at the end' : undefined,
  ].filter((part) => part !== undefined && part !== '');
  return `  ${sign} ${cleanText(step.name, MAX_NAME).padEnd(width)}  ${parts.join('  ')}`.trimEnd();
}

function tookText({ startedAt, endedAt, state }: OperationStep, now: number): string | undefined {
  const isOpen = state === 'Running';
  const from = Date.parse(startedAt ?? '');
  const to = isOpen ? now : Date.parse(endedAt ?? '');
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  return `${formatDuration(Math.max(0, to - from) / 1000)}${isOpen ? ' so far' : ''}`;
}

/** Only where it matters: of what runs, and of what did not end well. */
function below({ state, phase, sentence, lines }: OperationStep): string[] {
  if (state !== 'Running' && state !== 'Failed' && state !== 'Canceled') return [];
  const what = [phase, sentence].filter((part) => part !== undefined).join(': ');
  const more = lines.length - SHOWN_LINES;
  return [
    ...(what === '' ? [] : [what]),
    ...lines.slice(0, SHOWN_LINES),
    ...(more > 0 ? [`… and ${formatCount(more)} more`] : []),
  ].map((line) => `      ${line}`);
}
