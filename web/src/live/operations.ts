import type { Operation, OperationsAnswer } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';

/** Everything that is known of the operations, as the last events have left it. */
export interface Operations {
  byId: ReadonlyMap<string, Operation>;
  /** Ids that came since the snapshot began; undefined when it is whole. What is not among them in the end is gone. */
  arriving?: ReadonlySet<string>;
  /** Ids that were taken away while a snapshot arrived; a page that was asked for earlier may still have them. */
  removed?: ReadonlySet<string>;
}

export type OperationsEvent =
  | { type: 'snapshot'; answer: OperationsAnswer }
  | { type: 'page'; answer: OperationsAnswer }
  | { type: 'operation'; operation: Operation }
  | { type: 'removed'; id: string };

export const NO_OPERATIONS: Operations = { byId: new Map() };

/** Many events at once, so that the map is copied once. */
export function applyEvents(state: Operations, events: readonly OperationsEvent[]): Operations {
  if (events.length === 0) return state;
  const draft: Draft = { byId: new Map(state.byId), arriving: copy(state.arriving), removed: copy(state.removed) };
  for (const event of events) apply(draft, event);
  const { byId, arriving, removed } = draft;
  return arriving === undefined ? { byId } : { byId, arriving, removed: removed ?? new Set() };
}

interface Draft {
  byId: Map<string, Operation>;
  arriving: Set<string> | undefined;
  removed: Set<string> | undefined;
}

function apply(draft: Draft, event: OperationsEvent): void {
  switch (event.type) {
    case 'snapshot':
      draft.arriving = new Set();
      draft.removed = new Set();
      for (const operation of event.answer.operations) put(draft, operation);
      finishWhenWhole(draft, event.answer);
      return;
    case 'page':
      // An event that came meanwhile is newer than a page.
      for (const operation of event.answer.operations) {
        if (!draft.arriving?.has(operation.id) && !draft.removed?.has(operation.id)) put(draft, operation);
      }
      finishWhenWhole(draft, event.answer);
      return;
    case 'operation':
      put(draft, event.operation);
      draft.removed?.delete(event.operation.id);
      return;
    case 'removed':
      draft.byId.delete(event.id);
      draft.arriving?.delete(event.id);
      draft.removed?.add(event.id);
  }
}

function put(draft: Draft, operation: Operation): void {
  draft.byId.set(operation.id, keepPercent(draft.byId.get(operation.id), operation));
  draft.arriving?.add(operation.id);
}

/** After the last page of a snapshot, what did not come with it is no longer there. */
function finishWhenWhole(draft: Draft, answer: OperationsAnswer): void {
  if (answer.continue !== undefined || draft.arriving === undefined) return;
  for (const id of draft.byId.keys()) if (!draft.arriving.has(id)) draft.byId.delete(id);
  draft.arriving = undefined;
  draft.removed = undefined;
}

/** Law 1 also holds when a reconnect meets a server whose watch is a little behind. */
function keepPercent(before: Operation | undefined, after: Operation): Operation {
  const shown = before?.report.percent;
  if (before === undefined || shown === undefined || before.ref.uid !== after.ref.uid) return after;
  if (isTerminal(before.report.state) || isTerminal(after.report.state)) return after;
  if ((after.report.percent ?? 0) >= shown) return after;
  return { ...after, report: { ...after.report, percent: shown } };
}

function copy(set: ReadonlySet<string> | undefined): Set<string> | undefined {
  return set === undefined ? undefined : new Set(set);
}
