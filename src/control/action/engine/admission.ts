import { ActionSet } from '../../../api/index.ts';
import { isReadable } from '../../../api/kanister/action-object.ts';
import { isAppError } from '../../../base/index.ts';
import {
  admissionProblems,
  initialStatus,
  problemText,
  refusedStatus,
  unfitStatus,
  type ActionSetStatus,
  type ActionSpec,
  type BlueprintAction,
  type Problem,
} from '../../../core/action/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { NO_WAIT, patienceOf, type Admission } from '../../operation/index.ts';
import { boundedProblems, boundedText, toTime } from '../../runtime/objects/index.ts';
import { readFacts } from '../params/read-facts.ts';
import type { ActionDeps } from './deps.ts';
import { FINALIZER } from './finalizer.ts';
import { leftAloneMs } from './left-alone.ts';
import { readPlan } from './plan.ts';

/** The answer to a new set, with the status that it gets if it is refused. */
export interface ActionAdmission extends Admission {
  refused: ActionSetStatus;
}

/** A user waits for the answer; an API server that is away is the controller's business. */
const PATIENCE_MS = 5_000;

/** Lays a new set out, and finds everything that keeps it from beginning, at once. */
export async function admitSet(object: KubeObject, deps: ActionDeps, signal: AbortSignal): Promise<ActionAdmission> {
  const now = toTime(deps.clock.now());
  const specs = specsOf(object);
  if ('problems' in specs) return refuse(specs.problems, refusedStatus(boundedProblems(specs.problems), now));
  const { namespace = '', finalizers = [] } = object.metadata;
  const api = patienceOf({ wait: () => NO_WAIT }, deps, PATIENCE_MS).until(signal);
  const read = { kube: deps.kube, api, signal, namespace };
  const plan = await readPlan(specs.actions, read);
  const missing = plan.flatMap((planned) => ('problem' in planned ? [planned.problem] : []));
  if (missing.length > 0) return refuse(missing, refusedStatus(boundedProblems(missing), now));
  const actions = plan as { spec: ActionSpec; action: BlueprintAction }[];
  const laidOut = initialStatus(actions);
  const problems = await Promise.all(
    actions.map(async ({ spec, action }): Promise<Problem[]> => {
      const found = await readFacts(spec, { ...read, time: now });
      const known = admissionProblems(spec, action);
      const where = { blueprint: spec.blueprint, action: spec.name };
      const unread = found.problems
        .filter((message) => !known.some((problem) => problem.message === message))
        .map((message): Problem => ({ where, message, stops: 'run' }));
      return [...known, ...unread];
    }),
  );
  const all = problems.flat();
  // Whatever else is wrong with it is told at once.
  const isOnlyUnknown =
    all.length > 0 && all.length === actions.filter(({ spec }) => !isReadable(spec.object ?? {})).length;
  const lookAgainMs = isOnlyUnknown ? await leftAloneMs(object, deps, signal) : undefined;
  if (all.length > 0) return { ...refuse(all.map(problemText), unfit(laidOut, problems, now)), lookAgainMs };
  return {
    change: {
      metadata: { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] },
      status: laidOut,
    },
    problems: [],
    refused: laidOut,
  };
}

/** However much is wrong with a set, its status has to fit into its object. */
function unfit(laidOut: ActionSetStatus, problems: readonly (readonly Problem[])[], now: string): ActionSetStatus {
  const status = unfitStatus(laidOut, problems, now);
  const actions = status.actions?.map((action) => ({
    ...action,
    phases: action.phases?.map(({ reason, ...phase }) => ({
      ...phase,
      ...(reason !== undefined && { reason: boundedText(reason) }),
    })),
  }));
  const message = boundedProblems(problems.flat().map(problemText)).join('; ');
  return { ...status, ...(actions !== undefined && { actions }), error: { message } };
}

function refuse(problems: string[], refused: ActionSetStatus): ActionAdmission {
  return { change: {}, problems, refused };
}

function specsOf(object: KubeObject): { actions: ActionSpec[] } | { problems: string[] } {
  try {
    const { spec } = ActionSet.parse(object).value;
    return { actions: spec?.actions ?? [] };
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    const problems = error.details?.['problems'];
    return { problems: Array.isArray(problems) ? problems.map(String) : [error.message] };
  }
}
