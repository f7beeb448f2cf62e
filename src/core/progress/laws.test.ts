/** The laws of the model, each as a property over any sequence of events, any numbers and any clock. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../api/meta/progress.ts';
import { rateOf } from './rate-window.ts';
import {
  estimate,
  exact,
  feed,
  fromStatusProgress,
  isTerminal,
  newMeter,
  percentOf,
  stallOf,
  takeReport,
  toStatusProgress,
  UNKNOWN,
  type Counts,
  type Meter,
  type MeterEvent,
  type Report,
  type Total,
} from './index.ts';

const T0 = Date.UTC(2026, 0, 1);

const number = fc.oneof(
  { weight: 4, arbitrary: fc.nat(200) },
  fc.constantFrom(0, 0.5, -1, 1e9, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
);
const total: fc.Arbitrary<Total> = fc.oneof(fc.constant(UNKNOWN), number.map(exact), number.map(estimate));
const unit = fc.constantFrom('items' as const, 'bytes' as const, 'phases' as const);
const counts = fc.record<Counts>({ created: fc.nat(9), updated: fc.nat(9), skipped: fc.nat(9), failed: fc.nat(9) });
const measure = fc.record(
  { kind: fc.constant('measure' as const), unit, done: number, total, counts },
  { requiredKeys: ['kind', 'unit'] },
);
const work: fc.Arbitrary<MeterEvent> = fc.oneof(
  { weight: 6, arbitrary: measure },
  fc.record({ kind: fc.constant('stage' as const), stage: fc.constantFrom(...STAGES) }),
  fc.record({ kind: fc.constant('current' as const), current: fc.string() }),
  fc.record({ kind: fc.constant('mean' as const), percent: number }),
  fc.constant({ kind: 'worked' as const }),
  fc.record({ kind: fc.constant('attempt' as const), unit }, { requiredKeys: ['kind'] }),
);
const end: fc.Arbitrary<MeterEvent> = fc.record({
  kind: fc.constant('end' as const),
  state: fc.constantFrom('completed' as const, 'partiallyFailed' as const, 'failed' as const, 'canceled' as const),
});
/** Milliseconds that pass before an event; the clock may also be set back or jump. */
const gap = fc.oneof({ weight: 8, arbitrary: fc.nat(30_000) }, fc.constantFrom(0, -1, -3_600_000, 86_400_000));

interface Moment {
  before: Meter;
  after: Meter;
  report: Report;
  previous: Report | undefined;
  event: MeterEvent;
  now: number;
}

/** `kill` makes another process continue from what status contains, as after a crash. */
interface Happening {
  event: MeterEvent;
  gap: number;
  kill: boolean;
}
const anyLife: fc.Arbitrary<Happening[]> = fc.array(fc.record({ event: work, gap, kill: fc.boolean() }), {
  maxLength: 40,
});
/** Work that really advances, with something unexpected now and then: the only pattern that earns an ETA. */
const busyLife: fc.Arbitrary<Happening[]> = fc
  .array(
    fc.record({
      unit: fc.constantFrom('items' as const, 'bytes' as const),
      by: fc.nat(20),
      gap: fc.nat(6000),
      odd: fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, work),
      kill: fc.nat(30).map((n) => n === 0),
    }),
    { minLength: 10, maxLength: 40 },
  )
  .map((steps) => {
    const done = { items: 0, bytes: 0 };
    return steps.map((step) => {
      done[step.unit] += step.by;
      const advance = { kind: 'measure', unit: step.unit, done: done[step.unit], total: exact(500) } as const;
      return { event: step.odd ?? advance, gap: step.gap, kill: step.kill };
    });
  });
const life = fc.oneof(anyLife, busyLife);

