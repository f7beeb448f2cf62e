import { expect, it } from 'vitest';
import { boundedProblems, boundedText } from './bounds.ts';

it('keeps what fits, and says how much it left out', () => {
  expect(boundedProblems(['a', 'b'])).toEqual(['a', 'b']);
  const many = boundedProblems(Array.from({ length: 1000 }, () => 'x'.repeat(10_000)));
  expect([many.length, many.at(-1)]).toEqual([101, 'and 900 more']);
  expect(many.join('').length).toBeLessThan(250_000);
  expect(boundedText('short \u001b[2J')).toBe('short \\x1b[2J');
  expect(boundedText('x'.repeat(10_000))).toHaveLength(2000);
});
