import { describe, expect, it } from 'vitest';
import type { Report } from '../../core/progress/index.ts';
import { progressLine } from './progress-line.ts';

const report = (fields: Partial<Report>): Report => ({ state: 'running', measures: [], children: [], ...fields });

describe('progressLine', () => {
  it.each<[string, Partial<Report>, string]>([
    [
      'everything known',
      {
        percent: 68,
        measures: [{ unit: 'items', done: 1653, total: { kind: 'exact', value: 2431 } }],
        ratePerSecond: 812,
        etaSeconds: 1.2,
      },
      '  restoring  █████████████░░░░░░░   68 %  1 653 of 2 431  812/s  1 s left',
    ],
    [
      'an unknown total is striped and has no percent',
      { measures: [{ unit: 'items', done: 12, total: { kind: 'unknown' } }], ratePerSecond: 3 },
      '  restoring  ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱  12 items  3/s',
    ],
    [
      'an estimate says so, bytes are bytes',
      {
        percent: 43,
        measures: [{ unit: 'bytes', done: 2_040_109_465, total: { kind: 'estimate', value: 4_724_464_025 } }],
        ratePerSecond: 92_274_688,
      },
      '  restoring  ████████░░░░░░░░░░░░   43 %  1.9 of ~4.4 GiB  88.0 MiB/s',
    ],
    [
      'skipped and failed are shown inside the bar, however few',
      {
        percent: 50,
        measures: [{ unit: 'items', done: 500, total: { kind: 'exact', value: 1000 } }],
        counts: { created: 498, updated: 0, skipped: 1, failed: 1 },
      },
      '  restoring  ████████▒✕░░░░░░░░░░   50 %  500 of 1 000',
    ],
  ])('%s', (_, fields, line) => {
    expect(progressLine(report(fields), 'restoring')).toBe(line);
  });

  it('fits into 80 columns with large numbers', () => {
    const line = progressLine(
      report({
        percent: 99,
        measures: [{ unit: 'items', done: 99_999, total: { kind: 'exact', value: 100_000 } }],
        ratePerSecond: 1234,
        etaSeconds: 42,
      }),
      'restoring',
    );
    expect(line.length).toBeLessThanOrEqual(79);
  });

  it.each([
    [900_000, '  volumes    ███░░░░░░░░   33 %  16 of 24, 50.0 of 150 MiB  879 KiB/s  1 s left', 16, 24],
    [92_274_688, '  volumes    █████░░░░░░░░░░░   33 %  1 653 of 2 431, 50.0 of 150 MiB  1 s left', 1653, 2431],
  ])('has a shorter bar, or no rate, where two measures need the room', (ratePerSecond, expected, done, value) => {
    const measures = [
      { unit: 'items' as const, done, total: { kind: 'exact' as const, value } },
      { unit: 'bytes' as const, done: 52_428_800, total: { kind: 'exact' as const, value: 157_286_400 } },
    ];
    const line = progressLine(report({ percent: 33, measures, ratePerSecond, etaSeconds: 1 }), 'volumes');
    expect(line).toBe(expected);
    expect(line.length).toBeLessThanOrEqual(79);
  });
});