function live(events: readonly Happening[], last: MeterEvent = { kind: 'worked' }): Moment[] {
  let now = T0;
  let meter = feed(newMeter(now), { kind: 'start' }, now);
  let previous: Report | undefined;
  const moments: Moment[] = [];
  for (const step of [...events, { event: last, gap: 1, kill: false }]) {
    now += step.gap;
    if (step.kill && previous !== undefined) meter = restart(previous, now);
    const before = meter;
    const after = feed(before, step.event, now);
    const taken = takeReport(after, now);
    moments.push({ before, after, report: taken.report, previous, event: step.event, now });
    meter = taken.meter;
    previous = taken.report;
  }
  return moments;
}

function restart(published: Report, now: number): Meter {
  const status = JSON.parse(JSON.stringify(toStatusProgress(published))) as Record<string, unknown>;
  const items = published.measures.find((one) => one.unit === 'items');
  const { state, startedAt } = published;
  const known = { state, ...(items !== undefined && { items }), ...(startedAt !== undefined && { startedAt }) };
  return newMeter(now, fromStatusProgress(status, known));
}

function everyMoment(check: (moment: Moment) => void): void {
  fc.assert(
    fc.property(life, end, (events, last) => {
      for (const moment of live(events, last)) check(moment);
    }),
    { numRuns: 300 },
  );
}

const doneOf = (meter: Meter, of: string): number =>
  meter.tracks.find((track) => track.measure.unit === of)?.measure.done ?? 0;

