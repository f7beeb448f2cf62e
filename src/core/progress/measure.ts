/** How much there is to do. An estimate may be off in both directions; an exact total was counted. */
export type Total = { kind: 'unknown' } | { kind: 'estimate'; value: number } | { kind: 'exact'; value: number };

export type Unit = 'items' | 'bytes' | 'phases';

export interface Measure {
  unit: Unit;
  done: number;
  total: Total;
}

export const UNKNOWN: Total = { kind: 'unknown' };
export const estimate = (value: number): Total => ({ kind: 'estimate', value });
export const exact = (value: number): Total => ({ kind: 'exact', value });

/** A count as status can hold it: whole, not negative, safe. Undefined for NaN, infinities and negatives. */
export function wholeCount(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  return Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
}

/** A total that is invalid, or smaller than what is done, is really unknown. */
export function cleanMeasure(measure: Measure): Measure {
  const done = wholeCount(measure.done) ?? 0;
  return { unit: measure.unit, done, total: cleanTotal(measure.total, done) };
}

function cleanTotal(total: Total, done: number): Total {
  if (total.kind === 'unknown') return UNKNOWN;
  const value = wholeCount(total.value);
  return value === undefined || value < done ? UNKNOWN : { kind: total.kind, value };
}

/**
 * The whole percent of one measure, rounded down; undefined when the total is unknown. An exact total of zero is done;
 * an estimate of zero proves nothing.
 */
export function percentOf(measure: Measure): number | undefined {
  const { done, total } = cleanMeasure(measure);
  if (total.kind === 'unknown') return undefined;
  if (total.value === 0) return total.kind === 'exact' ? 100 : undefined;
  if (done === total.value) return 100;
  // Multiplying first keeps 29 of 100 at 29; the limit keeps huge numbers from rounding up to done.
  return Math.min(99, Math.floor((done * 100) / total.value));
}
