import type { OperationState } from './state.ts';

/**
 * Percents with two decimals, cut off and never rounded up (seed 001: 33.33, 43.33, 66.66), for kinds that publish them
 * so. They are counted in hundredths, because 1.13 * 100 is not 113 in binary.
 */
const WHOLE = 10_000;

/** Between 0 and 100, cut off after two decimals; invalid numbers become 0. */
export function exactPercent(percent: number): number {
  return hundredths(percent) / 100;
}

/**
 * The mean of the phases' percents with two decimals, cut off. A phase that has not reported counts as 0. Undefined
 * without phases.
 */
export function exactMean(phases: readonly (number | undefined)[]): number | undefined {
  if (phases.length === 0) return undefined;
  const sum = phases.reduce<number>((total, percent) => total + hundredths(percent ?? 0), 0);
  return Math.floor(sum / phases.length) / 100;
}

/** `"43.33"`, as an ActionSet has it; at most `"99.99"` before success, which is `"100.00"` (law 2). */
export function percentText(percent: number, state: OperationState): string {
  if (state === 'completed') return '100.00';
  return (Math.min(WHOLE - 1, hundredths(percent)) / 100).toFixed(2);
}

/** Reads `"43.33"`, `43`, `"45%"` and `"45 %"`; undefined for everything else, and for what is no percent. */
export function readPercentText(value: unknown): number | undefined {
  const percent = typeof value === 'string' ? numberIn(value) : value;
  if (typeof percent !== 'number') return undefined;
  return percent >= 0 && percent <= 100 ? exactPercent(percent) : undefined;
}

function numberIn(text: string): number | undefined {
  const [, digits] = /^ *(\d{1,3}(?:\.\d{1,20})?) ?%? *$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function hundredths(percent: number): number {
  if (Number.isNaN(percent)) return 0;
  const clean = Math.min(100, Math.max(0, percent));
  // Six digits more than are kept: what is lost there is lost in the input already.
  return Math.floor(Number((clean * 100).toFixed(6)));
}
