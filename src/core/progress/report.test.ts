import { describe, expect, it } from 'vitest';
import { estimate, exact, UNKNOWN } from './measure.ts';
import { feed, newMeter, type Meter, type MeterEvent } from './meter.ts';
import { stallOf, takeReport } from './report.ts';

const T0 = Date.UTC(2026, 0, 1);
const started = feed(newMeter(T0), { kind: 'start' }, T0);
const run = (from: Meter, ...events: MeterEvent[]): Meter =>
  events.reduce((meter, event) => feed(meter, event, T0), from);

/** Ten items and 5 MB per second, of 1000 items and 1 GB. */
function working(seconds: number, bytes = true): Meter {
  let meter = run(started, { kind: 'measure', unit: 'items', done: 0, total: exact(1000) });
  if (bytes) meter = run(meter, { kind: 'measure', unit: 'bytes', done: 0, total: estimate(1e9) });
  for (let s = 1; s <= seconds; s += 1) {
    meter = feed(meter, { kind: 'measure', unit: 'items', done: s * 10 }, T0 + s * 1000);
    if (bytes) meter = feed(meter, { kind: 'measure', unit: 'bytes', done: s * 5e6 }, T0 + s * 1000);
  }
  return meter;
}

describe('takeReport', () => {
  it('says only what is known of an operation that waits', () => {
    expect(takeReport(newMeter(T0), T0 + 1e9).report).toEqual({ state: 'pending', measures: [], children: [] });
  });

  it('says all of an operation at work', () => {
    const counts = { created: 100, updated: 0, skipped: 0, failed: 0 };
    const meter = run(
      working(10, false),
      { kind: 'measure', unit: 'items', counts },
      { kind: 'current', current: 'shop/pods/web-0' },
    );
    const child = { ref: { apiVersion: 'v1', kind: 'Pod', name: 'x' }, report: takeReport(started, T0).report };
    expect(takeReport(meter, T0 + 10_000, { children: [child] }).report).toEqual({
      state: 'running',
      percent: 10,
      measures: [{ unit: 'items', done: 100, total: exact(1000) }],
      current: 'shop/pods/web-0',
      ratePerSecond: 10,
      etaSeconds: 90,
      startedAt: '2026-01-01T00:00:00.000Z',
      lastProgressAt: '2026-01-01T00:00:10.000Z',
      counts,
      children: [child],
    });
  });

  it('shows the rate of bytes where there are bytes, and the ETA of the slowest measure', () => {
    const { report } = takeReport(working(10), T0 + 10_000);
    expect(report).toMatchObject({ percent: 5, ratePerSecond: 5e6, etaSeconds: 190 });
  });

  it('has the ETA of what is waited for while the rest waits, and its own evidence afterwards', () => {
    const fed = (from: Meter, second: number, [items, megabytes]: [number, number], waitsFor?: 'bytes'): Meter => {
      const now = T0 + second * 1000;
      const meter = feed(from, { kind: 'measure', unit: 'items', done: items, waitsFor }, now);
      return feed(meter, { kind: 'measure', unit: 'bytes', done: megabytes * 1e6 }, now);
    };
    let meter = working(10);
    for (let second = 11; second <= 60; second += 1) meter = fed(meter, second, [990, second * 5], 'bytes');
    // The items stand at 990 of 1000: their own rate would say less every second.
    expect(takeReport(meter, T0 + 60_000).report).toMatchObject({ percent: 30, etaSeconds: 138 });
    meter = fed(meter, 199, [990, 995], 'bytes');
    for (let second = 200; second <= 203; second += 1) meter = fed(meter, second, [790 + second, 1000]);
    expect(takeReport(meter, T0 + 203_000).report).not.toHaveProperty('etaSeconds');
    for (let second = 204; second <= 205; second += 1) meter = fed(meter, second, [790 + second, 1000]);
    expect(takeReport(meter, T0 + 205_000).report).toMatchObject({ percent: 99, etaSeconds: 5 });
  });

  it('shows a mean with two decimals beside the whole one, and goes on from there after a restart', () => {
    const { report } = takeReport(run(started, { kind: 'mean', percent: 130 / 3 }), T0);
    expect(report).toMatchObject({ percent: 43, exactPercent: 43.33 });
    const resumed = newMeter(T0, { ...report, measures: [] });
    const { meter, report: less } = takeReport(run(resumed, { kind: 'mean', percent: 43.1 }), T0);
    expect(less).toMatchObject({ percent: 43, exactPercent: 43.33 });
    expect(takeReport(run(meter, { kind: 'mean', percent: 100 }), T0).report.exactPercent).toBe(99.99);
    expect(takeReport(run(meter, { kind: 'end', state: 'completed' }), T0).report.exactPercent).toBe(100);
    expect(takeReport(working(1), T0).report).not.toHaveProperty('exactPercent');
  });

  it('has no rate and no ETA for phases, nor an ETA for a mean', () => {
    let meter = started;
    for (let s = 0; s <= 20; s += 1) {
      meter = feed(meter, { kind: 'measure', unit: 'phases', done: s, total: exact(40) }, T0 + s * 1000);
    }
    expect(takeReport(meter, T0 + 20_000).report).not.toHaveProperty('ratePerSecond');
    expect(takeReport(meter, T0 + 20_000).report).not.toHaveProperty('etaSeconds');
    const mean = run(working(10, false), { kind: 'mean', percent: 40 });
    const { report } = takeReport(mean, T0 + 10_000);
    expect(report).toMatchObject({ percent: 40, ratePerSecond: 10 });
    expect(report).not.toHaveProperty('etaSeconds');
  });

  it('is stalled at the limit with the cause it was told, without ETA, and clears itself', () => {
    const meter = working(10, false);
    const at = T0 + 10_000 + 120_000;
    expect([stallOf(meter, at - 1), stallOf(meter, at)]).toEqual([undefined, 120]);
    const diagnosis = { cause: 'store unreachable', hint: 'check the location' };
    const { report } = takeReport(meter, at, { diagnosis });
    expect(report.stalled).toEqual({ sinceSeconds: 120, ...diagnosis });
    expect(report).not.toHaveProperty('etaSeconds');
    expect(takeReport(meter, at).report.stalled?.cause).toBe('no cause found yet');
    const moved = feed(meter, { kind: 'worked' }, at);
    expect(takeReport(moved, at, { diagnosis }).report).not.toHaveProperty('stalled');
    expect(stallOf(run(meter, { kind: 'end', state: 'failed' }), at)).toBeUndefined();
  });

  it('notices a stall also after the clock was set back', () => {
    const back = T0 - 3_600_000;
    const { meter, report } = takeReport(working(10, false), back);
    expect(report.lastProgressAt).toBe('2025-12-31T23:00:00.000Z');
    expect(stallOf(meter, back + 120_000)).toBe(120);
  });

  it('has no ETA while stalled even with a stage that is impatient', () => {
    const meter = { ...working(10, false), stallLimitMs: 1000 };
    const { report } = takeReport(meter, T0 + 12_000);
    expect(report.stalled?.sinceSeconds).toBe(2);
    expect(report).not.toHaveProperty('etaSeconds');
    expect(report.ratePerSecond).toBe(8.33);
  });

  it.each([
    ['completed', 100],
    ['partiallyFailed', 99],
    ['failed', 99],
    ['canceled', 99],
  ] as const)('of all items done, ends %s at %d', (state, percent) => {
    const all = run(started, { kind: 'measure', unit: 'items', done: 5, total: exact(5) });
    expect(takeReport(all, T0).report.percent).toBe(99);
    expect(takeReport(run(all, { kind: 'end', state }), T0).report.percent).toBe(percent);
  });

  it('keeps the percent it has shown when the total turns out to be unknown, and counts on', () => {
    const shown = takeReport(working(10, false), T0 + 10_000).meter;
    const meter = feed(shown, { kind: 'measure', unit: 'items', done: 110, total: UNKNOWN }, T0 + 11_000);
    const { report } = takeReport(meter, T0 + 11_000);
    expect(report).toMatchObject({ percent: 10, measures: [{ done: 110 }], ratePerSecond: 10 });
    expect(report).not.toHaveProperty('etaSeconds');
  });

  it('keeps no percent for an operation that failed before it had one', () => {
    const report = takeReport(run(started, { kind: 'end', state: 'failed' }), T0).report;
    expect(report).not.toHaveProperty('percent');
  });

  it('has its parts, its steps and what it waits for, and no empty lists of them', () => {
    const child = {
      ref: { apiVersion: 'velero.io/v1', kind: 'PodVolumeBackup', name: 'v' },
      report: takeReport(started, T0).report,
    };
    const pipeline = [{ name: 'Backup', message: 'Running' }];
    const waits = [{ cause: 'pod shop/web is not up', since: '2026-01-01T00:00:00Z' }];
    const extras = { children: [child], pipeline, waits };
    expect(takeReport(started, T0, extras).report).toMatchObject(extras);
    const bare = takeReport(started, T0, { children: [], pipeline: [], waits: [] }).report;
    expect(bare.children).toEqual([]);
    expect(Object.keys(bare)).not.toContain('pipeline');
    expect(Object.keys(bare)).not.toContain('waits');
  });
});
