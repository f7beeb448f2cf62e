import { expect, it } from 'vitest';
import { scaledValue } from './int-or-percent.ts';

it.each([
  [undefined, 10, 'up', 0],
  [3, 10, 'up', 3],
  ['25%', 10, 'up', 3],
  ['25%', 10, 'down', 2],
  ['100%', 7, 'down', 7],
  ['nonsense', 7, 'down', 0],
] as const)('%s of %i rounded %s is %i', (value, total, round, expected) => {
  expect(scaledValue(value, total, round)).toBe(expected);
});
