import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { caseOrbit } from './case-orbit.ts';
import { compileGoPattern } from './index.ts';
import { cpuTime } from '../../../test/cpu-time.ts';

/** Recorded behaviour of Go's regexp package. */
interface Recorded {
  pattern: string;
  error?: string;
  /** One digit for each text, 1 where it matches. */
  matches?: string;
}
const fixture = join(import.meta.dirname, '../../../test/fixtures/go-patterns/recorded.jsonl');
const lines = readFileSync(fixture, 'utf8').trim().split('\n');
const [texts, orbits, ...recorded] = lines.map((line) => JSON.parse(line) as unknown) as [
  string[],
  string[],
  ...Recorded[],
];

function outcome(pattern: string): Recorded {
  try {
    const compiled = compileGoPattern(pattern);
    return { pattern, matches: texts.map((text) => (compiled.test(text) ? '1' : '0')).join('') };
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    const { message } = error as AppError;
    return { pattern, error: /^error parsing regexp: (.*?)(?:: `[^]*`)?$/.exec(message)?.[1] ?? message };
  }
}

describe('a pattern', () => {
  it('matches and is refused as in Go', () => {
    expect(recorded.length).toBeGreaterThan(3000);
    for (const line of recorded) expect(outcome(line.pattern)).toEqual(line);
  });

  it('takes for one letter what Go does', () => {
    expect(orbits.length).toBeGreaterThan(1000);
    for (const orbit of orbits) {
      const runes = Array.from(orbit, (letter) => letter.codePointAt(0)!);
      for (const rune of runes) expect(caseOrbit(rune).toSorted()).toEqual(runes.toSorted());
    }
  });

  it.each([
    ['\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ['a{1001}', 'error parsing regexp: invalid repeat count: `{1001}`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    [`[${'a'.repeat(300)}`, `error parsing regexp: missing closing ]: \`[${'a'.repeat(99)}…\``],
    ['\ud800', 'error parsing regexp: invalid UTF-8: `\ud800`'],
  ])('such as %s is refused in the words of Go', (pattern, message) => {
    expect(() => compileGoPattern(pattern)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });

  it('reads half of a surrogate pair as Go reads what is no rune', () => {
    expect(compileGoPattern('^\\x{FFFD}$').test('\udc00')).toBe(true);
  });

  it.each(['a{1000}'.repeat(6), 'a'.repeat(5001), `[${'a'.repeat(40_000)}]`])(
    'that is too large is refused',
    (pattern) => {
      expect(() => compileGoPattern(pattern)).toThrow('error parsing regexp: expression too large');
    },
  );
});

describe('a match', () => {
  const dull = 'a'.repeat(253);
  // Each of these takes V8 minutes or more with one of the texts.
  it.each([
    '^(a+)+$',
    '(a*)*b',
    '(?:a?){30}a{30}b',
    '((a{0,30}){0,30})b',
    '(?:.*a){60}b',
    '^(\\w+-?)+$',
    '(?i)^([^!]*)*$',
  ])('%s is short', (pattern) => {
    const { result, ms } = cpuTime(() => compileGoPattern(pattern).test(`${dull}!`));
    expect(result).toBe(false);
    expect(ms).toBeLessThan(2000);
  });

  // As many instructions as allowed, all of them active.
  it.each(['a?'.repeat(2490), '(?i)' + '[b-z]?[a-c]?'.repeat(1240), '\\pL?'.repeat(2490), '(?:.*a)'.repeat(1600)])(
    'takes a bounded time for every name of an object',
    (pattern) => {
      const compiled = compileGoPattern(`${pattern}!`);
      expect(compiled.size).toBeGreaterThan(4000);
      expect(compiled.test(dull)).toBe(false);
    },
  );

  it('takes longer for longer texts, and a pattern that is too costly for it says so', () => {
    const long = 'a'.repeat(300_000);
    expect(compileGoPattern('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$').test(long)).toBe(true);
    expect(() => compileGoPattern(`${'a?'.repeat(2400)}!`).test(long)).toThrow(
      expect.objectContaining({ code: 'tooLarge', message: expect.stringContaining('300000 characters') as string }),
    );
  });
});
