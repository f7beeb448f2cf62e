import { expect, it } from 'vitest';
import type { Json } from '../lossless-json.ts';
import { shortJson } from './malformed.ts';

it('shows the beginning of a value', () => {
  expect(shortJson({ a: 'x'.repeat(200) })).toHaveLength(100);
});

it('says so when a value is nested too deep to be shown', () => {
  let deep: Json = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(shortJson(deep)).toBe('what is nested too deep to be shown');
});

it('hides no other error', () => {
  const broken = {
    get a(): Json {
      throw new TypeError('no value');
    },
  };
  expect(() => shortJson(broken)).toThrow('no value');
});
