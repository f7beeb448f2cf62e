import { expect, it } from 'vitest';
import { boundExpressions } from './bound-expressions.ts';

it('lets no expression of a user hold the process', { timeout: 5000 }, () => {
  boundExpressions();
  expect(new RegExp('^(\\w+-?)+$').test(`${'a'.repeat(60)}.`)).toBe(false);
});
