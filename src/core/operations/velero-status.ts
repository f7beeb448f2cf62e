import { objectAt, objectsAt, textAt, textsAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { CANCEL_ANNOTATION } from './annotations.ts';
import { estimate, exact, isTerminal, UNKNOWN, type Measure, type Report } from '../progress/index.ts';

const STATES: Readonly<Record<string, Report['state']>> = {
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

/** An absent phase is New; an unknown one counts as running, because it is not an end that we know of. */
export function veleroState(status: JsonObject): Report['state'] {
  const phase = textAt(status, 'phase') ?? 'New';
  // Only ended operations are deleted, and the errors show how it ended.
  if (phase === 'Deleting') return (countAt(status, 'errors') ?? 0) > 0 ? 'partiallyFailed' : 'completed';
  if (phase === 'Failed' && isCanceled(status)) return 'canceled';
  return STATES[phase] ?? 'running';
}

function isCanceled(status: JsonObject): boolean {
  const isTrue = (condition: JsonObject): boolean =>
    textAt(condition, 'type') === 'Canceled' && textAt(condition, 'status') === 'True';
  return textAt(status, 'failureReason') === 'canceled' || objectsAt(status, 'conditions').some(isTrue);
}

/** In these stages everything has already been listed or collected. */
const COUNTED: readonly string[] = ['restoring', 'uploading', 'finalizing'];

export function veleroItems(status: JsonObject, doneField: string): Measure | undefined {
  const progress = objectAt(status, 'progress');
  const [done, total] = [countAt(progress, doneField), countAt(progress, 'totalItems')];
  if (done === undefined && total === undefined) return undefined;
  if (total === undefined) return { unit: 'items', done: done ?? 0, total: UNKNOWN };
  const isCounted = isTerminal(veleroState(status)) || COUNTED.includes(textAt(progress, 'stage') ?? '');
  return { unit: 'items', done: done ?? 0, total: isCounted ? exact(total) : estimate(total) };
}

export function isCancelAsked(object: KubeObject): boolean {
  return textsAt(object, 'metadata', 'annotations')[CANCEL_ANNOTATION] === 'true';
}

/** The selected names; absent when everything is selected. */
export function chosen(value: Json | undefined): string[] | undefined {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  return names.length === 0 || names.includes('*') ? undefined : names;
}

export function countAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  const count = typeof found === 'bigint' ? Number(found) : found;
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : undefined;
}
