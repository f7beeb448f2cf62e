import { textAt, type JsonObject } from '../../../base/index.ts';
import type { OperationState } from '../../progress/index.ts';
import { textListAt, timeAt, trueCondition, trueConditions } from '../status-values.ts';

/** After these nothing more happens; the phases before them are cleanup. */
const LAST_PHASES: readonly string[] = ['Completed', 'Canceled'];
/** Warnings of MTC that mean that something is missing at the destination. */
const SOMETHING_MISSING =
  /^(?:Direct(?:Image|Volume)MigrationFailed|Velero\w+PartiallyFailed|Restic(?:Verify)?Errors)$/;

/** What the migrations of MTC have in common, direct ones too: where they stand is in their conditions. */
export function migState(status: JsonObject): OperationState {
  const has = (type: string): boolean => trueCondition(status, type) !== undefined;
  const phase = textAt(status, 'phase') ?? 'Created';
  const isOver = LAST_PHASES.includes(phase) || !has('Running');
  // MTC also calls a canceled migration successful.
  if (has('Canceled') && isOver) return 'canceled';
  const isLast = phase === 'Completed' && isOver;
  if ((has('Failed') && isOver) || (isLast && textListAt(status, 'errors').length > 0)) return 'failed';
  if (has('Succeeded') || has('SucceededWithWarnings') || isLast) return endedWell(status);
  return hasBegun(status, phase) ? 'running' : 'pending';
}

function hasBegun(status: JsonObject, phase: string): boolean {
  const isRunning = trueCondition(status, 'Running') !== undefined;
  return isRunning || textAt(status, 'startTimestamp') !== undefined || phase !== 'Created';
}

/** MTC succeeds with warnings also where data is missing. */
function endedWell(status: JsonObject): OperationState {
  const isPart = trueConditions(status).some((each) => SOMETHING_MISSING.test(textAt(each, 'type') ?? ''));
  return isPart ? 'partiallyFailed' : 'completed';
}

const ENDS = ['Canceled', 'Failed', 'Succeeded', 'SucceededWithWarnings'];

/** Nobody writes down when a migration ended, but its last condition changed then. */
export function migEnd(status: JsonObject): string | undefined {
  const told = timeAt(status, 'completionTimestamp');
  if (told !== undefined) return told;
  return ENDS.map((type) => timeAt(trueCondition(status, type), 'lastTransitionTime')).find(
    (time) => time !== undefined,
  );
}
