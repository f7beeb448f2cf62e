import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/index.ts';
import {
  cleanMeasure,
  exact,
  exactPercent,
  fromStatusProgress,
  isTerminal,
  present,
  smallestPercent,
  wholePercent,
  type Measure,
  type Report,
  type Waiting,
} from '../progress/index.ts';
import type { Adapted } from './adapter.ts';
import { reportAt } from './at-moment.ts';
import { TURN_CONDITIONS } from './problems.ts';
import { trueCondition, trueConditions } from './status-values.ts';

export interface ReadAt {
  now: number;
  createdAt: string;
}

/** How far it is, from Headway's own fields where they are there, else from what upstream tells. */
export function readReport(status: JsonObject, adapted: Adapted, { now, createdAt }: ReadAt): Report {
  const told = toldReport(status, adapted, createdAt);
  const { state } = told;
  const report = hasGoneThrough(state) ? { ...told, measures: told.measures.map(withoutEstimate) } : told;
  if (isTerminal(state) && state !== 'completed' && hasAchievedNothing(report)) return omitPercent(report);
  const stalled = state === 'running' ? stalledOf(status, report, now) : undefined;
  return stalled === undefined ? reportAt(report, now) : { ...report, stalled };
}

function toldReport(status: JsonObject, adapted: Adapted, createdAt: string): Report {
  const { state, startedAt = textAt(status, 'startTimestamp') } = adapted;
  const waits =
    state === 'running' ? readWaits(status) : state === 'pending' ? pendingWaits(status, adapted, createdAt) : [];
  const own = fromStatusProgress(objectAt(status, 'progress'), present({ state, startedAt }));
  const hasBytes = adapted.measures.some(({ unit }) => unit === 'bytes');
  // A total that is smaller than what is done was none.
  const measures = [...adapted.measures, ...(hasBytes ? [] : own.measures)].map(cleanMeasure);
  return {
    ...own,
    ...present({
      measures,
      current: own.current ?? (state === 'running' ? adapted.current : undefined),
      percent: own.percent ?? upstreamPercent(adapted, measures),
      exactPercent: adapted.isExact === true ? exactOf(adapted) : undefined,
    }),
    ...(waits.length === 0 ? {} : { waits }),
  };
}

/** What upstream's own programs tell, held to the same laws: an unknown total gives none, and 100 is success. */
function upstreamPercent({ state, percent }: Adapted, measures: readonly Measure[]): number | undefined {
  if (state === 'pending') return undefined;
  // How many phases are behind says nothing about how far the running one is.
  const counted = measures.some(({ unit }) => unit === 'phases') ? [] : measures;
  const told = percent === undefined ? smallestPercent(counted) : wholePercent(percent);
  return told === undefined ? undefined : Math.min(99, told);
}

function exactOf({ state, percent }: Adapted): number | undefined {
  if (state === 'completed') return 100;
  return percent === undefined || state === 'pending' ? undefined : Math.min(99.99, exactPercent(percent));
}

/** 99 % beside a restore of which nothing is there would say the opposite of what is so. */
function hasAchievedNothing({ measures, counts }: Report): boolean {
  const items = measures.find(({ unit }) => unit === 'items');
  return items !== undefined && items.done <= (counts?.failed ?? 0);
}

function omitPercent({ percent: _, exactPercent: __, ...report }: Report): Report {
  return report;
}

function readWaits(status: JsonObject): Waiting[] {
  return objectsAt(status, 'waits').flatMap((entry) => {
    const [cause, since] = [textAt(entry, 'cause'), textAt(entry, 'since')];
    return cause === undefined || since === undefined ? [] : [{ cause, since }];
  });
}

function pendingWaits(status: JsonObject, { waitsFor }: Adapted, since: string): Waiting[] {
  const waits = turnWaits(status);
  return waits.length > 0 || waitsFor === undefined ? waits : [{ cause: waitsFor, since }];
}

/** What one that has not begun waits for: the conditions that the controllers write while it is not its turn. */
function turnWaits(status: JsonObject): Waiting[] {
  return trueConditions(status).flatMap((each) => {
    if (!TURN_CONDITIONS.includes(textAt(each, 'type') ?? '')) return [];
    const [cause, since] = [textAt(each, 'message'), textAt(each, 'lastTransitionTime')];
    return cause === undefined || since === undefined ? [] : [{ cause, since }];
  });
}

function hasGoneThrough(state: Report['state']): boolean {
  return state === 'completed' || state === 'partiallyFailed';
}

/** At the end, what was done is what there was to do. */
function withoutEstimate(measure: Measure): Measure {
  return measure.total.kind === 'estimate' ? { ...measure, total: exact(measure.total.value) } : measure;
}

function stalledOf(status: JsonObject, report: Report, now: number): Report['stalled'] {
  const condition = trueCondition(status, 'Stalled');
  if (condition === undefined) return undefined;
  const since = Date.parse(report.lastProgressAt ?? textAt(condition, 'lastTransitionTime') ?? '');
  // The condition's message is the cause and the hint; OperationRun writes it.
  const message = textAt(condition, 'message') ?? '';
  const cut = message.lastIndexOf('; ');
  return {
    sinceSeconds: Number.isNaN(since) ? 0 : Math.max(0, Math.floor((now - since) / 1000)),
    cause: cut < 0 ? message : message.slice(0, cut),
    hint: cut < 0 ? '' : message.slice(cut + 2),
  };
}
