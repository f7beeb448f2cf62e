import { expect, it } from 'vitest';
import { hasMoreValues, tooManyValues } from './values.ts';

it('counts values, however they are nested', () => {
  const value = { a: [1, 'x', { b: null }], c: {} };
  expect([7, 6].map((limit) => hasMoreValues(value, limit))).toEqual([false, true]);
});

it('goes no further than the limit', () => {
  const shared = Array<number>(1000).fill(1);
  const wide = Array<unknown>(1000).fill(Array<unknown>(1000).fill(Array<unknown>(1000).fill(shared)));
  expect(hasMoreValues(wide, 10_000)).toBe(true);
  expect(tooManyValues({ names: wide })).toContain('at most 20000');
  expect(tooManyValues({ names: shared })).toBeUndefined();
});
