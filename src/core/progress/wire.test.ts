import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { progressFields, STAGES } from '../../api/meta/progress.ts';
import { estimate, exact, UNKNOWN } from './measure.ts';
import type { Report } from './report.ts';
import { fromStatusProgress, toStatusProgress } from './wire.ts';

const report: Report = {
  state: 'running',
  percent: 43,
  measures: [
    { unit: 'items', done: 4, total: exact(5) },
    { unit: 'bytes', done: 43, total: estimate(100) },
  ],
  stage: 'volumes',
  current: 'shop/data',
  ratePerSecond: 12.5,
  etaSeconds: 29,
  startedAt: '2026-01-01T00:00:00Z',
  lastProgressAt: '2026-01-01T00:00:10.999Z',
  counts: { created: 3, updated: 0, skipped: 1, failed: 0 },
  children: [],
};

describe('toStatusProgress', () => {
  it('writes the fields of the design', () => {
    expect(toStatusProgress(report)).toEqual({
      percent: 43,
      stage: 'volumes',
      current: 'shop/data',
      bytesDone: 43,
      totalBytes: 100,
      ratePerSecond: 12.5,
      etaSeconds: 29,
      lastProgressTime: '2026-01-01T00:00:10Z',
      created: 3,
      updated: 0,
      skipped: 1,
      failed: 0,
    });
  });

  it('writes no field it does not know, and no total of bytes that is unknown', () => {
    expect(toStatusProgress({ state: 'pending', measures: [], children: [] })).toEqual({});
    const measures = [{ unit: 'bytes', done: 7, total: UNKNOWN } as const];
    expect(toStatusProgress({ state: 'running', measures, children: [] })).toEqual({ bytesDone: 7 });
  });

  it('has exactly the fields of the API', () => {
    expect(Object.keys(toStatusProgress(report)).toSorted()).toEqual(Object.keys(progressFields).toSorted());
    expect(z.strictObject(progressFields).parse(toStatusProgress(report))).toEqual(toStatusProgress(report));
  });
});

describe('fromStatusProgress', () => {
  it('reads back what was written', () => {
    const items = { unit: 'items', done: 4, total: exact(5) } as const;
    const back = fromStatusProgress(
      { ...toStatusProgress(report) },
      { state: 'running', items, startedAt: '2026-01-01T00:00:00Z' },
    );
    expect(back).toEqual({ ...report, lastProgressAt: '2026-01-01T00:00:10Z' });
  });

  it('shows 100 with success alone, and no percent that nobody wrote', () => {
    const items = { unit: 'items', done: 5, total: exact(5) } as const;
    expect(fromStatusProgress({}, { state: 'completed', items }).percent).toBe(100);
    expect(fromStatusProgress({ percent: 100 }, { state: 'failed' }).percent).toBe(99);
    expect(fromStatusProgress({}, { state: 'running', items }).percent).toBeUndefined();
    expect(fromStatusProgress({}, { state: 'pending' })).toEqual({ state: 'pending', measures: [], children: [] });
  });

  it('reads bytes of either field alone, and beyond 2^53', () => {
    const bytes = (progress: Record<string, unknown>): unknown =>
      fromStatusProgress(progress, { state: 'completed' }).measures[0];
    expect(bytes({ totalBytes: 9 })).toEqual({ unit: 'bytes', done: 0, total: exact(9) });
    expect(bytes({ bytesDone: 9n })).toEqual({ unit: 'bytes', done: 9, total: UNKNOWN });
    expect(bytes({ bytesDone: 2n ** 63n })).toMatchObject({ done: Number.MAX_SAFE_INTEGER });
  });

  it('has no speed once the operation is over', () => {
    const over = fromStatusProgress({ ratePerSecond: 1, etaSeconds: 1 }, { state: 'failed' });
    expect(over).toEqual({ state: 'failed', measures: [], children: [] });
  });

  it('gives counts when one of them is there', () => {
    for (const name of ['created', 'updated', 'skipped', 'failed']) {
      const none = { created: 0, updated: 0, skipped: 0, failed: 0 };
      expect(fromStatusProgress({ [name]: 2 }, { state: 'running' }).counts).toEqual({ ...none, [name]: 2 });
    }
  });

  it('leaves out what is not what it should be, whatever it is', () => {
    const junk = fc.record({
      percent: fc.anything(),
      stage: fc.anything(),
      current: fc.anything(),
      bytesDone: fc.anything(),
      totalBytes: fc.anything(),
      ratePerSecond: fc.anything(),
      etaSeconds: fc.anything(),
      lastProgressTime: fc.anything(),
      created: fc.anything(),
    });
    fc.assert(
      fc.property(junk, fc.constantFrom('running', 'failed', 'completed'), (progress, state) => {
        const read = fromStatusProgress(progress, { state });
        const { percent = 0 } = read;
        expect(Number.isInteger(percent) && percent >= 0 && percent <= (state === 'completed' ? 100 : 99)).toBe(true);
        for (const { done } of read.measures) expect(Number.isSafeInteger(done)).toBe(true);
        expect(read.ratePerSecond ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

it('law 9: every stage of the API is written and read back', () => {
  for (const stage of STAGES) {
    expect(fromStatusProgress({ ...toStatusProgress({ ...report, stage }) }, { state: 'running' }).stage).toBe(stage);
  }
});
