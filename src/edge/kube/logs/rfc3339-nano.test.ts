import { describe, expect, it } from 'vitest';
import { readStamp } from './rfc3339-nano.ts';

const NOON = BigInt(Date.UTC(2026, 0, 1, 12)) * 1_000_000n;

describe('readStamp', () => {
  it.each([
    ['2026-01-01T12:00:00Z text', NOON, 'text'],
    ['2026-01-01T12:00:00.000000001Z  two spaces', NOON + 1n, ' two spaces'],
    ['2026-01-01T12:00:00.5Z', NOON + 500_000_000n, ''],
    ['2026-01-01T14:00:00.25+02:00 local', NOON + 250_000_000n, 'local'],
    ['2026-01-01T04:30:00-07:30 local', NOON, 'local'],
  ])('reads %j', (line, nanos, rest) => {
    expect(readStamp(line)).toEqual({ time: line.split(' ')[0], nanos, rest });
  });

  it.each(['', 'text', '2026-01-01', '2026-01-01T12:00:00', '2026-13-01T12:00:00Z x', '2026-01-01T12:00:00Zx'])(
    'finds no time in %j',
    (line) => {
      expect(readStamp(line)).toBeUndefined();
    },
  );
});
