import { AppError } from '../../base/index.ts';
import { meanPercent } from './combine.ts';
import { present } from './present.ts';

/** A phase that will run, and the step in which it is shown. */
export interface PlannedPhase {
  name: string;
  step: string;
}

/** One entry of `status.pipeline`, with upstream's field names, so that it is read back as it was written. */
export interface Step {
  name: string;
  message: string;
  started?: string;
  completed?: string;
  phase?: string;
  progress?: string[];
  failed?: boolean;
  canceled?: boolean;
  skipped?: boolean;
}

export type StepState = 'Not started' | 'Running' | 'Completed' | 'Failed' | 'Canceled' | 'Skipped';

const CANCELED = 'Canceled';

export function stepState(step: Step): StepState {
  const hasEnded = step.completed !== undefined;
  if (step.failed === true) return 'Failed';
  // An API server with MTC's own definitions keeps the message alone.
  if (step.canceled === true || (hasEnded && step.message === CANCELED)) return 'Canceled';
  // MTC also marks steps as skipped that ran before it was canceled.
  if (step.skipped === true && !(hasEnded && step.started !== undefined)) return 'Skipped';
  if (hasEnded) return 'Completed';
  return step.started === undefined ? 'Not started' : 'Running';
}

/** The steps of the phases that will run, in their order (seed 003: no step that would be skipped). */
export function planSteps(phases: readonly PlannedPhase[]): Step[] {
  const steps: Step[] = [];
  const names = new Set<string>();
  for (const { name, step } of phases) {
    if (names.has(name)) throw new AppError('bug', `itinerary has phase ${name} twice`);
    names.add(name);
    if (steps.at(-1)?.name === step) continue;
    if (steps.some((other) => other.name === step)) {
      throw new AppError('bug', `itinerary comes back to step ${step} with phase ${name}: a step's phases must adjoin`);
    }
    steps.push({ name: step, message: 'Not started' });
  }
  return steps;
}

/**
 * Another itinerary takes over after a failure or a cancel: steps that ran stay, the new ones follow, and those that
 * neither ran nor will run are skipped.
 */
export function changeItinerary(steps: readonly Step[], phases: readonly PlannedPhase[]): Step[] {
  const coming = planSteps(phases);
  const kept = steps
    .filter((step) => step.started !== undefined || !coming.some((other) => other.name === step.name))
    .map((step) => (step.started === undefined ? { ...step, message: 'Skipped', skipped: true } : step));
  return [...kept, ...coming.filter((step) => !kept.some((other) => other.name === step.name))];
}

/**
 * The phase begins: its step runs, and the previous running step is completed. A failed or canceled step stays so, even
 * if cleanup phases belong to it.
 */
export function enterPhase(steps: readonly Step[], phase: PlannedPhase, at: string, message: string): Step[] {
  const position = steps.findIndex((step) => step.name === phase.step);
  if (position < 0)
    throw new AppError('bug', `phase ${phase.name} belongs to step ${phase.step}, which is not planned`);
  return steps.map((step, index) => {
    if (index !== position) return stepState(step) === 'Running' ? completeStep(step, at) : step;
    if (isBrokenOff(step)) return step;
    return present({ ...step, message, phase: phase.name, started: step.started ?? at, completed: undefined });
  });
}

/** Replaces the progress lines of the running step; they stay when it ends. */
export function setLines(steps: readonly Step[], lines: readonly string[]): Step[] {
  return steps.map((step) => (stepState(step) === 'Running' ? { ...step, progress: [...lines] } : step));
}

/** The running step ends here. Its phase stays, because it shows where. A canceled step is no failed one. */
export function breakOff(steps: readonly Step[], at: string, message: 'Failed' | 'Canceled'): Step[] {
  const mark = message === CANCELED ? { canceled: true } : { failed: true };
  return steps.map((step) => (stepState(step) === 'Running' ? { ...step, message, completed: at, ...mark } : step));
}

function isBrokenOff(step: Step): boolean {
  const state = stepState(step);
  return state === 'Failed' || state === 'Canceled';
}

export function completePipeline(steps: readonly Step[], at: string): Step[] {
  return steps.map((step) => (stepState(step) === 'Running' ? completeStep(step, at) : step));
}

function completeStep(step: Step, at: string): Step {
  return present({ ...step, message: 'Completed', completed: at, phase: undefined });
}

/** The number of the running phase, counted from 1, for `Step: 7/33`; 0 before the first. */
export function phasePosition(steps: readonly Step[], phases: readonly PlannedPhase[]): number {
  const running = steps.find((step) => stepState(step) === 'Running');
  if (running !== undefined) return phases.findIndex((phase) => phase.name === running.phase) + 1;
  return steps.some((step) => stepState(step) === 'Not started') ? 0 : phases.length;
}

/**
 * The mean over the phases that will run, the running one with its own percent. Undefined once a step has failed, was
 * canceled or skipped: what still runs is cleanup, and the percent stays as it was (law 2).
 */
export function pipelinePercent(
  steps: readonly Step[],
  phases: readonly PlannedPhase[],
  runningPercent?: number,
): number | undefined {
  const states = steps.map(stepState);
  if (steps.some(isBrokenOff) || states.includes('Skipped')) return undefined;
  const position = phasePosition(steps, phases);
  const isRunning = states.includes('Running');
  return meanPercent(
    phases.map((_phase, index) => {
      if (index + 1 === position && isRunning) return runningPercent;
      return index < position ? 100 : 0;
    }),
  );
}
