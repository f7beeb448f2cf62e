import type { ActionSpec, ActionStatus, BlueprintAction, Where } from '../../../core/action/index.ts';
import type { ActionInputs } from '../params/read-facts.ts';
import type { ActionPhases } from './phase-facts.ts';

/** One action of a running set, and everything that was read for it. */
export interface RunningAction {
  readonly index: number;
  readonly spec: ActionSpec;
  readonly action: BlueprintAction;
  readonly inputs: ActionInputs;
  readonly phases: ActionPhases;
  /** As the status has it now. */
  status(): ActionStatus;
}

export function whereOf({ spec }: Pick<RunningAction, 'spec'>, phase?: string): Where {
  return { blueprint: spec.blueprint, action: spec.name, phase };
}
