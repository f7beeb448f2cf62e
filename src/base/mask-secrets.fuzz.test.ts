import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuMs } from '../../test/cpu-time.ts';
import { fuzzRuns } from '../../test/fuzz-runs.ts';
import { maskSecrets } from './mask-secrets.ts';

/** Words that the patterns look for, so that random text hits them. */
const WORDS =
  'pass password secret token authorization: bearer= : = " \' \\ - -- _ :// @ eyJ . -----BEGIN PRIVATE KEY----- mysql -p curl -u file name'
    .split(' ')
    .concat(' ', '\n', 'a');
const piece = fc.constantFrom(...WORDS);
const MAX_MS = 50;

it('takes a few milliseconds for any text', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 3000 }), (pieces, times) => {
      const text = pieces.join('').repeat(times);
      expect(cpuMs(() => maskSecrets(text))).toBeLessThan(MAX_MS);
    }),
    { numRuns: fuzzRuns(200), examples: [[['eyJ', '-'], 3000]] },
  );
});

it('never shows a secret that is announced, whatever stands around it', () => {
  const around = fc.array(fc.constantFrom('a', ' ', '\n', ';', '/bin/sh -c', 'curl', '--verbose'), { maxLength: 5 });
  const announced = fc.constantFrom(
    ...['--password=', '--password ', 'DB_PASSWORD=', 'token: ', '"secret": "', 'Authorization: Bearer ', 'mysql -p'],
  );
  const secret = fc.stringMatching(/^[A-Za-z0-9+/]{8,40}$/);
  fc.assert(
    fc.property(around, announced, secret, around, (before, name, value, after) => {
      const text = `${before.join(' ')} ${name}${value}${name.endsWith('"') ? '"' : ''} ${after.join(' ')}`;
      expect(maskSecrets(text)).not.toContain(value);
    }),
    { numRuns: fuzzRuns(500) },
  );
});
