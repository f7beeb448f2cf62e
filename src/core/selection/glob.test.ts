import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyGlobMatcher, globMatcher, globProblem, isGlob } from './glob.ts';

describe('globMatcher', () => {
  it.each([
    ['shop', 'shop', true],
    ['shop', 'shop2', false],
    ['shop-*', 'shop-eu', true],
    ['shop-*', 'shop-', true],
    ['shop-*', 'shop', false],
    ['*-prod', 'a-b-prod', true],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ns?', 'ns1', true],
    ['ns?', 'ns', false],
    ['ns?', 'ns12', false],
    ['ns[135]', 'ns3', true],
    ['ns[135]', 'ns2', false],
    ['ns[1-3]', 'ns2', true],
    ['ns[1-3]', 'ns4', false],
    ['ns[a1-3]', 'ns2', false],
    ['ns[a1-3]', 'ns-', true],
    ['a.b', 'axb', false],
    ['[', '[', true],
  ])('%s on %s: %s', (pattern, text, expected) => {
    expect(globMatcher(pattern)(text)).toBe(expected);
  });

  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '.'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '-', '.'), maxLength: 8 });

  it('agrees with the regular expression of the same meaning', () => {
    fc.assert(
      fc.property(pattern, text, (glob, value) => {
        const expression = glob.replace(/[.-]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
        expect(globMatcher(glob)(value)).toBe(new RegExp(`^${expression}$`).test(value));
      }),
    );
  });

  it('takes no more than an instant for a pattern made to be slow', () => {
    expect(globMatcher(`${'*a'.repeat(30)}b`)('a'.repeat(5000))).toBe(false);
  });

  it('matches what any of several patterns matches', () => {
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 4 }), text, (globs, value) => {
        expect(anyGlobMatcher(globs)(value)).toBe(globs.some((glob) => globMatcher(glob)(value)));
      }),
    );
  });
});

describe('globProblem', () => {
  it.each(['shop', 'shop-*', '*', 'ns?', 'ns[abc]', '[a][b]', 'a.b+c'])('has nothing against %s', (pattern) => {
    expect(globProblem(pattern)).toBeUndefined();
  });
  it.each([
    ['a**', '** where only a single * is allowed'],
    ['a|b', 'characters that no pattern may have'],
    ['{a,b}', 'characters that no pattern may have'],
    ['[!a]', 'characters that no pattern may have'],
    ['a[]', 'empty brackets'],
    ['a[b', 'not closed'],
    ['a]b', 'without an opening one'],
    ['[a]]', 'without an opening one'],
  ])('refuses %s', (pattern, why) => {
    expect(globProblem(pattern)).toContain(why);
  });
});

it('knows a pattern from a name', () => {
  expect(['a', 'a*', 'a?', '[a]', 'a.b'].map(isGlob)).toEqual([false, true, true, true, false]);
});
