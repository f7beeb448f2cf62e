import type { Stage } from '../../api/meta/stages.ts';
import { assertNever } from '../../base/index.ts';
import { addMeasures, wholePercent } from './combine.ts';
import type { Counts } from './counting.ts';
import { exactPercent } from './exact-percent.ts';
import { cleanMeasure, UNKNOWN, wholeCount, type Measure, type Total, type Unit } from './measure.ts';
import { recordDone, startWindow, type RateWindow } from './rate-window.ts';
import { STALL_LIMIT_MS } from './stall.ts';
import { isTerminal, type OperationState, type TerminalState } from './state.ts';

export interface Track {
  readonly measure: Measure;
  readonly window: RateWindow;
  /** All that is left of it waits for another measure, such as items for the bytes of volumes. */
  readonly waitsFor?: Unit | undefined;
}

/** Everything known about a running operation. Immutable: `feed` returns the next one. */
export interface Meter {
  readonly state: OperationState;
  readonly tracks: readonly Track[];
  readonly stallLimitMs: number;
  readonly stage?: string | undefined;
  readonly current?: string | undefined;
  readonly counts?: Counts | undefined;
  /** The mean of the phases with two decimals, for engines whose percent is one (law 10). */
  readonly mean?: number | undefined;
  /** The highest percent that anybody may have seen. */
  readonly shown?: number | undefined;
  /** The same with two decimals; only of a mean. */
  readonly shownExact?: number | undefined;
  readonly startedAt?: number | undefined;
  readonly lastProgressAt: number;
}

/** What status says about an operation that another process began; a Report is one. */
export interface Resume {
  state: OperationState;
  percent?: number;
  exactPercent?: number;
  measures: readonly Measure[];
  stage?: string;
  counts?: Counts;
  startedAt?: string;
  lastProgressAt?: string;
}

/**
 * With `resume` the operation continues where status says it was: counts continue from there (feed `attempt` if the
 * work itself starts over), and the percent never falls below the one people have seen.
 */
export function newMeter(now: number, resume?: Resume): Meter {
  const fresh: Meter = { state: 'pending', tracks: [], stallLimitMs: STALL_LIMIT_MS, lastProgressAt: now };
  if (resume === undefined || resume.state === 'pending') return fresh;
  return {
    ...fresh,
    state: resume.state,
    tracks: addMeasures(resume.measures).map((measure) => ({ measure, window: startWindow(measure.done, now) })),
    stage: resume.stage,
    counts: resume.counts,
    shown: resume.percent === undefined ? undefined : wholePercent(resume.percent),
    shownExact: resume.exactPercent === undefined ? undefined : exactPercent(resume.exactPercent),
    startedAt: parseTime(resume.startedAt) ?? now,
    lastProgressAt: parseTime(resume.lastProgressAt) ?? now,
  };
}

function parseTime(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

export type MeterEvent =
  | { kind: 'start' }
  /** Work moved to another stage, which may be idle for longer than the default limit. */
  | { kind: 'stage'; stage: Stage; stallLimitMs?: number }
  /** What is being worked on now; this alone is not progress. */
  | { kind: 'current'; current: string }
  /**
   * The total progress of a unit since the attempt began (not the increment), and its total if that changed. With
   * `waitsFor` nothing more of it comes before another unit is done.
   */
  | { kind: 'measure'; unit: Unit; done?: number; total?: Total; counts?: Counts; waitsFor?: Unit | undefined }
  /**
   * The percent of an engine that has phases instead of a total; feed it before its first report, also after a restart.
   */
  | { kind: 'mean'; percent: number }
  /** Work advanced that no measure counts, such as a page that was listed. */
  | { kind: 'worked' }
  /** Work starts over: the counts of one unit, or of all, restart at 0; the percent stays. */
  | { kind: 'attempt'; unit?: Unit }
  | { kind: 'end'; state: TerminalState };

/** Late events do not change an operation that has ended. */
export function feed(meter: Meter, event: MeterEvent, now: number): Meter {
  if (isTerminal(meter.state)) return meter;
  switch (event.kind) {
    case 'start':
      if (meter.state === 'running') return meter;
      return { ...meter, state: 'running', startedAt: now, lastProgressAt: now };
    case 'stage':
      return enterStage(meter, event, now);
    case 'current':
      return { ...meter, current: event.current };
    case 'measure':
      return measured(meter, event, now);
    case 'mean':
      return averaged(meter, exactPercent(event.percent), now);
    case 'worked':
      return { ...meter, lastProgressAt: now };
    case 'attempt':
      return beginAttempt(meter, event.unit);
    case 'end':
      // Where it stopped only matters if it did not complete.
      return { ...meter, state: event.state, current: event.state === 'completed' ? undefined : meter.current };
    default:
      return assertNever(event, 'meter event');
  }
}

function averaged(meter: Meter, mean: number, now: number): Meter {
  // After a restart the first event only repeats what people have seen.
  const had = meter.mean ?? meter.shownExact ?? meter.shown ?? 0;
  return { ...meter, mean, lastProgressAt: mean > had ? now : meter.lastProgressAt };
}

function enterStage(meter: Meter, event: MeterEvent & { kind: 'stage' }, now: number): Meter {
  const limit = event.stallLimitMs ?? STALL_LIMIT_MS;
  const stallLimitMs = limit > 0 ? limit : STALL_LIMIT_MS;
  if (event.stage === meter.stage) return { ...meter, stallLimitMs };
  // Another stage has another speed: earlier measurements say nothing about it.
  const tracks = meter.tracks.map(({ measure }) => ({ measure, window: startWindow(measure.done, now) }));
  return { ...meter, stage: event.stage, current: undefined, tracks, stallLimitMs, lastProgressAt: now };
}

function measured(meter: Meter, event: MeterEvent & { kind: 'measure' }, now: number): Meter {
  const before = meter.tracks.find((track) => track.measure.unit === event.unit);
  const had = before?.measure.done ?? 0;
  // A smaller or invalid count within an attempt is an old message or a parser's mistake.
  const done = Math.max(had, wholeCount(event.done ?? had) ?? had);
  const total = event.total ?? before?.measure.total ?? UNKNOWN;
  const { waitsFor } = event;
  // How long it waited says nothing about how fast it is.
  const isFreed = before?.waitsFor !== undefined && waitsFor === undefined;
  const track: Track = {
    measure: cleanMeasure({ unit: event.unit, done, total }),
    window: before === undefined || isFreed ? startWindow(done, now) : recordDone(before.window, done, now),
    waitsFor,
  };
  return {
    ...meter,
    tracks: before === undefined ? [...meter.tracks, track] : meter.tracks.with(meter.tracks.indexOf(before), track),
    counts: event.counts ?? meter.counts,
    lastProgressAt: done > had ? now : meter.lastProgressAt,
  };
}

function beginAttempt(meter: Meter, unit: Unit | undefined): Meter {
  if (unit === undefined) return { ...meter, tracks: [], counts: undefined, mean: undefined };
  const counts = unit === 'items' ? undefined : meter.counts;
  return { ...meter, counts, tracks: meter.tracks.filter((track) => track.measure.unit !== unit) };
}
