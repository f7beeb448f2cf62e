import type { Operation, StageTime } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { formatCount } from '../../../src/base/index.ts';
import { plural } from '../show/progress-text.ts';
import { secondsBetween } from '../show/time-text.ts';

export interface Step {
  stage: string;
  state: 'done' | 'partly' | 'running' | 'stalled' | 'failed' | 'notStarted' | 'notReached';
  /** What went wrong in it, such as `12 failed`. */
  trouble?: string;
  /** Absent for what has not begun. */
  seconds?: number;
}

/** In which stage the items are settled, so that their failures belong there. */
const WORKING: Readonly<Record<string, string>> = { Backup: 'archiving', Restore: 'restoring' };

/** What usually comes, to show what has not started; a stage that only some operations have appears when it begins. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  Backup: ['discovering', 'listing', 'archiving', 'uploading', 'finalizing'],
  Restore: ['downloading', 'checking', 'collecting', 'restoring', 'finalizing'],
};

/** The stages as a row: those behind with how long they took, the one it is in, and those that have not started. */
export function stepsOf(operation: Operation, stages: readonly StageTime[], now: number): Step[] {
  const begun = withCurrent(operation, stages);
  const steps = begun.map((entry, at) => stepOf(operation, entry, { isLast: at === begun.length - 1, now }));
  const usual = USUAL[operation.ref.kind] ?? [];
  const reached = Math.max(-1, ...begun.map(({ stage }) => usual.indexOf(stage)));
  if (operation.report.state === 'completed') return steps;
  const state = isTerminal(operation.report.state) ? 'notReached' : 'notStarted';
  const seen = new Set<string>(begun.map(({ stage }) => stage));
  const further = usual.slice(reached + 1).filter((stage) => !seen.has(stage));
  // What ended without a failure in between, such as partially failed, has gone through everything it had to.
  const wentThrough = operation.report.state === 'partiallyFailed';
  return wentThrough ? steps : [...steps, ...further.map((stage) => ({ stage, state }) as const)];
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

function stepOf(operation: Operation, entry: Begun, { isLast, now }: { isLast: boolean; now: number }): Step {
  const { state, stalled } = operation.report;
  const end = entry.endedAt ?? operation.endedAt ?? now;
  const seconds = secondsBetween(entry.startedAt, end);
  const { stage } = entry;
  const trouble = stage === WORKING[operation.ref.kind] ? troubleOf(operation) : undefined;
  if (trouble !== undefined && (!isLast || state !== 'running')) return { stage, seconds, ...trouble };
  if (!isLast) return { stage, state: 'done', seconds };
  if (state === 'running') return { stage, state: stalled === undefined ? 'running' : 'stalled', seconds };
  return { stage, state: state === 'failed' || state === 'canceled' ? 'failed' : 'done', seconds };
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
