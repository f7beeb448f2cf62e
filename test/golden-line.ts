import type { Operation, OperationStep } from '../src/core/operations/index.ts';
import type { Measure } from '../src/core/progress/index.ts';

/** What a golden line is made of: a detail, or the part of it that a list has. */
export type Shown = Operation & { steps?: OperationStep[] };

/**
 * One operation in one line, with everything that is read from its status and nothing that differs from cluster to
 * cluster: no cluster, no uid, and no time that the API server made.
 */
export function goldenLine(operation: Shown): string {
  const { noun, ref, phase, report, step, facts, problems, errors, warnings, seconds, sentence, steps } = operation;
  const { percent, exactPercent, measures, stage, current, etaSeconds, counts, startedAt, stalled, waits } = report;
  return [
    `${noun}/${ref.name}`,
    `${ref.kind} ${report.state} ${phase}`,
    percent === undefined
      ? ''
      : `${String(percent)} %${exactPercent === undefined ? '' : ` (${String(exactPercent)})`}`,
    measures.map(measureText).join(', '),
    step === undefined ? '' : `step ${String(step.number)} of ${String(step.of)} ${step.name}`,
    [stage, current].filter((part) => part !== undefined).join(' · '),
    etaSeconds === undefined ? '' : `${String(etaSeconds)} s left`,
    counts === undefined ? '' : JSON.stringify(counts),
    stalled === undefined ? '' : `stalled: ${stalled.cause}`,
    (waits ?? []).map(({ cause }) => `waits: ${cause}`).join(', '),
    startedAt === undefined || startedAt === operation.createdAt ? '' : `from ${startedAt}`,
    operation.endedAt === undefined ? '' : `to ${operation.endedAt}`,
    // Of one that tells no start, it is the time since the test created it.
    seconds === undefined || startedAt === operation.createdAt ? '' : `${String(seconds)} s`,
    Object.keys(facts).length === 0 ? '' : JSON.stringify(facts),
    problems.map(({ level, text }) => `${level}: ${text}`).join('; '),
    errors + warnings === 0 ? '' : `${String(errors)} errors, ${String(warnings)} warnings`,
    startedAt === operation.createdAt
      ? (sentence ?? '').replace(/ (?:in|after) .*? (?:s|min|h|d)\b.*?(?=;|:|$)/, '')
      : (sentence ?? ''),
    (steps ?? []).map(stepText).join(' → '),
  ]
    .filter((part) => part !== '')
    .join(' | ');
}

function measureText({ unit, done, total }: Measure): string {
  const whole = total.kind === 'unknown' ? '?' : `${total.kind === 'estimate' ? '~' : ''}${String(total.value)}`;
  return `${unit} ${String(done)}/${whole}`;
}

function stepText({
  name,
  state,
  of,
  isDeferred,
  percent,
  phase,
  measures,
  lines,
  etaSeconds,
  sentence,
}: OperationStep): string {
  const told = [
    of,
    isDeferred === true ? 'deferred' : undefined,
    percent === undefined ? undefined : `${String(percent)} %`,
    phase,
    sentence,
    ...measures.map(measureText),
    etaSeconds === undefined ? undefined : `${String(etaSeconds)} s left`,
    lines.length === 0 ? undefined : `${String(lines.length)} lines`,
  ].filter((part) => part !== undefined);
  return `${name} ${state}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
}
