import { expect, it } from 'vitest';
import type { Report } from '../../../src/core/progress/index.ts';
import { tellsRate } from './progress-text.ts';

it('expects a speed only of what can have one', () => {
  const report = (unit: 'items' | 'phases', more: Partial<Report> = {}): Report => ({
    state: 'running',
    measures: [{ unit, done: 1, total: { kind: 'unknown' } }],
    children: [],
    lastProgressAt: '2026-01-01T00:00:00Z',
    ...more,
  });
  expect(tellsRate(report('items'))).toBe(true);
  expect(tellsRate(report('phases'))).toBe(false);
  expect(tellsRate(report('phases', { ratePerSecond: 1 }))).toBe(true);
  // It has just begun.
  expect(tellsRate(report('items', { measures: [] }))).toBe(true);
});
