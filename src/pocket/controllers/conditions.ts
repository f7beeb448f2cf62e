import type { Condition } from './kinds/index.ts';

/**
 * The conditions with this one in them. What did not change stays as it is; the time of the transition moves with the
 * status only.
 */
export function withCondition(conditions: readonly Condition[] | undefined, next: Condition, now: string): Condition[] {
  const all = conditions ?? [];
  const before = all.find((condition) => condition.type === next.type);
  const isSame =
    before?.status === next.status && before.reason === next.reason && (before.message ?? '') === (next.message ?? '');
  if (before !== undefined && isSame) return [...all];
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const made = { ...next, lastTransitionTime };
  return before === undefined ? [...all, made] : all.map((condition) => (condition === before ? made : condition));
}

export function withoutCondition(conditions: readonly Condition[] | undefined, type: string): Condition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type);
}
