import { InvalidArgumentError } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/any-text.ts';
import { cpuMs } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { nextRun, parseCron, parseGoDuration } from '../../base/index.ts';
import { tidyArguments } from './arguments.ts';
import { parseOrSelectors, parseSelector } from './label-selector.ts';
import { parseDuration, parseList, parseMap, parseMappings, parseOrder, parseSchedule } from './values.ts';

const PARSERS = {
  ...{ parseSelector, parseOrSelectors, parseList, parseMap, parseMappings, parseOrder, parseDuration, parseSchedule },
};
const MAX_MS = 50;
/** What the parsers look for, so that chance meets it. */
const WORDS =
  'a app a.b/c = == != ! in notin ( ) , ; : or * */2 1-5 @every @daily CRON_TZ=UTC TZ= 5 60 1h 1.5h -3m 9999999999h µs __proto__ constructor';
const piece = fc.oneof(fc.constantFrom(...WORDS.split(' '), ' ', '  ', '\n'), anyText({ maxLength: 3 }));

/** What it gives, or undefined where it says what it expected instead. Anything else that is thrown is a bug. */
function parsed(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidArgumentError);
    return undefined;
  }
}

describe.each(Object.entries(PARSERS))('%s', (_name, parse) => {
  it('gives a value or says what it expected', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        parsed(parse, pieces.join(''));
        expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('app');
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('takes a few milliseconds for the longest argument that there is', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), (pieces) => {
        const text = pieces.join('');
        const long = text.repeat(Math.ceil(128_000 / Math.max(1, text.length))).slice(0, 128_000);
        expect(cpuMs(() => parsed(parse, long))).toBeLessThan(MAX_MS);
      }),
      // Past findings: a selector of blanks took 27 s, one of commas seconds.
      { numRuns: fuzzRuns(10), examples: [[[' ']], [[',']]] },
    );
  });
});

const namespaceName = fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?$/);
const name = fc.stringMatching(/^[a-z]([a-z0-9.-]{0,10}[a-z0-9])?$/);

describe('what was written', () => {
  it('a selector is read as it was meant', () => {
    const value = fc.oneof(fc.constant(''), name);
    const requirement = fc.oneof(
      fc.record({ key: name, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(value, { minLength: 1 }) }),
      fc.record({ key: name, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
    );
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 6 }), (requirements) => {
        const text = requirements.map((each) =>
          'values' in each
            ? `${each.key} ${each.operator.toLowerCase()} (${each.values.join(', ')})`
            : `${each.operator === 'Exists' ? '' : '!'}${each.key}`,
        );
        expect(parseSelector(text.join(','))).toEqual({ matchExpressions: requirements });
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('mappings are read as they were meant', () => {
    fc.assert(
      fc.property(fc.dictionary(name, namespaceName, { minKeys: 1, noNullPrototype: true }), (mapping) => {
        const text = Object.entries(mapping).map(([from, to]) => `${from}:${to}`);
        expect(parseMappings(text.join(','))).toEqual(mapping);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('a duration means the same after it was written as Go does', () => {
    const amount = fc.tuple(fc.integer({ min: 0, max: 99_999 }), fc.constantFrom('h', 'm', 's', 'ms'));
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), (amounts) => {
        const text = amounts.map(([count, unit]) => `${String(count)}${unit}`).join('');
        const written = parsed(parseDuration, text);
        if (typeof written === 'string') expect(parseGoDuration(written)).toBeCloseTo(parseGoDuration(text) ?? NaN, 3);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('a schedule that is taken has a next run, or none, and that is known at once', () => {
    const at = (least: number, most: number): fc.Arbitrary<string> => {
      const number = fc.integer({ min: least, max: most }).map(String);
      const range = fc.tuple(number, number).map((both) => both.join('-'));
      const step = fc.tuple(fc.constantFrom('*', '?'), number).map((both) => both.join('/'));
      return fc.oneof(
        fc.constant('*'),
        number,
        range,
        step,
        fc.array(number, { minLength: 1 }).map((all) => all.join(',')),
      );
    };
    fc.assert(
      fc.property(fc.tuple(at(0, 59), at(0, 23), at(1, 31), at(1, 12), at(0, 6)), (fields) => {
        const text = fields.join(' ');
        const { cron } = parseCron(text, 'UTC');
        expect(parsed(parseSchedule, text) === undefined).toBe(cron === undefined);
        if (cron === undefined) return;
        const now = Date.UTC(2026, 1, 28, 23, 59);
        let next: number | undefined;
        expect(cpuMs(() => (next = nextRun(cron, now)))).toBeLessThan(MAX_MS);
        if (next !== undefined) expect(next).toBeGreaterThan(now);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });

  it('no argument gets lost when they are put in order', () => {
    const word = fc.constantFrom('-n', '--context', '--server=x', 'backup', '--', '--paused', 'get', '', '=');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, anyText({ maxLength: 5 }))), (args) => {
        const tidy = tidyArguments(args).map((arg) => arg.replace(/=true$/, ''));
        expect(tidy.toSorted()).toEqual(args.map((arg) => arg.replace(/=true$/, '')).toSorted());
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
