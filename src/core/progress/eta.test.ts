import { describe, expect, it } from 'vitest';
import { measureEta, operationEta } from './eta.ts';
import { estimate, exact, UNKNOWN } from './measure.ts';

const rate = { perSecond: 10, samples: 3, spanSeconds: 5 };
const measure = { unit: 'items', done: 50, total: exact(101) } as const;

describe('measureEta', () => {
  it('divides what is left by the rate and rounds up', () => {
    expect(measureEta(measure, rate)).toBe(6);
  });
  it.each([
    ['the total is unknown', { ...measure, total: UNKNOWN }, rate],
    ['an estimate says there is nothing to do', { ...measure, done: 0, total: estimate(0) }, rate],
    ['the total was overtaken', { ...measure, done: 102 }, rate],
    ['there is no rate', measure, undefined],
    ['there are two samples', measure, { ...rate, samples: 2 }],
    ['the span is short', measure, { ...rate, spanSeconds: 4.9 }],
    ['nothing moves', measure, { ...rate, perSecond: 0 }],
    ['it would be more than a month', measure, { ...rate, perSecond: 1e-9 }],
  ])('is absent when %s', (_why, ofMeasure, atRate) => {
    expect(measureEta(ofMeasure, atRate)).toBeUndefined();
  });
  it('is 0 for a finished measure, whatever its rate', () => {
    expect(measureEta({ ...measure, done: 101 }, undefined)).toBe(0);
  });
});

describe('operationEta', () => {
  it('is the longest one', () => {
    expect(operationEta([3, 0, 8])).toBe(8);
  });
  it('is absent when one measure has none, when all are done, and without measures', () => {
    expect(operationEta([3, undefined])).toBeUndefined();
    expect(operationEta([0, 0])).toBeUndefined();
    expect(operationEta([])).toBeUndefined();
  });
});
