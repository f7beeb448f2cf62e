import { cleanText, formatCount, formatDuration } from '../../base/index.ts';
import { isTerminal, type Measure, type Report } from '../../core/progress/index.ts';
import { dataGap, operationTitle, type Operation, type OperationCounts } from '../../core/operations/index.ts';
import { formatBar, formatMeasure, formatRate, NONE, slowestMeasure, stepText } from './measures.ts';
import { stateOf } from './state.ts';
import { treeRows, type TreeRow } from './tree-rows.ts';

/** The widest that leaves room for names of usual length; longer ones are shortened, so that one keeps the others' layout. */
const BARS = [14, 8, 0];
const USUAL_NAME = 24;
/** Below this other things are left out, and below that the name is cut off by the edge. */
const MIN_NAME = 16;
const LEAST_NAME = 10;
/** The amount has none: it stands beside the percent, as a part of the progress. */
const HEADINGS = ['STATE', '', 'RATE', 'LEFT'];
/** Which of them there are; what is done already goes before how fast, and that before how long yet. */
const CHOICES = [[0, 1, 2, 3], [0, 2, 3], [0, 3], [0]];
const DONE = ' 100 %'.length;
const GAP = '  ';
const QUIET_SECONDS = 5;
/** Whoever names a volume may use more than fits into a line. */
const MAX_TITLE = 253;

export interface TreeOptions {
  columns: number;
  now: number;
  /** What tells apart operations of the same name. */
  where?: Where;
  /** They are parts of an operation that is shown already. */
  areParts?: boolean;
}

/** Which of its coordinates an operation is shown with. */
export interface Where {
  cluster?: boolean;
  namespace?: boolean;
}

/** Operations as a tree with its parts indented. */
export function treeLines(
  operations: readonly Operation[],
  { columns, now, where = {}, areParts = false }: TreeOptions,
): string[] {
  const rows = treeRows(operations).map((row) => ({ ...row, isPart: row.isPart || areParts }));
  if (rows.length === 0) return [];
  const titles = Map.groupBy(rows, ({ operation }) => operation && operationTitle(operation));
  const names = rows.map((row) => nameOf(row, (title) => (titles.get(title)?.length ?? 0) > 1));
  const cells = rows.map(({ operation }) => (operation === undefined ? [] : cellsOf(operation, where)));
  const headings = [...whereHeadings(where), ...HEADINGS];
  const shown = columnsFor(columns, headings, cells);
  const nameNeeds = widest(['NAME', ...names.filter((_, at) => rows[at]?.more === undefined)]);
  const room = columns - 1 - restOf(shown);
  const bar = BARS.find((width) => Math.min(nameNeeds, USUAL_NAME) + width <= room) ?? 0;
  const name = Math.max(LEAST_NAME, Math.min(nameNeeds, room - bar));
  const before = whereHeadings(where).length + 1;
  const line = (first: string, progress: string, row: readonly string[]): string => {
    const others = shown.map(({ at, width }) => (row[at] ?? '').padEnd(width));
    const parts = [...others.slice(0, before), progress.padEnd(bar + DONE), ...others.slice(before)];
    return [cut(first, name).padEnd(name), ...parts].join(GAP).trimEnd();
  };
  return [
    line('NAME', bar === 0 ? ' DONE' : 'PROGRESS', headings),
    ...rows.flatMap((row, at) => {
      const { operation } = row;
      if (operation === undefined) return [names[at] ?? ''];
      return [
        line(names[at] ?? '', progressOf(operation, bar), cells[at] ?? []),
        ...rowNotes(row, operation, now).map((note) => `${row.below}│ ${note}`),
      ];
    }),
  ];
}

function nameOf({ operation, more = '', branch, isPart }: TreeRow, isAmbiguous: (title: string) => boolean): string {
  if (operation === undefined) return `${branch}${more}`;
  const title = isPart ? partTitle(operation, isAmbiguous) : fullTitle(operation);
  return `${branch}${stateOf(operation).sign} ${title}`;
}

/** Claims of equal names are told apart by their namespaces. */
function partTitle(operation: Operation, isAmbiguous: (title: string) => boolean): string {
  const title = operationTitle(operation);
  const { claim } = operation.facts;
  return claim !== undefined && isAmbiguous(title) ? `${operation.noun}/${claim}` : title;
}

/** With the name of its record, where the title is that of a claim and nothing above it tells whose copy it is. */
function fullTitle(operation: Operation): string {
  const { facts, ref } = operation;
  const title = operationTitle(operation);
  if (facts.volume === undefined || facts.volume === ref.name) return title;
  return `${cleanText(title, MAX_TITLE)} (${ref.name})`;
}

function whereHeadings({ cluster, namespace }: Where): string[] {
  return [...(cluster === true ? ['CLUSTER'] : []), ...(namespace === true ? ['NAMESPACE'] : [])];
}

function whereCells({ cluster, ref }: Operation, where: Where): string[] {
  return [...(where.cluster === true ? [cluster] : []), ...(where.namespace === true ? [ref.namespace ?? NONE] : [])];
}

interface Column {
  /** Where its cell stands in a row. */
  at: number;
  width: number;
}

/** As many columns as leave room for a name. */
function columnsFor(columns: number, headings: readonly string[], cells: readonly (readonly string[])[]): Column[] {
  const widths = headings.map((heading, at) => widest([heading, ...cells.map((row) => row[at] ?? '')]));
  const before = headings.length - HEADINGS.length;
  const where = widths.slice(0, before).map((width, at) => ({ at, width }));
  const choices = CHOICES.map((choice) => [
    ...where,
    ...choice.map((at) => ({ at: before + at, width: widths[before + at] ?? 0 })),
  ]);
  return choices.find((choice) => columns - 1 - restOf(choice) >= MIN_NAME) ?? choices.at(-1) ?? [];
}

