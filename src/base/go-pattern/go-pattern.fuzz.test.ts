import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { AppError } from '../errors.ts';
import { compileGoPattern } from './index.ts';

const TOKENS = [
  ...[
    'a',
    'b',
    'k',
    'é',
    '日',
    '.',
    '^',
    '$',
    '|',
    '(',
    '(?:',
    '(?i)',
    '(?s)',
    '(?P<n>',
    ')',
    '[',
    ']',
    '[^',
    '-',
    '[:',
  ],
  ...[
    ':]',
    '[:alpha:]',
    '\\',
    '\\d',
    '\\W',
    '\\pL',
    '\\p{Greek}',
    '\\P{^Lu}',
    '\\b',
    '\\z',
    '\\Q',
    '\\E',
    '\\x{',
    '\\1',
  ],
  ...[
    '*',
    '+',
    '?',
    '{',
    '}',
    ',',
    '{2}',
    '{0,9}',
    '{30,}',
    '{1000}',
    '(?:a?){90}',
    '(?:.*a){20}',
    '(a*)*',
    '\u{1f600}',
  ],
];
const pattern = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 30 }).map((tokens) => tokens.join('')),
  // Long texts that repeat the same thing.
  fc.tuple(fc.constantFrom(...TOKENS), fc.nat(20_000)).map(([token, count]) => token.repeat(count)),
  fc.string({ unit: 'binary', maxLength: 50 }),
);
const text = fc.oneof(
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }), fc.nat(250_000))
    .map(([part, n]) => part.repeat(n)),
  fc.nat(1_000_000).map((count) => `${'a'.repeat(count)}!`),
  fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'K', '\udc00'), maxLength: 300 }),
);

function outcome<Result>(work: () => Result): Result | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

it('reads every pattern in no time, and tries every text in a time that grows with it', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(pattern, text, (source, given) => {
      const { result: compiled, ms } = cpuTime(() => outcome(() => compileGoPattern(source)));
      expect(ms).toBeLessThan(400);
      if (compiled instanceof AppError) {
        expect(compiled.code).toBe('invalid');
        return;
      }
      const tried = cpuTime(() => outcome(() => compiled.test(given)));
      expect(tried.ms).toBeLessThan(400 + given.length / 1000);
      if (tried.result instanceof AppError) expect(tried.result.code).toBe('tooLarge');
    }),
    { numRuns: fuzzRuns(40), endOnFailure: true },
  );
});

const simple = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '\\B', '^', '$', '\\w', '\\s'),
    fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('')),
    fc.tuple(tie('part'), tie('part')).map((parts) => `(?:${parts.join('|')})`),
    fc.tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '*?')).map(([part, n]) => `(?:${part})${n}`),
  ),
})).part;

it('agrees with V8 where both mean the same', () => {
  fc.assert(
    fc.property(simple, fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n'), maxLength: 8 }), (source, given) => {
      expect(compileGoPattern(source).test(given)).toBe(new RegExp(source).test(given));
    }),
    { numRuns: fuzzRuns(1000), endOnFailure: true },
  );
});
