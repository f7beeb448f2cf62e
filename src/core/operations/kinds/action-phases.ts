import { cleanText, objectAt, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import {
  estimate,
  present,
  readPercentText,
  UNKNOWN,
  wholePercent,
  type Measure,
  type OperationState,
  type StepState,
} from '../../progress/index.ts';
import type { OperationStep } from '../operation.ts';
import { countAt, timeAt } from '../status-values.ts';

/** One phase of one action of a set. */
export interface ActionPhase {
  name: string;
  state: StepState;
  /** Which action of the set it belongs to, counted from 0. */
  action: number;
  isDeferred: boolean;
  progress: JsonObject;
  sentence: string | undefined;
}

const STATES: Readonly<Record<string, StepState>> = {
  pending: 'Not started',
  complete: 'Completed',
  completed: 'Completed',
  failed: 'Failed',
};

/** All phases of all actions, in order; a deferPhase without a name is how Go writes that there is none. */
export function phasesOf(status: JsonObject): ActionPhase[] {
  return objectsAt(status, 'actions').flatMap((action, at) => {
    const deferred = objectAt(action, 'deferPhase');
    const hasDeferred = textAt(deferred, 'name') !== undefined || textAt(deferred, 'state') !== undefined;
    return [
      ...objectsAt(action, 'phases').map((phase) => phaseOf(phase, at, false)),
      ...(hasDeferred ? [phaseOf(deferred, at, true)] : []),
    ];
  });
}

function phaseOf(phase: JsonObject, action: number, isDeferred: boolean): ActionPhase {
  const state = textAt(phase, 'state') ?? 'pending';
  return {
    name: textAt(phase, 'name') ?? '',
    state: (Object.hasOwn(STATES, state) ? STATES[state] : undefined) ?? 'Running',
    action,
    isDeferred,
    progress: objectAt(phase, 'progress'),
    sentence: textAt(phase, 'reason'),
  };
}

/** Undefined while it tells nothing. Upstream writes numbers only to phases that are neither pending nor failed. */
export function phasePercent({ state, progress }: ActionPhase): number | undefined {
  if (state === 'Completed') return 100;
  return state === 'Not started' ? undefined : readPercentText(progress['progressPercent']);
}

/** The bytes that were sent and fetched, all together. */
export function sizesOf(parts: readonly JsonObject[]): Measure[] {
  const sum = (...fields: string[]): number =>
    parts.reduce((all, part) => all + fields.reduce((both, field) => both + (countAt(part, field) ?? 0), 0), 0);
  const done = sum('sizeUploadedB', 'sizeDownloadedB');
  const total = sum('estimatedUploadSizeB', 'estimatedDownloadSizeB');
  if (done === 0 && total === 0) return [];
  return [{ unit: 'bytes', done, total: total === 0 ? UNKNOWN : estimate(total) }];
}

/** The phases as steps of the page. What has not begun when the set broke off never will, except for what is deferred. */
export function phaseSteps(status: JsonObject, state: OperationState, startedAt: string | undefined): OperationStep[] {
  const actions = objectsAt(status, 'actions');
  const phases = phasesOf(status);
  return phases.map((phase, at) => {
    const before = phases[at - 1];
    const isFirst = before?.action !== phase.action;
    // Phases of an action run one after the other, so that one begins where the other ended.
    const from = isFirst ? startedAt : timeAt(before?.progress, 'lastTransitionTime');
    return present({
      number: at + 1,
      name: phase.name,
      state: endState(phase, state),
      of: actionText(actions[phase.action] ?? {}),
      isDeferred: phase.isDeferred || undefined,
      startedAt: phase.state === 'Not started' ? undefined : from,
      endedAt: phase.state === 'Completed' ? timeAt(phase.progress, 'lastTransitionTime') : undefined,
      percent: percentOf(phase),
      measures: sizesOf([phase.progress]),
      etaSeconds: phase.state === 'Running' ? countAt(phase.progress, 'estimatedTimeSeconds') : undefined,
      sentence: phase.sentence,
      lines: [],
    });
  });
}

function percentOf(phase: ActionPhase): number | undefined {
  const percent = phasePercent(phase);
  if (percent === undefined) return undefined;
  return phase.state === 'Completed' ? 100 : Math.min(99, wholePercent(percent));
}

function endState({ state, isDeferred }: ActionPhase, set: OperationState): StepState {
  if (set !== 'failed' && set !== 'canceled') return state;
  if (state === 'Not started') return isDeferred ? state : 'Skipped';
  return set === 'canceled' && (state === 'Failed' || state === 'Running') ? 'Canceled' : state;
}

/** `backup of statefulset mysql/mysql` */
export function actionText(action: JsonObject): string {
  const object = objectAt(action, 'object');
  const [namespace, name] = [textAt(object, 'namespace'), textAt(object, 'name')];
  const kind = textAt(object, 'kind') ?? textAt(object, 'resource');
  const what = [namespace, name].filter((part) => part !== undefined).join('/');
  const verb = textAt(action, 'name') ?? 'action';
  return cleanText(what === '' ? verb : `${verb} of ${kind === undefined ? '' : `${kind} `}${what}`, 200);
}
