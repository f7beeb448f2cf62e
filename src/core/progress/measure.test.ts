import { describe, expect, it } from 'vitest';
import { cleanMeasure, estimate, exact, percentOf, UNKNOWN, wholeCount, type Total } from './measure.ts';

describe('percentOf', () => {
  it.each<[number, Total, number | undefined]>([
    [0, exact(4), 0],
    [29, exact(100), 29],
    [57, exact(100), 57],
    [1, exact(3), 33],
    [2, exact(3), 66],
    [3, exact(3), 100],
    [999, exact(1000), 99],
    [80, estimate(160), 50],
    [0, exact(0), 100],
    [0, estimate(0), undefined],
    [7, UNKNOWN, undefined],
    [5, exact(4), undefined],
    [9007199254740989, exact(9007199254740990), 99],
    [1, exact(Number.NaN), undefined],
    [1, estimate(Number.POSITIVE_INFINITY), undefined],
    [1, exact(-3), undefined],
    [Number.NaN, exact(10), 0],
    [-5, exact(10), 0],
  ])('of %d done and total %o is %o', (done, total, percent) => {
    expect(percentOf({ unit: 'items', done, total })).toBe(percent);
  });
});

describe('wholeCount', () => {
  it.each([
    [1.9, 1],
    [1e300, Number.MAX_SAFE_INTEGER],
    [-1, undefined],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])('of %d is %o', (value, count) => {
    expect(wholeCount(value)).toEqual(count);
  });
});

describe('cleanMeasure', () => {
  it('calls a total unknown once it was overtaken', () => {
    expect(cleanMeasure({ unit: 'bytes', done: 10, total: estimate(9) }).total).toEqual(UNKNOWN);
    expect(cleanMeasure({ unit: 'bytes', done: 9, total: estimate(9.7) }).total).toEqual(estimate(9));
  });
});
