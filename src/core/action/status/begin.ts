import type { BlueprintAction } from '../blueprint/phase.ts';
import { problemText, type Problem } from '../blueprint/problem.ts';
import type { ActionSpec } from '../blueprint/admit.ts';
import { setProgress } from './progress.ts';
import type { ActionSetStatus, ActionStatus, PhaseStatus } from './types.ts';

/** Before anything has run: every phase waits, and artifacts are the templates of the Blueprint. */
export function initialStatus(actions: readonly { spec: ActionSpec; action: BlueprintAction }[]): ActionSetStatus {
  // A set without actions has none in its status either.
  if (actions.length === 0) return { state: 'pending' };
  return { state: 'pending', actions: actions.map(({ spec, action }) => initialAction(spec, action)) };
}

function initialAction(spec: ActionSpec, action: BlueprintAction): ActionStatus {
  const { phases = [], deferPhase, outputArtifacts } = action;
  const pending = ({ name = '' }: { name?: string | undefined }): PhaseStatus => ({ name, state: 'pending' });
  return {
    name: spec.name ?? '',
    blueprint: spec.blueprint ?? '',
    ...(spec.object !== undefined && { object: spec.object }),
    ...(phases.length > 0 && { phases: phases.map(pending) }),
    ...(outputArtifacts !== undefined && { artifacts: outputArtifacts }),
    ...(deferPhase !== undefined && { deferPhase: pending(deferPhase) }),
  };
}

/** A set that cannot even be laid out, such as one whose Blueprint is not there: it has no actions. */
export function refusedStatus(problems: readonly string[], now: string): ActionSetStatus {
  return { state: 'failed', completionTimestamp: now, error: { message: problems.join('; ') } };
}

/**
 * A set that is refused before anything has run. As upstream has it, the first phase of an action with a problem counts
 * as failed, and its deferPhase does not run.
 */
export function unfitStatus(
  status: ActionSetStatus,
  problems: readonly (readonly Problem[])[],
  now: string,
): ActionSetStatus {
  const actions = (status.actions ?? []).map((action, index): ActionStatus => {
    const [first, ...others] = action.phases ?? [];
    const found = problems[index] ?? [];
    if (found.length === 0 || first === undefined) return action;
    const reason = found.map(problemText).join('; ');
    return { ...action, phases: [{ ...first, state: 'failed', reason, completionTimestamp: now }, ...others] };
  });
  const message = problems.flat().map(problemText).join('; ');
  const failed: ActionSetStatus = { ...status, state: 'failed', actions, completionTimestamp: now, error: { message } };
  return { ...failed, progress: setProgress(failed, now) };
}

export function begunStatus(status: ActionSetStatus, now: string): ActionSetStatus {
  const running: ActionSetStatus = { ...status, state: 'running', startTimestamp: status.startTimestamp ?? now };
  return { ...running, progress: setProgress(running, now) };
}
