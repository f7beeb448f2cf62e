import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGoPattern, type PatternMatch } from './index.ts';

const free = (): void => undefined;

function found(pattern: string, text: string, from = 0): string | undefined {
  const match = compileGoPattern(pattern).find(text, from, free);
  return match === undefined ? undefined : shown(match, text);
}

/** The match, then its groups. */
function shown({ start, end, groups }: PatternMatch, text: string): string {
  const parts = groups.map((group) => (group === undefined ? '-' : text.slice(group.start, group.end)));
  return [`${start}:${text.slice(start, end)}`, ...parts].join(' ');
}

describe('finding', () => {
  // As Go's FindStringSubmatchIndex says.
  it.each([
    ['a+', 'baaab', '1:aaa'],
    ['a+?', 'baaab', '1:a'],
    ['(?U)a+', 'baaab', '1:a'],
    ['(?U)a+?', 'baaab', '1:aaa'],
    ['a??b', 'ab', '0:ab'],
    ['l|ll', 'hello', '2:l'],
    ['(a|ab)(c|bcd)', 'abcd', '0:abcd a bcd'],
    ['(\\w+)-(?P<n>\\w+)', 'my-db-0', '0:my-db my db'],
    ['(a)|(b)', 'b', '0:b - b'],
    ['(a*)*', 'b', '0: '],
    ['(a*)+', 'b', '0: '],
    ['(|a)*', 'aa', '0: '],
    ['(|a)+', 'aa', '0: '],
    ['(a|b){2,3}?', 'abab', '0:ab b'],
    ['(a){2,3}', 'aaaa', '0:aaa a'],
    ['(a){0}b', 'ab', '1:b -'],
    ['^b', 'ab', undefined],
    ['\\bb', 'a b', '2:b'],
    ['.$', 'a😀', '1:😀'],
    ['x', 'abc', undefined],
    ['', '', '0:'],
    ['(?:ab)+?$', 'ababab', '0:ababab'],
    ['(x?)(y)', 'y', '0:y  y'],
    ['(?:^)*a', 'a', '0:a'],
    ['(a?b?)*c', 'abc', '0:abc ab'],
    ['(?:)*a', 'a', '0:a'],
    ['(?:ab)*', 'abab', '0:abab'],
    ['((?:a*)+)*b', 'aab', '0:aab aa'],
  ])('%s in %j is %j', (pattern, text, match) => {
    expect(found(pattern, text)).toBe(match);
  });

  it('begins where it is told to, and knows what is before', () => {
    expect(found('a', 'aba', 1)).toBe('2:a');
    expect(found('^a', 'aa', 1)).toBeUndefined();
    expect(found('\\Ba', '😀aa', 2)).toBe('3:a');
    expect(found('\\ba', 'xaa a', 2)).toBe('4:a');
  });

  it('tells the names of groups', () => {
    expect(compileGoPattern('(a)(?P<n>b)(?<m>c)(?:d)').groups).toEqual(['', 'n', 'm']);
  });

  it('counts its steps, and ends when it is told to', () => {
    let steps = 0;
    const spend = (count: number) => {
      steps += count;
      if (steps > 1000) throw new Error('enough');
    };
    expect(() => compileGoPattern('(a*)*b').find('a'.repeat(10_000), 0, spend)).toThrow('enough');
  });

  it('agrees with the machine that only says whether there is a match', () => {
    const part = fc.constantFrom('a', 'b', '.', 'a*', 'b+?', '(a|b)', '(?:ab)?', '^', '$', '[^a]', '(b*)', '\\b');
    const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), maxLength: 8 }), (source, text) => {
        const compiled = compileGoPattern(source);
        const match = compiled.find(text, 0, free);
        expect(match !== undefined).toBe(compiled.test(text));
        if (match !== undefined) expect(match.start).toBeLessThanOrEqual(match.end);
      }),
    );
  });
});
