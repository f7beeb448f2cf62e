import { objectAt, textAt, type JsonObject } from '../../base/index.ts';
import { estimate, exact, isTerminal, UNKNOWN, type Measure, type OperationState } from '../progress/index.ts';
import { countAt, trueCondition } from './status-values.ts';

const STATES: Readonly<Record<string, OperationState>> = {
  New: 'pending',
  Queued: 'pending',
  ReadyToStart: 'pending',
  InProgress: 'running',
  WaitingForPluginOperations: 'running',
  WaitingForPluginOperationsPartiallyFailed: 'running',
  Finalizing: 'running',
  FinalizingPartiallyFailed: 'running',
  Completed: 'completed',
  PartiallyFailed: 'partiallyFailed',
  FailedValidation: 'failed',
  Failed: 'failed',
};

export function veleroPhase(status: JsonObject): string {
  return textAt(status, 'phase') ?? 'New';
}

/** An absent phase is New; an unknown one counts as running, because it is not an end that we know of. */
export function veleroState(status: JsonObject): OperationState {
  const phase = veleroPhase(status);
  // Only ended operations are deleted, and the errors show how it ended.
  if (phase === 'Deleting') return (countAt(status, 'errors') ?? 0) > 0 ? 'partiallyFailed' : 'completed';
  if (phase === 'Failed' && isCanceled(status)) return 'canceled';
  return (Object.hasOwn(STATES, phase) ? STATES[phase] : undefined) ?? 'running';
}

function isCanceled(status: JsonObject): boolean {
  return textAt(status, 'failureReason') === 'canceled' || trueCondition(status, 'Canceled') !== undefined;
}

/** In these stages everything has already been listed or collected. */
const COUNTED: readonly string[] = ['restoring', 'uploading', 'finalizing'];

/** Upstream's count of items, which seed 004's alternative tells only by its parts. */
export function veleroItems(status: JsonObject, doneField: string): Measure[] {
  const progress = objectAt(status, 'progress');
  const [done, total] = [countAt(progress, doneField) ?? settled(progress), countAt(progress, 'totalItems')];
  if (done === undefined && total === undefined) return [];
  if (total === undefined) return [{ unit: 'items', done: done ?? 0, total: UNKNOWN }];
  const isCounted = isTerminal(veleroState(status)) || COUNTED.includes(textAt(progress, 'stage') ?? '');
  return [{ unit: 'items', done: done ?? 0, total: isCounted ? exact(total) : estimate(total) }];
}

/** Law 6. */
function settled(progress: JsonObject): number | undefined {
  const counts = ['created', 'updated', 'skipped', 'failed'].map((field) => countAt(progress, field));
  if (counts.every((count) => count === undefined)) return undefined;
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