/** What a line needs besides the name and the bar. */
function restOf(shown: readonly Column[]): number {
  return shown.reduce((sum, { width }) => sum + width + GAP.length, DONE + GAP.length);
}

/** One line for a log: everything that a row and its notes tell. */
export function plainLine(operation: Operation, now: number, where: Where = {}): string {
  const { report, sentence } = operation;
  const { sign, word } = stateOf(operation);
  const step = stepText(operation, { isNamed: true });
  const parts = [
    `${sign} ${fullTitle(operation)}`,
    ...whereCells(operation, where),
    word,
    report.percent === undefined ? '' : `${String(report.percent)} %`,
    step ?? '',
    measuresBeside(step, report).map(formatMeasure).join(', '),
    formatRate(report) ?? '',
    report.etaSeconds === undefined ? '' : `${formatDuration(report.etaSeconds)} left`,
    // The phase of an action is its step as well.
    ...(sentence === undefined ? notesOf(operation, now).filter((note) => note !== operation.step?.name) : [sentence]),
  ];
  return parts.filter((part) => part !== '').join(GAP);
}

/** How many phases are done says nothing that the step does not say. */
function measuresBeside(step: string | undefined, { measures }: Report): Measure[] {
  return step === undefined ? measures : measures.filter(({ unit }) => unit !== 'phases');
}

/** `12 completed, 3 running`: of all that there is, in the order of their urgency. */
export function countsLine({ stalled, ...states }: OperationCounts): string {
  const words = { running: 'running', pending: 'pending', failed: 'failed', partiallyFailed: 'partially failed' };
  const order = { ...words, canceled: 'canceled', completed: 'completed' } as const;
  const told = Object.entries(order).flatMap(([state, word]) => {
    const count = states[state as keyof typeof states];
    return count === 0 ? [] : [`${formatCount(count)} ${word}`];
  });
  return [...told, ...(stalled === 0 ? [] : [`${formatCount(stalled)} stalled`])].join(', ');
}

/** Why it stands still and what helps; else what it does now. */
function notesOf({ report, facts }: Operation, now: number): string[] {
  if (report.stalled !== undefined) {
    const { sinceSeconds, cause, hint } = report.stalled;
    const why = `${formatDuration(sinceSeconds)} without progress: ${cause}`;
    return hint === '' ? [why] : [why, `try: ${hint}`];
  }
  if (report.state === 'running') {
    const what = [report.stage, report.current, quietSince(report, now)].filter((part) => part !== undefined);
    return what.length === 0 ? [] : [what.join(' · ')];
  }
  if (report.state !== 'pending') {
    const gap = dataGap(facts);
    return gap === undefined ? [] : [gap];
  }
  const place = facts.queuePosition === undefined ? [] : [`number ${String(facts.queuePosition)} in the queue`];
  return [...place, ...waitTexts(report, now)];
}

/** Why it has not begun, and for how long already. */
export function waitTexts({ waits = [] }: Report, now: number): string[] {
  return waits.map(({ cause, since }) => {
    const seconds = (now - Date.parse(since)) / 1000;
    return seconds >= 1 ? `waiting for ${formatDuration(seconds)}: ${cause}` : `waiting: ${cause}`;
  });
}

/** What stands below a row. What a part does is told by the row of the whole, unless something is in its way. */
function rowNotes({ isPart }: TreeRow, operation: Operation, now: number): string[] {
  if (operation.report.stalled !== undefined) return notesOf(operation, now);
  if (isPart && operation.report.state === 'running') return [];
  return withElapsed(operation, now);
}

/** The notes of a row, with the time since it began; a log has times of its own. */
function withElapsed(operation: Operation, now: number): string[] {
  const { report } = operation;
  const seconds = (now - Date.parse(report.startedAt ?? '')) / 1000;
  const [first, ...others] = notesOf(operation, now);
  if (isTerminal(report.state) || Number.isNaN(seconds)) return first === undefined ? [] : [first, ...others];
  const elapsed = `${formatDuration(seconds)} elapsed`;
  return [first === undefined ? elapsed : `${elapsed} · ${first}`, ...others];
}

/** What does not change for a while says since when, so that nobody has to guess whether it hangs. */
function quietSince(report: Report, now: number): string | undefined {
  const seconds = (now - Date.parse(report.lastProgressAt ?? '')) / 1000;
  return seconds >= QUIET_SECONDS ? `no change for ${formatDuration(seconds)}` : undefined;
}

function cellsOf(operation: Operation, where: Where): string[] {
  const { report } = operation;
  const measure = slowestMeasure(report);
  const amount = measure === undefined ? undefined : formatMeasure(measure);
  return [
    ...whereCells(operation, where),
    stateOf(operation).word,
    stepText(operation, { isNamed: false }) ?? amount ?? NONE,
    formatRate(report) ?? NONE,
    report.etaSeconds === undefined ? NONE : formatDuration(report.etaSeconds),
  ];
}

function progressOf({ report }: Operation, cells: number): string {
  if (report.percent === undefined && report.state !== 'running') return NONE;
  const percent = report.percent === undefined ? '' : `${String(report.percent)} %`.padStart(5);
  if (cells === 0) return percent === '' ? NONE : percent;
  return `${formatBar(report, cells)} ${percent}`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

/** In the middle where there is room: the kind begins a name, and what tells one from the next, such as a date, ends it. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = width < USUAL_NAME ? 0 : Math.floor((width - 1) / 3);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}
