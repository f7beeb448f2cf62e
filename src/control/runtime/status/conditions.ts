import type { Condition } from '../../../api/meta/condition.ts';
import { cleanText } from '../../../base/index.ts';

export interface ConditionChange {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
  observedGeneration?: number;
}

/** Kubernetes' limit: a status with a longer message is refused as a whole. */
const MAX_MESSAGE = 32_768;

/**
 * The conditions with one set. Its transition time changes only with its status, because people read it as "since
 * when"; the order of the others stays, so that a status does not change needlessly.
 */
export function setCondition(conditions: readonly Condition[], change: ConditionChange, now: number): Condition[] {
  const index = conditions.findIndex((condition) => condition.type === change.type);
  const before = conditions[index];
  const since = before?.status === change.status ? before.lastTransitionTime : undefined;
  // Text from a store or an API server may be anything.
  const message = cleanText(change.message, MAX_MESSAGE);
  const after: Condition = { ...change, message, lastTransitionTime: since ?? toTime(now) };
  return before === undefined ? [...conditions, after] : conditions.with(index, after);
}

export function removeCondition(conditions: readonly Condition[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/** Kubernetes' Time has whole seconds. */
function toTime(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}
