import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation, OperationDetail, OperationStep } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { secondsBetween } from '../show/time-text.ts';
import { stagesAsSteps } from './stage-steps.ts';
import type { ShownState, Step } from './step.ts';

type Told = Pick<OperationDetail, 'stages' | 'steps'>;

/** The steps as a row: those behind with how long they took, the one it is in, and those that have not started. */
export function stepsOf(operation: Operation, detail: Told | undefined, now: number): Step[] {
  const hasOwn = findAdapter(operation.ref.kind)?.steps !== undefined;
  if (!hasOwn) return stagesAsSteps(operation, detail?.stages ?? [], now);
  const steps = detail?.steps ?? [];
  const areSeveral = new Set(steps.map(({ of }) => of)).size > 1;
  return steps.map((step) => ownStep(operation, placed(operation, step, steps.length), { now, areSeveral }));
}

/** MTC up to 1.3 tells only of the step that runs, and in words which of how many that is. */
function placed({ step: place }: Operation, step: OperationStep, count: number): OperationStep {
  return count === 1 && place !== undefined && place.of > 1 ? { ...step, number: place.number } : step;
}

/** How many there are, also those that nobody has told of. */
export function stepsTotal(operation: Operation | undefined, detail: OperationDetail | undefined): number {
  const told = detail?.stepsTotal ?? 0;
  return told === 1 ? Math.max(told, operation?.step?.of ?? 0) : told;
}

function ownStep(
  operation: Operation,
  step: OperationStep,
  { now, areSeveral }: { now: number; areSeveral: boolean },
): Step {
  const state = stateOf(operation, step);
  const seconds = stepSeconds(operation, step, now);
  return {
    number: step.number,
    name: step.name,
    state,
    ...(seconds === undefined ? {} : { seconds }),
    ...(areSeveral && step.of !== undefined ? { of: step.of } : {}),
    ...(step.isDeferred ? { trouble: 'at the end' } : {}),
    inside: step,
  };
}

/** What a step without an end became when its operation ended. */
const AT_END = { completed: 'done', partiallyFailed: 'partly', failed: 'failed', canceled: 'canceled' } as const;

function stateOf({ report }: Operation, { state }: OperationStep): ShownState {
  switch (state) {
    case 'Completed':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Canceled':
      return 'canceled';
    case 'Skipped':
      return 'skipped';
    case 'Not started':
      return isTerminal(report.state) ? 'notReached' : 'notStarted';
    case 'Running':
      if (report.state === 'pending' || report.state === 'running') return report.stalled ? 'stalled' : 'running';
      return AT_END[report.state];
  }
}

/** Undefined where nobody wrote down when it began or ended. */
export function stepSeconds(
  operation: Operation,
  { startedAt, endedAt, state }: Pick<OperationStep, 'startedAt' | 'endedAt' | 'state'>,
  now: number,
): number | undefined {
  if (startedAt === undefined || state === 'Not started' || state === 'Skipped') return undefined;
  const end = endedAt ?? (state === 'Running' && !isTerminal(operation.report.state) ? now : operation.endedAt);
  return end === undefined ? undefined : secondsBetween(startedAt, end);
}

/** The one that is open by itself: what runs, else where it broke off. */
export function mainStep(steps: readonly Step[]): Step | undefined {
  const first = (...states: ShownState[]): Step | undefined => steps.find(({ state }) => states.includes(state));
  return first('running', 'stalled') ?? first('failed', 'canceled');
}

/** Steps that belong together, in order. */
interface StepGroup {
  of: string | undefined;
  steps: Step[];
}

export function groupSteps(steps: readonly Step[]): StepGroup[] {
  const groups: StepGroup[] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last !== undefined && last.of === step.of) last.steps.push(step);
    else groups.push({ of: step.of, steps: [step] });
  }
  return groups;
}
