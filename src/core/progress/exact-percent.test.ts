import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactMean, exactPercent, meanPercent, percentText, readPercentText } from './index.ts';

describe('exactMean', () => {
  // Kanister's own vectors: an action set with 2 actions of 2 phases.
  it.each<[string, (number | undefined)[], number]>([
    ['a0p0 running 40', [40, undefined, undefined, undefined], 10],
    ['a0p0 complete', [100, undefined, undefined, undefined], 25],
    ['a0p1 running 60', [100, 60, undefined, undefined], 40],
    ['a0p1 complete', [100, 100, undefined, undefined], 50],
    ['a1p0 running 37', [100, 100, 37, undefined], 59.25],
    ['a1p0 complete', [100, 100, 100, undefined], 75],
    ['seed 001', [100, 30, undefined], 43.33],
    ['two of three steps of one phase of three', [66.66, 0, 0], 22.22],
    ['never rounded up', [100, 100, 0], 66.66],
  ])('%s', (_event, phases, percent) => {
    expect(exactMean(phases)).toBe(percent);
  });

  it('is absent without phases and never outside 0 to 100', () => {
    expect(exactMean([])).toBeUndefined();
    expect(exactMean([Number.NaN, 1e9, -5, Number.POSITIVE_INFINITY])).toBe(50);
  });

  it('is the whole mean with two more digits', () => {
    const phases = fc.array(fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }), { minLength: 1 });
    fc.assert(
      fc.property(phases, (list) => {
        const exact = Number(exactMean(list));
        expect(Math.floor(exact)).toBe(meanPercent(list));
        const mean = list.reduce<number>((sum, each) => sum + (each ?? 0), 0) / list.length;
        expect(mean - exact).toBeGreaterThanOrEqual(-1e-9);
        expect(mean - exact).toBeLessThan(0.01);
      }),
    );
  });
});

it('cuts off, also where binary fractions are a little too small', () => {
  expect([1.13, 66.666, 99.999, 0.1 + 0.2, 33.33].map(exactPercent)).toEqual([1.13, 66.66, 99.99, 0.3, 33.33]);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (cents) => {
      expect(exactPercent(cents / 100)).toBe(cents / 100);
    }),
  );
});

describe('the text of a percent', () => {
  it('has two decimals, and 100 only with success', () => {
    expect([0, 30, 43.333, 66.66].map((each) => percentText(each, 'running'))).toEqual([
      '0.00',
      '30.00',
      '43.33',
      '66.66',
    ]);
    expect([percentText(100, 'running'), percentText(100, 'failed')]).toEqual(['99.99', '99.99']);
    expect(percentText(99.99, 'completed')).toBe('100.00');
  });

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 99.99, noNaN: true }), (percent) => {
        expect(readPercentText(percentText(percent, 'running'))).toBe(exactPercent(percent));
      }),
    );
  });

  it.each([
    ['43.33', 43.33],
    ['45%', 45],
    [' 45 % ', 45],
    ['100', 100],
    [30, 30],
    ['', undefined],
    ['abc', undefined],
    ['45% (3 s)', undefined],
    ['-1', undefined],
    ['101', undefined],
    ['1e2', undefined],
    ['٤٥', undefined],
    [340, undefined],
    [Number.NaN, undefined],
    [10n, undefined],
    [null, undefined],
    [['45'], undefined],
  ])('%s is %s', (given, percent) => {
    expect(readPercentText(given)).toBe(percent);
  });

  it('is read quickly, however it was made', () => {
    const startedAt = performance.now();
    for (const text of [`${' '.repeat(1e6)}x`, '9'.repeat(1e6), `1.${'0'.repeat(1e6)}`]) readPercentText(text);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
