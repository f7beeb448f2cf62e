import { cleanMeasure, estimate, exact, percentOf, UNKNOWN, type Measure, type Total, type Unit } from './measure.ts';

const UNITS: readonly Unit[] = ['items', 'bytes', 'phases'];

/**
 * The percent of an operation with several measures is the smallest of theirs, so that "479 of 479 items" cannot hide
 * an unfinished volume. Undefined without measures, and when a total is unknown.
 */
export function smallestPercent(measures: readonly Measure[]): number | undefined {
  let smallest: number | undefined;
  for (const measure of measures) {
    const percent = percentOf(measure);
    if (percent === undefined) return undefined;
    smallest = Math.min(percent, smallest ?? percent);
  }
  return smallest;
}

/**
 * Measures of the same unit add up, as over the children of an operation. A sum is only as certain as its least certain
 * part.
 */
export function addMeasures(measures: readonly Measure[]): Measure[] {
  return UNITS.flatMap((unit) => {
    const same = measures.filter((measure) => measure.unit === unit).map(cleanMeasure);
    return same.length === 0 ? [] : [cleanMeasure(same.reduce(addTwo))];
  });
}

function addTwo(a: Measure, b: Measure): Measure {
  return { unit: a.unit, done: a.done + b.done, total: addTotals(a.total, b.total) };
}

function addTotals(a: Total, b: Total): Total {
  if (a.kind === 'unknown' || b.kind === 'unknown') return UNKNOWN;
  const value = a.value + b.value;
  return a.kind === 'exact' && b.kind === 'exact' ? exact(value) : estimate(value);
}

/**
 * The mean of the phases' percents, rounded down (seed 001): the percent of an action, and of a migration over the
 * phases that will run. A phase that has not reported counts as 0. Undefined without phases.
 */
export function meanPercent(phases: readonly (number | undefined)[]): number | undefined {
  if (phases.length === 0) return undefined;
  const sum = phases.reduce<number>((total, percent) => total + wholePercent(percent ?? 0), 0);
  return Math.floor(sum / phases.length);
}

/** Rounded down, between 0 and 100; invalid numbers become 0. */
export function wholePercent(percent: number): number {
  return Number.isNaN(percent) ? 0 : Math.floor(Math.min(100, Math.max(0, percent)));
}
