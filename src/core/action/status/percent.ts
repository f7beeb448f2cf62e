/** Percents of ActionSets are text with two decimals that are cut off; they are counted in hundredths, without floats. */
export const DONE = 10_000;
/** What is shown at most before success. */
export const ALMOST = DONE - 1;

/** Prerequisites, execution and cleanup, each a third: what is shown once so many of them are done. */
const THIRDS = [0, 3333, 6666, DONE] as const;
export type Third = 0 | 1 | 2 | 3;

export function thirds(done: Third): number {
  return THIRDS[done];
}

export function hundredths(percent: number): number {
  const value = Math.floor(percent * 100 + 1e-6);
  return Number.isFinite(value) ? Math.min(DONE, Math.max(0, value)) : 0;
}

/** `"43.33"`. */
export function percentText(value: number): string {
  const whole = Math.floor(value / 100);
  return `${String(whole)}.${String(value % 100).padStart(2, '0')}`;
}

/** What somebody wrote; nothing counts as nought. */
export function parsePercent(text: string | undefined): number {
  return text === undefined || text === '' ? 0 : hundredths(Number(text));
}

/** The mean of phases, each with the same weight, cut off. Undefined where there is no phase. */
export function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return Math.floor(values.reduce((sum, value) => sum + value, 0) / values.length);
}
