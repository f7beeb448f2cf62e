import { wholePercent } from './combine.ts';
import type { Counts } from './counting.ts';
import { estimate, exact, UNKNOWN, wholeCount, type Measure, type Total } from './measure.ts';
import { present } from './present.ts';
import type { Report } from './report.ts';
import type { OperationState } from './state.ts';

/**
 * What Headway adds to `status.progress` of every kind; the item fields beside it are upstream's and differ by kind.
 */
export interface StatusProgress {
  percent?: number;
  stage?: string;
  current?: string;
  bytesDone?: number;
  totalBytes?: number;
  ratePerSecond?: number;
  etaSeconds?: number;
  lastProgressTime?: string;
  created?: number;
  updated?: number;
  skipped?: number;
  failed?: number;
}

/** Complete: a field that is not in it, such as an ETA or a total, must be removed from status. */
export function toStatusProgress(report: Report): StatusProgress {
  const bytes = report.measures.find((measure) => measure.unit === 'bytes');
  return present({
    percent: report.percent,
    stage: report.stage,
    current: report.current,
    bytesDone: bytes?.done,
    totalBytes: bytes === undefined || bytes.total.kind === 'unknown' ? undefined : bytes.total.value,
    ratePerSecond: report.ratePerSecond,
    etaSeconds: report.etaSeconds,
    lastProgressTime: report.lastProgressAt === undefined ? undefined : wholeSeconds(report.lastProgressAt),
    ...report.counts,
  });
}

/** What the adapter of a kind knows besides our own fields. */
export interface KnownFacts {
  state: OperationState;
  /** From upstream's fields, such as itemsRestored and totalItems. */
  items?: Measure;
  startedAt?: string;
}

/** Reads any status, even one that another program wrote: missing fields and fields of the wrong type are left out. */
export function fromStatusProgress(progress: Readonly<Record<string, unknown>>, known: KnownFacts): Report {
  const measures = [known.items, bytesOf(progress, known.state)].filter((measure) => measure !== undefined);
  const isRunning = known.state === 'running';
  return present({
    state: known.state,
    percent: readPercent(progress.percent, known.state),
    measures,
    stage: readText(progress.stage),
    current: readText(progress.current),
    ratePerSecond: isRunning ? readNumber(progress.ratePerSecond) : undefined,
    etaSeconds: isRunning ? readCount(progress.etaSeconds) : undefined,
    startedAt: known.startedAt,
    lastProgressAt: readText(progress.lastProgressTime),
    counts: countsOf(progress),
    children: [],
  });
}

/** Law 2 also holds for what is read, whoever wrote it. */
function readPercent(value: unknown, state: OperationState): number | undefined {
  if (state === 'completed') return 100;
  const percent = readNumber(value);
  return percent === undefined ? undefined : Math.min(99, wholePercent(percent));
}

function bytesOf(progress: Readonly<Record<string, unknown>>, state: OperationState): Measure | undefined {
  const done = readCount(progress.bytesDone);
  const total = readCount(progress.totalBytes);
  if (done === undefined && total === undefined) return undefined;
  return { unit: 'bytes', done: done ?? 0, total: totalOf(total, state) };
}

// The wire format does not say whether a total was counted or estimated; while work is running, assume an estimate.
function totalOf(value: number | undefined, state: OperationState): Total {
  if (value === undefined) return UNKNOWN;
  return state === 'completed' ? exact(value) : estimate(value);
}

function countsOf(progress: Readonly<Record<string, unknown>>): Counts | undefined {
  const [created, updated, skipped, failed] = ['created', 'updated', 'skipped', 'failed'].map((name) =>
    readCount(progress[name]),
  );
  if ((created ?? updated ?? skipped ?? failed) === undefined) return undefined;
  return { created: created ?? 0, updated: updated ?? 0, skipped: skipped ?? 0, failed: failed ?? 0 };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

/** int64 fields beyond 2^53 arrive as bigint. */
function readCount(value: unknown): number | undefined {
  const number = readNumber(typeof value === 'bigint' ? Number(value) : value);
  return number === undefined ? undefined : wholeCount(number);
}

/** Kubernetes times have whole seconds. */
function wholeSeconds(iso: string): string {
  return iso.replace(/\.\d+Z$/, 'Z');
}
