import type { Operation, OperationStep } from '../src/core/operations/index.ts';
import type { Measure } from '../src/core/progress/index.ts';

/** What a golden line is made of: a detail, or the part of it that a list has. */
type Shown = Operation & { steps?: OperationStep[] };

/** What is not there leaves no trace. */
const told = <T>(value: T | undefined, text: (value: T) => string): string => (value === undefined ? '' : text(value));

/**
 * One operation in one line, with everything that is read from its status and nothing that differs from cluster to
 * cluster: no cluster, no uid, and no time that the API server made.
 */
export function goldenLine(operation: Shown): string {
  const { noun, ref, phase, report, step, facts, problems, errors, warnings, steps = [] } = operation;
  const { percent, exactPercent, etaSeconds, counts, stalled, waits = [] } = report;
  return [
    `${noun}/${ref.name}`,
    `${ref.kind} ${report.state} ${phase}`,
    told(percent, (value) => `${String(value)} %${told(exactPercent, (exact) => ` (${String(exact)})`)}`),
    report.measures.map(measureText).join(', '),
    told(step, ({ number, of, name }) => `step ${String(number)} of ${String(of)} ${name}`),
    [report.stage, report.current].filter((part) => part !== undefined).join(' · '),
    told(etaSeconds, (seconds) => `${String(seconds)} s left`),
    told(counts, (value) => JSON.stringify(value)),
    told(stalled, ({ cause }) => `stalled: ${cause}`),
    waits.map(({ cause }) => `waits: ${cause}`).join(', '),
    ...timesOf(operation),
    Object.keys(facts).length === 0 ? '' : JSON.stringify(facts),
    problems.map(({ level, text }) => `${level}: ${text}`).join('; '),
    errors + warnings === 0 ? '' : `${String(errors)} errors, ${String(warnings)} warnings`,
    operation.sentence ?? '',
    steps.map(stepText).join(' → '),
  ]
    .filter((part) => part !== '')
    .join(' | ');
}

/** Without those of an operation whose start is the time when its object was created. */
function timesOf({ report, createdAt, endedAt, seconds }: Operation): string[] {
  const end = told(endedAt, (time) => `to ${time}`);
  if (report.startedAt === createdAt) return [end];
  return [told(report.startedAt, (time) => `from ${time}`), end, told(seconds, (value) => `${String(value)} s`)];
}

function measureText({ unit, done, total }: Measure): string {
  const whole = total.kind === 'unknown' ? '?' : `${total.kind === 'estimate' ? '~' : ''}${String(total.value)}`;
  return `${unit} ${String(done)}/${whole}`;
}

function stepText({ name, state, measures, lines, ...step }: OperationStep): string {
  const parts = [
    step.of ?? '',
    step.isDeferred === true ? 'deferred' : '',
    told(step.percent, (percent) => `${String(percent)} %`),
    step.phase ?? '',
    step.sentence ?? '',
    ...measures.map(measureText),
    told(step.etaSeconds, (seconds) => `${String(seconds)} s left`),
    lines.length === 0 ? '' : `${String(lines.length)} lines`,
  ].filter((part) => part !== '');
  return `${name} ${state}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
}
