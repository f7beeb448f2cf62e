import type { ObjectRef } from '../../base/index.ts';
import { smallestPercent, wholePercent } from './combine.ts';
import type { Counts } from './counting.ts';
import { measureEta, operationEta } from './eta.ts';
import { percentOf, type Measure, type Unit } from './measure.ts';
import type { Meter } from './meter.ts';
import type { Step } from './pipeline.ts';
import { present } from './present.ts';
import { rateOf, type Rate } from './rate-window.ts';
import { NO_DIAGNOSIS, stalledSeconds, type Diagnosis, type Stalled } from './stall.ts';
import type { OperationState } from './state.ts';

/** The one shape behind every kind, the page, the terminal and the metrics. */
export interface Report {
  state: OperationState;
  /** Whole, rounded down; at most 99 until the operation has completed; absent until a total was known. */
  percent?: number;
  /**
   * The mean of the phases with two decimals, cut off, for kinds that publish it so (ActionSet: `43.33`); at most 99.99
   * until the operation has completed. `percent` is the same, whole.
   */
  exactPercent?: number;
  measures: Measure[];
  stage?: string;
  current?: string;
  /** Bytes per second if bytes are counted, else items per second; three digits, more would be noise. */
  ratePerSecond?: number;
  etaSeconds?: number;
  startedAt?: string;
  lastProgressAt?: string;
  stalled?: Stalled;
  /** Everything that it waits for, oldest first. */
  waits?: Waiting[];
  counts?: Counts;
  /** The steps of an operation that has them. */
  pipeline?: Step[];
  children: ChildReport[];
}

export interface Waiting {
  cause: string;
  /** RFC 3339. */
  since: string;
}

export interface ChildReport {
  ref: ObjectRef;
  report: Report;
}

export interface ReportExtras {
  children?: readonly ChildReport[];
  pipeline?: readonly Step[];
  waits?: readonly Waiting[];
  /** Shown only while the operation is stalled. */
  diagnosis?: Diagnosis;
}

/**
 * The current report, and the meter that remembers its percent as seen: take a report only to show it, because later
 * ones will not show less.
 */
export function takeReport(fed: Meter, now: number, extras: ReportExtras = {}): { meter: Meter; report: Report } {
  const percent = percentToShow(fed);
  // A clock that was set back, or another machine's, must not hide a stall until it has caught up.
  const exact = exactToShow(fed);
  const lastProgressAt = Math.min(fed.lastProgressAt, now);
  const meter: Meter = { ...fed, shown: percent, shownExact: exact ?? fed.shownExact, lastProgressAt };
  const sinceSeconds = stallOf(meter, now);
  const rates = ratesOf(meter, now);
  const hasEta = sinceSeconds === undefined && meter.mean === undefined;
  const report: Report = present({
    state: meter.state,
    percent,
    exactPercent: exact,
    measures: meter.tracks.map((track) => track.measure),
    stage: meter.stage,
    current: meter.current,
    ratePerSecond: shownRate(rates),
    etaSeconds: hasEta ? etaOf(rates) : undefined,
    startedAt: meter.startedAt === undefined ? undefined : isoTime(meter.startedAt),
    lastProgressAt: meter.startedAt === undefined ? undefined : isoTime(meter.lastProgressAt),
    stalled: sinceSeconds === undefined ? undefined : { sinceSeconds, ...(extras.diagnosis ?? NO_DIAGNOSIS) },
    waits: someOf(extras.waits),
    counts: meter.counts,
    pipeline: someOf(extras.pipeline),
    children: [...(extras.children ?? [])],
  });
  return { meter, report };
}

/** An empty list is left out. */
function someOf<T>(list: readonly T[] | undefined): T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : [...list];
}

/** How many seconds the operation has been stalled: time to ask the cluster why. */
export function stallOf(meter: Meter, now: number): number | undefined {
  return meter.state === 'running' ? stalledSeconds(meter.lastProgressAt, now, meter.stallLimitMs) : undefined;
}

/** Laws 1 to 3: never less than was seen, 100 only with success, and nothing new from an unknown total. */
function percentToShow(meter: Meter): number | undefined {
  if (meter.state === 'completed') return 100;
  const { mean, tracks } = meter;
  const fresh = mean === undefined ? smallestPercent(tracks.map((track) => track.measure)) : wholePercent(mean);
  if (fresh === undefined && meter.shown === undefined) return undefined;
  return Math.min(99, Math.max(fresh ?? 0, meter.shown ?? 0));
}

/** The same laws for the mean with two decimals. */
function exactToShow({ state, mean, shown, shownExact }: Meter): number | undefined {
  if (mean === undefined) return undefined;
  return state === 'completed' ? 100 : Math.min(99.99, Math.max(mean, shown ?? 0, shownExact ?? 0));
}

interface MeasureRate {
  measure: Measure;
  rate: Rate | undefined;
  waitsFor: Unit | undefined;
}

/** Only running work has a speed. Phases have none: how fast the last ones went says nothing about the next. */
function ratesOf(meter: Meter, now: number): MeasureRate[] {
  return meter.tracks.map(({ measure, window, waitsFor }) => ({
    measure,
    waitsFor,
    rate: meter.state === 'running' && measure.unit !== 'phases' ? rateOf(window, now) : undefined,
  }));
}

function shownRate(rates: readonly MeasureRate[]): number | undefined {
  const ofUnit = (unit: Unit): MeasureRate | undefined => rates.find((entry) => entry.measure.unit === unit);
  const rate = (ofUnit('bytes') ?? ofUnit('items'))?.rate;
  return rate === undefined ? undefined : Number(rate.perSecond.toPrecision(3));
}

/** What waits for another measure adds nothing to its time, and has no speed that would tell of one. */
function etaOf(rates: readonly MeasureRate[]): number | undefined {
  const isOpen = (unit: Unit): boolean =>
    rates.some(({ measure }) => measure.unit === unit && percentOf(measure) !== 100);
  const own = rates.filter(({ waitsFor }) => waitsFor === undefined || !isOpen(waitsFor));
  return operationEta(own.map(({ measure, rate }) => measureEta(measure, rate)));
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
