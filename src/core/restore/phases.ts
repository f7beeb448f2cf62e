import type { RestorePhase } from '../../api/index.ts';
import { RUN_TRANSITIONS } from '../backup/index.ts';

// Failed can be reached from every phase that is not an end: a cancel may come at any moment.
const NEXT: Readonly<Record<RestorePhase, readonly RestorePhase[]>> = {
  New: ['FailedValidation', 'InProgress', 'Failed'],
  ...RUN_TRANSITIONS,
  Finalizing: ['Completed', 'PartiallyFailed', 'Failed'],
  FailedValidation: [],
  Completed: [],
  PartiallyFailed: [],
  Failed: [],
};

/** An absent phase is New. */
export function mayEnterPhase(from: RestorePhase | undefined, to: RestorePhase): boolean {
  return NEXT[from ?? 'New'].includes(to);
}

export function isEndPhase(phase: RestorePhase | undefined): boolean {
  return NEXT[phase ?? 'New'].length === 0;
}

/** The next phase of a restore when everything was sent to the API. */
export function phaseAfterItems(hadErrors: boolean, hasOperations: boolean): RestorePhase {
  if (hasOperations) return hadErrors ? 'WaitingForPluginOperationsPartiallyFailed' : 'WaitingForPluginOperations';
  return hadErrors ? 'FinalizingPartiallyFailed' : 'Finalizing';
}
