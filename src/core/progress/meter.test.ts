import { describe, expect, it } from 'vitest';
import { exact, UNKNOWN } from './measure.ts';
import { feed, newMeter, type Meter, type MeterEvent } from './meter.ts';
import { STALL_LIMIT_MS } from './stall.ts';

const run = (events: readonly MeterEvent[], from: Meter = newMeter(0), now = 1000): Meter =>
  events.reduce((meter, event) => feed(meter, event, now), from);
const measuresOf = (meter: Meter): unknown => meter.tracks.map((track) => track.measure);

describe('feed', () => {
  it('starts once', () => {
    const started = feed(newMeter(0), { kind: 'start' }, 5000);
    expect(started).toMatchObject({ state: 'running', startedAt: 5000, lastProgressAt: 5000 });
    expect(feed(started, { kind: 'start' }, 9000)).toBe(started);
  });

  it('leaves the meter it was given as it was', () => {
    const before = run([{ kind: 'start' }, { kind: 'measure', unit: 'items', done: 1, total: exact(9) }]);
    const copy = structuredClone(before);
    run(
      [
        { kind: 'measure', unit: 'items', done: 5 },
        { kind: 'stage', stage: 'volumes' },
      ],
      before,
      2000,
    );
    expect(before).toEqual(copy);
  });

  it.each([
    ['completed', undefined],
    ['failed', 'secrets shop/db'],
  ] as const)('that is %s is at %s', (state, current) => {
    const events = [
      { kind: 'start' },
      { kind: 'current', current: 'secrets shop/db' },
      { kind: 'end', state },
    ] as const;
    expect(run([...events]).current).toBe(current);
  });

  it('changes nothing after the end', () => {
    const ended = run([{ kind: 'start' }, { kind: 'end', state: 'failed' }]);
    expect(run([{ kind: 'worked' }, { kind: 'start' }, { kind: 'end', state: 'completed' }], ended, 2000)).toBe(ended);
  });

  it('keeps the count and the total that an event leaves out, and the order of the units', () => {
    const meter = run([
      { kind: 'measure', unit: 'items', total: exact(4) },
      { kind: 'measure', unit: 'bytes', done: 7 },
      { kind: 'measure', unit: 'items', done: 2 },
      { kind: 'measure', unit: 'items', done: Number.NaN },
      { kind: 'measure', unit: 'items', done: 1 },
    ]);
    expect(measuresOf(meter)).toEqual([
      { unit: 'items', done: 2, total: exact(4) },
      { unit: 'bytes', done: 7, total: UNKNOWN },
    ]);
  });

  it('takes a stage for an advance once, starts its speed anew and forgets the current item', () => {
    const listing = run([
      { kind: 'start' },
      { kind: 'stage', stage: 'listing' },
      { kind: 'measure', unit: 'items', done: 3 },
      { kind: 'current', current: 'shop/pods/a' },
    ]);
    const again = feed(listing, { kind: 'stage', stage: 'listing' }, 9000);
    expect(again).toMatchObject({ lastProgressAt: 1000, current: 'shop/pods/a' });
    const next = feed(listing, { kind: 'stage', stage: 'archiving' }, 9000);
    expect(next).toMatchObject({ lastProgressAt: 9000, current: undefined, stage: 'archiving' });
    expect(next.tracks[0]?.window).toMatchObject({ startedAt: 9000, done: 3, buckets: [] });
  });

  it.each([
    [600_000, 600_000],
    [undefined, STALL_LIMIT_MS],
    [0, STALL_LIMIT_MS],
    [Number.NaN, STALL_LIMIT_MS],
  ])('with a stall limit of %o waits %d ms', (stallLimitMs, limit) => {
    const event = { kind: 'stage', stage: 'volumes', ...(stallLimitMs !== undefined && { stallLimitMs }) } as const;
    expect(run([event]).stallLimitMs).toBe(limit);
  });

  it('begins an attempt for all units or for one', () => {
    const counts = { created: 1, updated: 0, skipped: 0, failed: 0 };
    const meter = run([
      { kind: 'measure', unit: 'items', done: 1, counts },
      { kind: 'measure', unit: 'bytes', done: 50 },
      { kind: 'mean', percent: 12.5 },
    ]);
    expect(run([{ kind: 'attempt' }], meter)).toMatchObject({ tracks: [], counts: undefined, mean: undefined });
    const bytesAnew = run([{ kind: 'attempt', unit: 'bytes' }], meter);
    expect(bytesAnew).toMatchObject({ counts, mean: 12.5 });
    expect(measuresOf(bytesAnew)).toEqual([{ unit: 'items', done: 1, total: UNKNOWN }]);
    const itemsAnew = run(
      [
        { kind: 'attempt', unit: 'items' },
        { kind: 'measure', unit: 'items', done: 0 },
      ],
      meter,
    );
    expect(itemsAnew.counts).toBeUndefined();
    expect(measuresOf(itemsAnew)).toEqual([
      { unit: 'bytes', done: 50, total: UNKNOWN },
      { unit: 'items', done: 0, total: UNKNOWN },
    ]);
  });

  it('advances when a mean grows, not when it falls', () => {
    const meter = feed(newMeter(0), { kind: 'mean', percent: 30 }, 1000);
    expect(meter.lastProgressAt).toBe(1000);
    expect(feed(meter, { kind: 'mean', percent: 20 }, 2000).lastProgressAt).toBe(1000);
    expect(feed(meter, { kind: 'mean', percent: 31 }, 2000).lastProgressAt).toBe(2000);
  });

  it('names an event it does not know', () => {
    expect(() => feed(newMeter(0), { kind: 'nap' } as unknown as MeterEvent, 0)).toThrow(/meter event.*nap/);
  });
});

