import type { ActionSet } from '../../../api/kanister/action-set.ts';

export type ActionSetStatus = ActionSet['status'];
export type ActionStatus = NonNullable<ActionSetStatus['actions']>[number];
export type PhaseStatus = NonNullable<ActionStatus['phases']>[number];
export type PhaseProgress = NonNullable<PhaseStatus['progress']>;

/** One phase of a set: by number, because two actions may run the same Blueprint. */
export interface PhaseRef {
  readonly action: number;
  readonly phase: number | 'defer';
}

export function phaseAt(status: ActionSetStatus, { action, phase }: PhaseRef): PhaseStatus | undefined {
  const found = status.actions?.[action];
  return phase === 'defer' ? found?.deferPhase : found?.phases?.[phase];
}

/** Whether an action has a phase that runs last. Upstream writes one without a name and a state where it has none. */
export function hasDefer({ deferPhase }: ActionStatus): boolean {
  return deferPhase?.state !== undefined && deferPhase.state !== '';
}

/** All phases of a set in order, deferPhases included. */
export function* allPhases(
  status: ActionSetStatus,
): Generator<{ action: ActionStatus; ref: PhaseRef; phase: PhaseStatus }> {
  for (const [index, action] of (status.actions ?? []).entries()) {
    for (const [number, phase] of (action.phases ?? []).entries()) {
      yield { action, ref: { action: index, phase: number }, phase };
    }
    if (action.deferPhase !== undefined && hasDefer(action)) {
      yield { action, ref: { action: index, phase: 'defer' }, phase: action.deferPhase };
    }
  }
}
