import { expect, it } from 'vitest';
import { STALL_LIMIT_MS, stalledSeconds } from './stall.ts';

it('begins at the limit and counts whole seconds', () => {
  expect(stalledSeconds(1000, 1000 + STALL_LIMIT_MS - 1, STALL_LIMIT_MS)).toBeUndefined();
  expect(stalledSeconds(1000, 1000 + STALL_LIMIT_MS, STALL_LIMIT_MS)).toBe(120);
  expect(stalledSeconds(0, 180_900, STALL_LIMIT_MS)).toBe(180);
});

it('is not reached by a clock that was set back', () => {
  expect(stalledSeconds(1_000_000, 0, STALL_LIMIT_MS)).toBeUndefined();
});
