import { caseOrbit } from './case-orbit.ts';
import type { RuneTest } from './unicode-class.ts';

const LAST_RUNE = 0x10ffff;

/** Pairs of first and last rune. */
export type Ranges = readonly number[];

export interface RuneSet {
  has(rune: number): boolean;
}

export interface SetParts {
  ranges: Ranges;
  /** Unicode classes. */
  tests: readonly RuneTest[];
  /** Whether runes that differ only in case are included. */
  foldsCase: boolean;
  isNegated: boolean;
}

export function runeSet({ ranges, tests, foldsCase, isNegated }: SetParts): RuneSet {
  const merged = mergeRanges(ranges);
  const isIn = (rune: number): boolean => isInRanges(merged, rune) || tests.some((test) => test(rune));
  if (!foldsCase) return { has: (rune) => isIn(rune) !== isNegated };
  return { has: (rune) => caseOrbit(rune).some(isIn) !== isNegated };
}

export function oneRune(rune: number, foldsCase: boolean): RuneSet {
  if (foldsCase) return runeSet({ ranges: [rune, rune], tests: [], foldsCase, isNegated: false });
  return { has: (other) => other === rune };
}

/** Everything outside the ranges and, when case is ignored, everything that does not differ from them only in case. */
export function negatedRanges(ranges: Ranges, foldsCase: boolean): number[] {
  const result: number[] = [];
  let next = 0;
  for (const [index, end] of mergeRanges(foldsCase ? withOrbits(ranges) : ranges).entries()) {
    if (index % 2 === 1) next = end + 1;
    else if (next < end) result.push(next, end - 1);
  }
  result.push(next, LAST_RUNE);
  return result;
}

function withOrbits(ranges: Ranges): number[] {
  const result: number[] = [];
  for (const [first, last] of pairsOf(ranges)) {
    for (let rune = first; rune <= last; rune += 1) result.push(...caseOrbit(rune).flatMap((other) => [other, other]));
  }
  return result;
}

function* pairsOf(ranges: Ranges): Generator<[first: number, last: number]> {
  for (let at = 0; at < ranges.length; at += 2) yield [Number(ranges[at]), Number(ranges[at + 1])];
}

function mergeRanges(ranges: Ranges): number[] {
  const result: number[] = [];
  for (const [first, last] of [...pairsOf(ranges)].toSorted(([a], [b]) => a - b)) {
    const end = result.at(-1);
    if (end !== undefined && first <= end + 1) result[result.length - 1] = Math.max(end, last);
    else result.push(first, last);
  }
  return result;
}

function isInRanges(ranges: Ranges, rune: number): boolean {
  let low = 0;
  let high = ranges.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rune > Number(ranges[2 * middle + 1])) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && rune >= Number(ranges[2 * low]);
}
