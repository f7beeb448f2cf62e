import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation, StageTime } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { formatCount } from '../../../src/base/index.ts';
import { plural } from '../show/progress-text.ts';
import { secondsBetween } from '../show/time-text.ts';
import type { ShownState, Step } from './step.ts';

/** Stages so far, and those that usually come. */
export function stagesAsSteps(operation: Operation, stages: readonly StageTime[], now: number): Step[] {
  const usual = findAdapter(operation.ref.kind)?.stages?.usual ?? [];
  // Of a kind without usual ones, a single step that begins anew with every change would be all.
  const begun = usual.length === 0 && stages.length === 0 ? [] : withCurrent(operation, stages);
  // Velero tells no stages: where it is among them, nobody knows.
  if (begun.length === 0 && operation.report.state !== 'pending') return [];
  return numbered(operation, begun, { usual, now });
}

type Named = Omit<Step, 'number'>;

function numbered(
  operation: Operation,
  begun: readonly Begun[],
  { usual, now }: { usual: readonly string[]; now: number },
): Step[] {
  const { state } = operation.report;
  const steps: Named[] = begun.map((entry, at) =>
    stageStep(operation, entry, { isLast: at === begun.length - 1, now }),
  );
  const reached = Math.max(-1, ...begun.map(({ stage }) => usual.indexOf(stage)));
  const seen = new Set(begun.map(({ stage }) => stage));
  const rest: ShownState = isTerminal(state) ? 'notReached' : 'notStarted';
  // What ended without breaking off has gone through everything it had to.
  const wentThrough = state === 'completed' || state === 'partiallyFailed';
  const further = wentThrough ? [] : usual.slice(reached + 1).filter((stage) => !seen.has(stage));
  return [...steps, ...further.map((name) => ({ name, state: rest }))].map((step, at) => ({ number: at + 1, ...step }));
}

interface Begun {
  stage: string;
  startedAt: string;
  endedAt?: string;
}

/** The events are newer than the detail: a stage may be running that the detail has not heard of. */
function withCurrent({ report }: Operation, stages: readonly StageTime[]): Begun[] {
  const begun: Begun[] = stages.map((entry) => ({ ...entry }));
  const { stage, lastProgressAt } = report;
  if (stage === undefined || report.state !== 'running' || begun.some((entry) => entry.stage === stage)) return begun;
  return [...begun, { stage, startedAt: lastProgressAt ?? report.startedAt ?? '' }];
}

function stageStep(operation: Operation, entry: Begun, { isLast, now }: { isLast: boolean; now: number }): Named {
  const { state, stalled } = operation.report;
  const end = entry.endedAt ?? operation.endedAt ?? now;
  const seconds = secondsBetween(entry.startedAt, end);
  const { stage: name } = entry;
  const isWorking = name === findAdapter(operation.ref.kind)?.stages?.working;
  const trouble = isWorking ? troubleOf(operation) : undefined;
  if (trouble !== undefined && (!isLast || state !== 'running')) return { name, seconds, ...trouble };
  if (!isLast) return { name, state: 'done', seconds };
  if (state === 'running') return { name, state: stalled === undefined ? 'running' : 'stalled', seconds };
  return { name, state: state === 'failed' || state === 'canceled' ? state : 'done', seconds };
}

/** A stage whose items failed is not green, however far it got. */
function troubleOf({ report, errors }: Operation): Pick<Step, 'state' | 'trouble'> | undefined {
  const { failed = 0, created = 0, updated = 0, skipped = 0 } = report.counts ?? {};
  if (failed > 0) {
    const isAll = created + updated + skipped === 0;
    return { state: isAll ? 'failed' : 'partly', trouble: `${formatCount(failed)} failed` };
  }
  if (report.state !== 'partiallyFailed' || errors === 0) return undefined;
  return { state: 'partly', trouble: plural(errors, 'error') };
}
