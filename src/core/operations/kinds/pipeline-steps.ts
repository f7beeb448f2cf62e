import { phaseSentence, stepName } from '../../../api/migration/phases.ts';
import { cleanText, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { addMeasures, present, stepState, wholePercent, type OperationState, type Step } from '../../progress/index.ts';
import type { OperationStep, StepPosition } from '../operation.ts';
import { textListAt, timeAt, trueCondition } from '../status-values.ts';
import { linesPercent, readLines } from './progress-lines.ts';

const MAX_LINES = 100;

/** The step that runs, else the one in which it broke off. A pipeline may be long, so that nothing else is read of it. */
export function stepPosition(status: JsonObject): StepPosition | undefined {
  const steps = pipelineOf(status).map(toStep);
  const states = steps.map(stepState);
  const running = states.indexOf('Running');
  const at = running >= 0 ? running : states.findIndex((state) => state === 'Failed' || state === 'Canceled');
  const step = steps[at];
  return step === undefined ? undefined : { number: at + 1, of: steps.length, name: stepName(step.name) };
}

function pipelineOf(status: JsonObject): JsonObject[] {
  return objectsAt(status, 'pipeline').filter((each) => textAt(each, 'name') !== undefined);
}

/** `status.pipeline` as steps. MTC up to 1.3 had none: then it is the one step that its condition tells of. */
export function pipelineSteps(status: JsonObject, state: OperationState): OperationStep[] {
  const entries = pipelineOf(status);
  const failed = entries.findIndex((each) => stepState(toStep(each)) === 'Failed');
  const steps = entries.map((each, at) => readStep(each, { number: at + 1, isWhereItFailed: at === failed }, status));
  if (steps.length > 0 || state === 'pending') return steps;
  const running = trueCondition(status, 'Running');
  const phase = textAt(status, 'phase') ?? textAt(running, 'reason');
  if (running === undefined || phase === undefined) return [];
  const lines = runningLines(status);
  const step = { name: stepName(textAt(status, 'step') ?? phase), state: 'Running' as const };
  return [present({ number: 1, ...step, ...moving(lines), ...phaseOf(phase, running) })];
}

/** The lines of the step that runs; seed 000's text on the condition is one. */
export function runningLines(status: JsonObject): string[] {
  const progress = textAt(trueCondition(status, 'Running'), 'progress');
  const running = objectsAt(status, 'pipeline').find((each) => stepState(toStep(each)) === 'Running');
  const lines = textListAt(running, 'progress').slice(0, MAX_LINES);
  return lines.length > 0 || progress === undefined ? lines : [progress];
}

function readStep(
  entry: JsonObject,
  { number, isWhereItFailed }: { number: number; isWhereItFailed: boolean },
  status: JsonObject,
): OperationStep {
  const step = toStep(entry);
  const state = stepState(step);
  const isRunning = state === 'Running';
  const running = isRunning ? trueCondition(status, 'Running') : undefined;
  const lines = isRunning ? runningLines(status) : textListAt(entry, 'progress').slice(0, MAX_LINES);
  // MTC forgets the phase of a step that failed, and keeps it only as the reason of its condition.
  const failure = isWhereItFailed ? textAt(trueCondition(status, 'Failed'), 'reason') : undefined;
  // It also leaves one in steps that are over.
  const phase = state === 'Completed' ? undefined : (step.phase ?? failure);
  const told = moving(lines);
  return present({
    number,
    name: stepName(step.name),
    state,
    startedAt: step.started,
    endedAt: state === 'Not started' || isRunning ? undefined : step.completed,
    ...told,
    percent: state === 'Completed' ? 100 : told.percent,
    ...(phase === undefined ? {} : phaseOf(phase, running, isRunning ? step.message : undefined)),
  });
}

function moving(lines: readonly string[]): Pick<OperationStep, 'measures' | 'lines' | 'percent'> {
  const numbers = readLines(lines);
  const percent = linesPercent(numbers);
  return present({
    measures: addMeasures(numbers.measures),
    lines: lines.map((line) => cleanText(line)),
    percent: percent === undefined ? undefined : Math.min(99, wholePercent(percent)),
  });
}

/** MTC describes the running phase itself, but not every one; the condition changes when the phase does. */
function phaseOf(
  phase: string,
  running: JsonObject | undefined,
  message = '',
): Pick<OperationStep, 'phase' | 'phaseStartedAt' | 'sentence'> {
  const told = message === phase || message === '' ? undefined : cleanText(message);
  return present({
    phase,
    phaseStartedAt: timeAt(running, 'lastTransitionTime'),
    sentence: told ?? phaseSentence(phase),
  });
}

/** Only what has the type that it should have. */
function toStep(entry: JsonObject): Step {
  const isSet = (field: string): true | undefined => (valueAt(entry, field) === true ? true : undefined);
  return present({
    name: textAt(entry, 'name') ?? '',
    message: textAt(entry, 'message') ?? '',
    started: timeAt(entry, 'started'),
    completed: timeAt(entry, 'completed'),
    phase: textAt(entry, 'phase'),
    failed: isSet('failed'),
    canceled: isSet('canceled'),
    skipped: isSet('skipped'),
  });
}
