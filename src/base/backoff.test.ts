import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from './backoff.ts';

it('doubles from half of the base up to the maximum', () => {
  const backoff = { baseMs: 100, maxMs: 1000 };
  expect([0, 1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, backoff, 0))).toEqual([50, 100, 200, 400, 500, 500]);
});

it('is at least half and never more than the whole delay, at any attempt', () => {
  const attempt = fc.oneof(fc.integer({ min: -10, max: 5000 }), fc.constantFrom(Number.MAX_SAFE_INTEGER, Infinity));
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(attempt, fc.nat(10_000), fc.nat(60_000), random, (n, baseMs, extra, chance) => {
      const maxMs = baseMs + extra;
      const full = Math.min(maxMs, baseMs * 2 ** Math.min(1000, Math.max(0, n)));
      const ms = backoffMs(n, { baseMs, maxMs }, chance);
      expect(ms).toBeGreaterThanOrEqual(full / 2);
      expect(ms).toBeLessThanOrEqual(full);
    }),
  );
});
