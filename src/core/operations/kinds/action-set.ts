import { actionRenames } from '../../../api/kanister/action-renames.ts';
import { isReadable } from '../../../api/kanister/action-object.ts';
import { ACTION_SET } from '../../../api/resource-types.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { cleanText, objectAt, objectsAt, textAt, textsAt, type JsonObject } from '../../../base/index.ts';
import { exact, exactMean, present, readPercentText, type Measure, type OperationState } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import type { OperationFacts, StepPosition } from '../operation.ts';
import { timeAt, trueCondition } from '../status-values.ts';
import { actionText, phasePercent, phasesOf, phaseSteps, sizesOf, type ActionPhase } from './action-phases.ts';

const STATES: Readonly<Record<string, OperationState>> = {
  pending: 'pending',
  complete: 'completed',
  // Seed 001.
  completed: 'completed',
  failed: 'failed',
};
/** A set is for one application; more names would only be read by nobody. */
const MAX_NAMES = 20;

export const actionSetAdapter: Adapter = {
  type: ACTION_SET,
  noun: 'action',
  group: 'kanister',
  scope: 'all',
  verbs: ['create', 'cancel', 'delete', 'plan', 'logs'],
  did: 'Ran',
  item: 'item',
  cancel: BY_ANNOTATION,
  afterCancel: 'the phases that ran stay done, the deferred phase still runs',
  deletion: { consequence: 'its record goes; what its phases did stays' },
  metrics: {
    ended: ({ cluster, report }) => ({
      name: 'kanister_action_set_resolutions_total',
      labels: { cluster, resolution: report.state === 'completed' ? 'success' : 'failure' },
    }),
  },
  renames: actionRenames,
  adapt: (object, status) => {
    const state = stateOf(status);
    const phases = phasesOf(status).filter(({ isDeferred }) => !isDeferred);
    const failure = textAt(status, 'error', 'message');
    return present({
      state,
      phase: textAt(status, 'state') ?? 'pending',
      measures: measuresOf(status, phases),
      percent: percentOf(status, phases),
      isExact: true,
      startedAt: state === 'pending' ? undefined : startOf(object, status),
      endedAt: endOf(status, state),
      current: textAt(status, 'progress', 'runningPhase'),
      step: stepOf(phases),
      waitsFor: state === 'pending' ? waitsFor(object, status) : undefined,
      failure: failure === 'canceled' ? undefined : failure,
      facts: factsOf(object, status),
    });
  },
  steps: (object, status) => phaseSteps(status, stateOf(status), startOf(object, status)),
};

function stateOf(status: JsonObject): OperationState {
  const word = textAt(status, 'state') ?? 'pending';
  const state = (Object.hasOwn(STATES, word) ? STATES[word] : undefined) ?? 'running';
  const isCanceled =
    textAt(status, 'error', 'message') === 'canceled' || trueCondition(status, 'Canceled') !== undefined;
  return state === 'failed' && isCanceled ? 'canceled' : state;
}

/** The set's own number, else the mean of the phases once one of them tells anything. */
function percentOf(status: JsonObject, phases: readonly ActionPhase[]): number | undefined {
  const told = readPercentText(objectAt(status, 'progress')['percentCompleted']);
  if (told !== undefined) return told;
  const percents = phases.map(phasePercent);
  return percents.every((percent) => percent === undefined) ? undefined : exactMean(percents);
}

function measuresOf(status: JsonObject, phases: readonly ActionPhase[]): Measure[] {
  if (phases.length === 0) return [];
  const done = phases.filter(({ state }) => state === 'Completed').length;
  const own = sizesOf([objectAt(status, 'progress')]);
  const added = sizesOf(phases.map(({ progress }) => progress));
  // Whoever sums up the bytes may forget to sum up the totals.
  const isWhole = own.some(({ total }) => total.kind !== 'unknown') || added.length === 0;
  return [{ unit: 'phases', done, total: exact(phases.length) }, ...(isWhole ? own : added)];
}

/** Only where one runs at a time: of parallel actions no phase has a place in a row. */
function stepOf(phases: readonly ActionPhase[]): StepPosition | undefined {
  if (new Set(phases.map(({ action }) => action)).size !== 1) return undefined;
  const at = phases.findIndex(({ state }) => state === 'Running' || state === 'Failed');
  const phase = phases[at];
  return phase === undefined ? undefined : { number: at + 1, of: phases.length, name: phase.name };
}

/** A set whose kind nobody here knows is left to others for a while, and nothing is written to it. */
function waitsFor(object: KubeObject, status: JsonObject): string | undefined {
  if (textAt(status, 'state') !== undefined) return undefined;
  const objects = objectsAt(object, 'spec', 'actions').map((action) => textsAt(action, 'object'));
  const unknown = objects.find((each) => !isReadable(each));
  if (unknown === undefined) return undefined;
  const kind = cleanText(unknown['kind'] ?? '', 80);
  return `the object's kind ${kind === '' ? 'is missing' : `${kind} is not known here`}: a controller that knows it has 10 s to begin`;
}

/** An action set has no queue: it begins when it is created, and Kanister writes down no time. */
function startOf(object: KubeObject, status: JsonObject): string | undefined {
  return timeAt(status, 'startTimestamp') ?? object.metadata.creationTimestamp;
}

function endOf(status: JsonObject, state: OperationState): string | undefined {
  const told = timeAt(status, 'completionTimestamp');
  if (told !== undefined) return told;
  if (state === 'canceled') return timeAt(trueCondition(status, 'Canceled'), 'lastTransitionTime');
  // Of one that failed, it is only the last time that a number changed.
  return state === 'completed' ? timeAt(status, 'progress', 'lastTransitionTime') : undefined;
}

function factsOf(object: KubeObject, status: JsonObject): OperationFacts {
  const given = objectsAt(object, 'spec', 'actions');
  const actions = (given.length > 0 ? given : objectsAt(status, 'actions')).slice(0, MAX_NAMES);
  const blueprints = actions.flatMap((action) => textAt(action, 'blueprint') ?? []);
  return present({
    actions: actions.length === 0 ? undefined : actions.map(actionText),
    blueprints: blueprints.length === 0 ? undefined : [...new Set(blueprints)],
  });
}
