import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('retryAfterMs', () => {
  it.each([
    ['seconds', '7', 7000],
    ['zero', '0', 0],
    ['a date', 'Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['a date gone by', 'Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['more than half a minute, cut', '3600', 30_000],
    ['nonsense', 'soon', undefined],
    ['nothing', '', undefined],
  ])('reads %s', (_name, header, expected) => {
    expect(retryAfterMs(header, undefined, NOW)).toBe(expected);
  });

  it('takes the first of several headers', () => {
    expect(retryAfterMs(['2', '9'], undefined, NOW)).toBe(2000);
  });

  it('reads the Status when there is no header', () => {
    expect(retryAfterMs(undefined, { details: { retryAfterSeconds: 3 } }, NOW)).toBe(3000);
    expect(retryAfterMs(undefined, { details: { retryAfterSeconds: 0 } }, NOW)).toBeUndefined();
    expect(retryAfterMs(undefined, { details: null }, NOW)).toBeUndefined();
    expect(retryAfterMs(undefined, {}, NOW)).toBeUndefined();
  });
});