describe('newMeter', () => {
  const T = '2026-01-01T00:00:00Z';
  it('goes on where status says the operation was', () => {
    const counts = { created: 2, updated: 1, skipped: 0, failed: 0 };
    const measures = [{ unit: 'items', done: 3, total: exact(9) }] as const;
    const resume = { state: 'running', percent: 33, measures, stage: 'restoring', counts, startedAt: T } as const;
    const meter = newMeter(Date.parse(T) + 60_000, { ...resume, lastProgressAt: '2026-01-01T00:00:30Z' });
    expect(meter).toMatchObject({ state: 'running', shown: 33, stage: 'restoring', counts });
    expect([meter.startedAt, meter.lastProgressAt]).toEqual([Date.parse(T), Date.parse(T) + 30_000]);
    expect(measuresOf(meter)).toEqual(measures);
    expect(feed(meter, { kind: 'start' }, Date.parse(T) + 60_000)).toBe(meter);
  });

  it('takes no mean that status told already for an advance, so that a stall outlives a restart', () => {
    const resume = { state: 'running', percent: 40, measures: [], startedAt: T, lastProgressAt: T } as const;
    const meter = newMeter(Date.parse(T) + 60_000, resume);
    const fed = feed(meter, { kind: 'mean', percent: 40 }, Date.parse(T) + 60_000);
    expect(fed.lastProgressAt).toBe(Date.parse(T));
    expect(feed(fed, { kind: 'mean', percent: 41 }, Date.parse(T) + 61_000).lastProgressAt).toBe(
      Date.parse(T) + 61_000,
    );
  });

  it('takes now for times that status has not or that are none', () => {
    const meter = newMeter(5000, { state: 'running', measures: [], startedAt: 'yesterday' });
    expect([meter.startedAt, meter.lastProgressAt, meter.shown]).toEqual([5000, 5000, undefined]);
  });

  it('is fresh when the operation had not begun', () => {
    expect(newMeter(5000, { state: 'pending', percent: 3, measures: [] })).toEqual(newMeter(5000));
  });
});
