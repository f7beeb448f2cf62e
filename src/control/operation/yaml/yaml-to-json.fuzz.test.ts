import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '../../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { yamlToJson } from './yaml-to-json.ts';

const TOKENS = [
  ...[
    'a',
    'b: ',
    '- ',
    '? ',
    ': ',
    '\n',
    '\n  ',
    '\t',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '|\n',
    '>-\n ',
    '#',
    '&a ',
    '*a',
  ],
  ...[
    '<<: ',
    '!!str ',
    '!x ',
    '%YAML 1.2\n',
    '---\n',
    '...\n',
    '0x',
    '.inf',
    '~',
    '\\x',
    '\ufeff',
    '日',
    '\u0000',
    '\udc00',
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 40 }).map((tokens) => tokens.join('')),
  fc.tuple(fc.constantFrom(...TOKENS), fc.nat(8000)).map(([token, count]) => token.repeat(count).slice(0, 8000)),
  fc.string({ unit: 'binary', maxLength: 100 }),
);

// Longer ones are read by a thread that has a deadline.
it('a short text of any kind is read or refused in little time', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(text, text, (first, second) => {
      const { result, ms } = cpuTime(() => yamlToJson([first, second]));
      expect(ms).toBeLessThan(1500);
      const read = JSON.parse(result) as object[];
      expect(read).toHaveLength(2);
      for (const one of read) expect(Object.keys(one).join()).toMatch(/^(value|problem)$/);
    }),
    { numRuns: fuzzRuns(40), endOnFailure: true },
  );
});
