import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { parseGoDuration } from '../units.ts';
import { nextRun, parseCron } from './index.ts';

const TOKENS = [
  ...['*', '?', '0', '7', '30', '31', '59', '99999999999', '-', '/', ',', ' ', '  ', '\t', 'FEB', 'mon-fri', 'L', '#'],
  ...[
    '@every ',
    '@daily',
    '1h30m',
    '1ns',
    '292000h',
    'CRON_TZ=',
    'TZ=',
    'Asia/Beirut',
    'Europe/Berlin',
    '../x',
    '+01:00',
  ],
];
const part = fc.array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 4 }).map((tokens) => tokens.join(''));
const field = fc.oneof(fc.constantFrom('*', '0', '*/7', '1,2', '22-2', '30', '2', '5#3'), part);
const line = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '', 'TZ=Asia/Beirut '), fc.array(field, { minLength: 5, maxLength: 5 }))
    .map(([zone, fields]) => zone + fields.join(' ')),
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }).map((tokens) => tokens.join('')),
  fc.tuple(fc.constantFrom(...TOKENS), fc.nat(100_000)).map(([token, count]) => token.repeat(count)),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const time = fc.integer({ min: Date.UTC(-2000, 0, 1), max: Date.UTC(9000, 0, 1) });

it('reads every schedule, and finds its next run or that there is none, in no time', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(line, fc.constantFrom('velero' as const, 'kubernetes' as const), time, (text, dialect, after) => {
      const { result, ms } = cpuTime(() => {
        const parsed = parseCron(text, 'UTC', dialect);
        return { parsed, run: parsed.cron === undefined ? undefined : nextRun(parsed.cron, after) };
      });
      expect(ms).toBeLessThan(300);
      if (result.run !== undefined) expect(result.run).toBeGreaterThan(after);
      if (result.parsed.problems !== undefined) expect(result.parsed.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: fuzzRuns(300), endOnFailure: true },
  );
});

it('reads every duration', () => {
  const unit = fc.constantFrom('0', '1', '.', '-', '+', 'h', 'm', 's', 'ms', 'ns', 'µs', '1h', '.5s');
  const text = fc.oneof(
    fc.array(unit, { maxLength: 10 }).map((tokens) => tokens.join('')),
    fc.tuple(unit, fc.nat(1_000_000)).map(([token, count]) => token.repeat(count)),
  );
  fc.assert(
    fc.property(text, (given) => {
      const { result, ms } = cpuTime(() => parseGoDuration(given));
      expect(ms).toBeLessThan(100);
      expect(result === undefined || Number.isFinite(result)).toBe(true);
    }),
    { numRuns: fuzzRuns(200), endOnFailure: true },
  );
});
