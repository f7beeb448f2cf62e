import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatGoDuration, parseGoDuration } from './index.ts';

it.each([
  [0, '0 B'],
  [-5, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [102_400, '100 KiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [118 * 1024 ** 2, '118 MiB'],
  [4.4 * 1024 ** 3, '4.4 GiB'],
  [2000 * 1024 ** 5, '2000 PiB'],
])('formatBytes(%d) is %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it.each([
  [-1, '< 0.1 s'],
  [0.84, '0.8 s'],
  [0.96, '1 s'],
  [29.4, '29 s'],
  [59.6, '1 min'],
  [240, '4 min'],
  [3599, '1 h 0 min'],
  [4320, '1 h 12 min'],
  [100 * 3600, '4 d 4 h'],
])('formatDuration(%d) is %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

describe('Go durations', () => {
  it.each([
    ['720h0m0s', 2_592_000_000],
    ['0', 0],
    ['+0', 0],
    ['-0', 0],
    ['0s', 0],
    ['1.5s', 1500],
    ['.5m', 30_000],
    ['5.s', 5000],
    ['-1m30s', -90_000],
    ['+10ms', 10],
    ['300us', 0.3],
    ['300\u00b5s', 0.3],
    ['300\u03bcs', 0.3],
    ['2ns', 2e-6],
    ['2562047h47m16s', 2562047 * 3_600_000 + 47 * 60_000 + 16_000],
  ])('parseGoDuration(%s) is %d ms', (text, ms) => {
    expect(parseGoDuration(text)).toBeCloseTo(ms, 9);
  });

  it.each(['', ' ', '.', '.s', '5', '1 h', '1h ', '1d', 'h', '1h-2m', '1e3s', '--1s', 'Infinity', '1h'.repeat(40)])(
    'parseGoDuration(%o) is none',
    (text) => {
      expect(parseGoDuration(text)).toBeUndefined();
    },
  );

  it('refuses what Go cannot hold', () => {
    expect(parseGoDuration('2562048h')).toBeUndefined();
    expect(parseGoDuration('-99999999999h')).toBeUndefined();
  });

  it.each([
    [0, '0s'],
    [1e-9, '0s'],
    [2e-6, '2ns'],
    [0.0015, '1.5µs'],
    [1.5, '1.5ms'],
    [-999, '-999ms'],
    [999.9999999, '1s'],
    [1500, '1.5s'],
    [59_999.9999999, '1m0s'],
    [90_000, '1m30s'],
    [-3_600_000, '-1h0m0s'],
    [2_592_000_000, '720h0m0s'],
  ])('formatGoDuration(%d) is %s', (ms, text) => {
    expect(formatGoDuration(ms)).toBe(text);
  });

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9e12, max: 9e12 }), (ms) => {
        expect(parseGoDuration(formatGoDuration(ms))).toBe(ms);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ns) => {
        expect(parseGoDuration(formatGoDuration(ns / 1e6))).toBeCloseTo(ns / 1e6, 6);
      }),
    );
  });
});

describe('formatCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [2431, '2 431'],
    [1_234_567, '1 234 567'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});
