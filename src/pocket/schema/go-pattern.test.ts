import { expect, it } from 'vitest';
import { compileGoPattern } from './go-pattern.ts';

it.each([
  ['^x+$', 'xx', true],
  ['(?i)^ABC$', 'abc', true],
  ['(?is)^A.C$', 'a\nc', true],
  ['^\\p{Lu}+$', 'ÄB', true],
  ['^[\\w-]+\\.\\d$', 'a-b.1', true],
  ['^\\_$', '_', true],
])('%s and %s', (source, text, expected) => {
  expect(compileGoPattern(source)?.test(text)).toBe(expected);
});

it('does not understand everything, and says so', () => {
  expect(compileGoPattern('(')).toBeUndefined();
});

// V8 alone needs seconds for this text, and twice as long for every letter more.
it.each(['^(a+)+$', '^([a-z0-9]+-?)+$'])('%s takes no time', { timeout: 5000 }, (source) => {
  expect(compileGoPattern(source)?.test(`${'a'.repeat(28)}!`)).toBe(false);
});