describe('the laws', () => {
  it('1: the percent is whole, from 0 to 100, and never falls: not when totals grow, attempts restart or we are killed', () => {
    everyMoment(({ report, previous }) => {
      const { percent } = report;
      if (percent !== undefined) expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
      if (previous?.percent !== undefined) expect(percent).toBeGreaterThanOrEqual(previous.percent);
    });
  });

  it('1, 2: the mean with two decimals agrees with the whole one, never falls, and is 100 only with success', () => {
    everyMoment(({ report, previous }) => {
      const { exactPercent, percent, state } = report;
      if (exactPercent === undefined) return;
      expect(Math.floor(exactPercent)).toBe(percent);
      expect(exactPercent === 100).toBe(state === 'completed');
      if (previous?.percent !== undefined) expect(exactPercent).toBeGreaterThanOrEqual(previous.percent);
    });
  });

  it('1: counts are safe numbers and monotone within an attempt', () => {
    everyMoment(({ before, after, event }) => {
      for (const { measure: one } of after.tracks) {
        expect(Number.isSafeInteger(one.done) && one.done >= 0).toBe(true);
        if (event.kind !== 'attempt') expect(one.done).toBeGreaterThanOrEqual(doneOf(before, one.unit));
      }
    });
  });

  it('2: 100 is shown with success and only with it', () => {
    everyMoment(({ report }) => {
      expect(report.percent === 100).toBe(report.state === 'completed');
    });
  });

  it('2: an end that is no success keeps the percent that its counts have reached', () => {
    everyMoment(({ before, report }) => {
      if (!isTerminal(report.state) || report.state === 'completed') return;
      expect(report.percent).toBe(takeReport(before, T0).report.percent);
    });
  });

  it('3: an unknown total gives no ETA and no new percent, but its count stays', () => {
    everyMoment(({ after, report, previous }) => {
      const unknown = report.measures.filter((one) => one.total.kind === 'unknown');
      if (unknown.length === 0 || after.mean !== undefined || isTerminal(report.state)) return;
      expect(report.etaSeconds).toBeUndefined();
      expect(report.percent).toBe(previous?.percent);
      for (const one of unknown) expect(one.done).toBe(doneOf(after, one.unit));
    });
  });

  it('7: lastProgressAt moves only when work advanced, and then to now', () => {
    everyMoment(({ before, after, event, report, now }) => {
      expect(Date.parse(String(report.lastProgressAt))).toBe(Math.min(after.lastProgressAt, now));
      const hasAdvanced =
        event.kind === 'worked' ||
        (event.kind === 'stage' && event.stage !== before.stage) ||
        // What another process has already shown is not progress of this one.
        (event.kind === 'mean' && (after.mean ?? 0) > (before.mean ?? before.shownExact ?? before.shown ?? 0)) ||
        (event.kind === 'measure' && doneOf(after, event.unit) > doneOf(before, event.unit));
      expect(after.lastProgressAt).toBe(hasAdvanced ? now : before.lastProgressAt);
    });
  });

  it('7: stalled is exactly: running, and no advance for the limit; any advance clears it', () => {
    everyMoment(({ after, report, now }) => {
      const isIdle = now - after.lastProgressAt >= after.stallLimitMs;
      expect(report.stalled !== undefined).toBe(report.state === 'running' && isIdle);
      expect(stallOf(feed(after, { kind: 'worked' }, now), now)).toBeUndefined();
    });
  });

  it('8: an ETA is positive, rests on 3 samples and 5 s of every unfinished measure, and is absent while stalled', () => {
    let seen = 0;
    everyMoment(({ after, report, now }) => {
      if (report.etaSeconds === undefined) return;
      seen += 1;
      expect(Number.isInteger(report.etaSeconds) && report.etaSeconds > 0).toBe(true);
      expect(report.stalled).toBeUndefined();
      for (const { measure: one, window } of after.tracks.filter((track) => percentOf(track.measure) !== 100)) {
        const rate = rateOf(window, now);
        expect(rate?.samples).toBeGreaterThanOrEqual(3);
        expect(rate?.spanSeconds).toBeGreaterThanOrEqual(5);
        expect(one.total.kind).not.toBe('unknown');
      }
    });
    expect(seen).toBeGreaterThan(100);
  });

  it('8: at a steady rate the ETA is right to a second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 6, max: 200 }), (perSecond, seconds) => {
        const all = perSecond * 400;
        let meter = feed(newMeter(T0), { kind: 'start' }, T0);
        meter = feed(meter, { kind: 'measure', unit: 'items', done: 0, total: exact(all) }, T0);
        for (let s = 1; s <= seconds; s += 1) {
          meter = feed(meter, { kind: 'measure', unit: 'items', done: perSecond * s }, T0 + s * 1000);
        }
        const { report } = takeReport(meter, T0 + seconds * 1000);
        // The newest bucket has just begun, which may count one second of work twice in a full window.
        expect(Math.abs(Number(report.etaSeconds) - (400 - seconds))).toBeLessThanOrEqual(1 + (400 - seconds) * 0.02);
      }),
    );
  });

  it('9: every stage shows in the report the moment it begins', () => {
    everyMoment(({ before, event, report, now }) => {
      if (event.kind !== 'stage') return;
      expect(report.stage).toBe(event.stage);
      if (event.stage !== before.stage) expect(Date.parse(String(report.lastProgressAt))).toBe(now);
    });
  });

  it('10: without a mean, a fresh operation shows the smallest percent of its measures', () => {
    fc.assert(
      fc.property(fc.array(measure), (events) => {
        const meter = events.reduce<Meter>(
          (at, event) => feed(at, event, T0),
          feed(newMeter(T0), { kind: 'start' }, T0),
        );
        const percents = meter.tracks.map((track) => percentOf(track.measure));
        const isKnown = percents.length > 0 && !percents.includes(undefined);
        const expected = isKnown ? Math.min(99, ...percents.map(Number)) : undefined;
        expect(takeReport(meter, T0).report.percent).toBe(expected);
      }),
    );
  });

  it('a report that is written, killed and read back says the same', () => {
    everyMoment(({ after, report, now }) => {
      // Phases and their mean are in other fields of status, which their engine reads back.
      const hasPhases = after.mean !== undefined || report.measures.some((one) => one.unit === 'phases');
      if (report.state !== 'running' || hasPhases) return;
      const again = takeReport(restart(report, now), now).report;
      expect(toStatusProgress({ ...again, ratePerSecond: 0, etaSeconds: 0, current: '' })).toEqual(
        toStatusProgress({ ...report, ratePerSecond: 0, etaSeconds: 0, current: '' }),
      );
    });
  });
});
