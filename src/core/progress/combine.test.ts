import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholePercent } from './combine.ts';
import {
  addMeasures,
  estimate,
  exact,
  meanPercent,
  percentOf,
  smallestPercent,
  UNKNOWN,
  type Measure,
  type Total,
} from './index.ts';

describe('smallestPercent', () => {
  it('does not let "479 of 479 items" hide a volume', () => {
    const items: Measure = { unit: 'items', done: 479, total: exact(479) };
    expect(smallestPercent([items])).toBe(100);
    expect(smallestPercent([items, { unit: 'bytes', done: 0, total: estimate(1e9) }])).toBe(0);
    expect(smallestPercent([{ unit: 'bytes', done: 43, total: exact(100) }, items])).toBe(43);
    expect(smallestPercent([items, { unit: 'bytes', done: 12, total: UNKNOWN }])).toBeUndefined();
  });
  it('is absent without measures', () => {
    expect(smallestPercent([])).toBeUndefined();
  });
});

describe('meanPercent', () => {
  // Kanister's own vectors: an action set with 2 actions of 2 phases.
  it.each<[string, (number | undefined)[], number]>([
    ['a0p0 running 40', [40, undefined, undefined, undefined], 10],
    ['a0p0 complete', [100, undefined, undefined, undefined], 25],
    ['a0p1 pending', [100, 0, undefined, undefined], 25],
    ['a0p1 running 60', [100, 60, undefined, undefined], 40],
    ['a0p1 complete', [100, 100, undefined, undefined], 50],
    ['a1p0 running 37', [100, 100, 37, undefined], 59],
    ['a1p0 complete', [100, 100, 100, undefined], 75],
    ['a1p0 failed keeps what it had', [100, 100, 37, undefined], 59],
    ['all complete', [100, 100, 100, 100], 100],
  ])('%s', (_event, phases, percent) => {
    expect(meanPercent(phases)).toBe(percent);
  });

  it("adds up Kanister's sizes over phases", () => {
    const up = (done: number, total: number): Measure => ({ unit: 'bytes', done, total: estimate(total) });
    expect(addMeasures([up(12345, 12345), up(1000, 10000)])).toEqual([up(13345, 22345)]);
    expect(addMeasures([up(12345, 12345), up(10000, 10000)])).toEqual([up(22345, 22345)]);
  });

  it('gives the 43 of seed 001', () => {
    expect(meanPercent([100, 30, undefined])).toBe(43);
  });
  it('is absent without phases and never outside 0 to 100', () => {
    expect(meanPercent([])).toBeUndefined();
    expect(meanPercent([Number.NaN, 1e9, -5, Number.POSITIVE_INFINITY])).toBe(50);
  });
});

it('wholePercent rounds down and clamps', () => {
  expect([99.99, 100.1, -1, Number.NaN, Number.NEGATIVE_INFINITY].map(wholePercent)).toEqual([99, 100, 0, 0, 0]);
});

describe('law 10 as properties', () => {
  const count = fc.oneof(fc.nat(), fc.constantFrom(0, 1, 100, 1e15, Number.MAX_SAFE_INTEGER, 1e300, Number.NaN, -1));
  const total: fc.Arbitrary<Total> = fc.oneof(fc.constant(UNKNOWN), count.map(exact), count.map(estimate));
  const measures = fc.array(
    fc.record<Measure>({ unit: fc.constantFrom('items', 'bytes', 'phases'), done: count, total }),
  );

  it('the smallest is one of the percents, and none is smaller', () => {
    fc.assert(
      fc.property(measures, (list) => {
        const percents = list.map(percentOf);
        const smallest = smallestPercent(list);
        if (percents.length === 0 || percents.includes(undefined)) expect(smallest).toBeUndefined();
        else expect(smallest).toBe(Math.min(...percents.map(Number)));
      }),
    );
  });

  it('sums hold each unit once, in any order of the parts, and are only as certain as their parts', () => {
    fc.assert(
      fc.property(measures, (list) => {
        const sums = addMeasures(list);
        expect(addMeasures(list.toReversed())).toEqual(sums);
        expect(new Set(sums.map((sum) => sum.unit))).toEqual(new Set(list.map((measure) => measure.unit)));
        for (const sum of sums) {
          expect(Number.isSafeInteger(sum.done) && sum.done >= 0).toBe(true);
          const parts = list.filter((part) => part.unit === sum.unit);
          if (parts.some((part) => part.total.kind === 'unknown')) expect(sum.total).toEqual(UNKNOWN);
          if (parts.some((part) => part.total.kind === 'estimate')) expect(sum.total.kind).not.toBe('exact');
        }
      }),
    );
  });

  it('a mean lies between its smallest and its largest phase and grows with each of them', () => {
    const phases = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1 });
    fc.assert(
      fc.property(phases, fc.nat(), fc.nat(100), (list, at, by) => {
        const mean = Number(meanPercent(list));
        expect(mean).toBeGreaterThanOrEqual(Math.min(...list));
        expect(mean).toBeLessThanOrEqual(Math.max(...list));
        const index = at % list.length;
        expect(Number(meanPercent(list.with(index, Number(list[index]) + by)))).toBeGreaterThanOrEqual(mean);
      }),
    );
  });
});
