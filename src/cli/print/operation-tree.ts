import { formatDuration } from '../../base/index.ts';
import { isTerminal, percentOf, type Measure, type Report } from '../../core/progress/index.ts';
import { dataGap, operationTitle, type Operation } from '../../core/operations/index.ts';
import { formatBar, formatMeasure, formatRate, NONE } from './measures.ts';
import { stateOf } from './state.ts';

/** The widest that leaves room for names of usual length; longer ones are shortened, so that one keeps the others' layout. */
const BARS = [14, 8, 0];
const USUAL_NAME = 24;
/** Below this other things are left out, and below that the name is cut off by the edge. */
const MIN_NAME = 16;
const LEAST_NAME = 10;
const HEADINGS = ['STATE', 'AMOUNT', 'RATE', 'LEFT'];
/** Which of them there are; what is done already goes before how fast, and that before how long yet. */
const CHOICES = [[0, 1, 2, 3], [0, 2, 3], [0, 3], [0]];
const DONE = ' 100 %'.length;
const GAP = '  ';
const QUIET_SECONDS = 5;

interface Row {
  operation: Operation;
  /** What stands before the sign: `├ `, `│ └ `. */
  branch: string;
  /** What stands before the lines below it. */
  below: string;
}

/** Operations as a tree with its parts indented; the stalled first, then what runs, what waits and what has ended. */
export function treeLines(
  operations: readonly Operation[],
  { columns, now }: { columns: number; now: number },
): string[] {
  const rows = toRows(operations);
  if (rows.length === 0) return [];
  const names = rows.map(({ operation, branch }) => `${branch}${stateOf(operation).sign} ${operationTitle(operation)}`);
  const cells = rows.map(({ operation }) => cellsOf(operation));
  const shown = columnsFor(columns, cells);
  const nameNeeds = widest(['NAME', ...names]);
  const room = columns - 1 - restOf(shown);
  const bar = BARS.find((width) => Math.min(nameNeeds, USUAL_NAME) + width <= room) ?? 0;
  const name = Math.max(LEAST_NAME, Math.min(nameNeeds, room - bar));
  const line = (first: string, progress: string, row: readonly string[]): string => {
    const [state = '', ...others] = shown.map(({ at, width }) => (row[at] ?? '').padEnd(width));
    return [cut(first, name).padEnd(name), state, progress.padEnd(bar + DONE), ...others].join(GAP).trimEnd();
  };
  return [
    line('NAME', bar === 0 ? ' DONE' : 'PROGRESS', HEADINGS),
    ...rows.flatMap((row, at) => [
      line(names[at] ?? '', progressOf(row.operation, bar), cells[at] ?? []),
      ...withElapsed(row.operation, now).map((note) => `${row.below}│ ${note}`),
    ]),
  ];
}

interface Column {
  /** Where its cell stands in a row. */
  at: number;
  width: number;
}

/** As many columns as leave room for a name. */
function columnsFor(columns: number, cells: readonly (readonly string[])[]): Column[] {
  const widths = HEADINGS.map((heading, at) => widest([heading, ...cells.map((row) => row[at] ?? '')]));
  const choices = CHOICES.map((choice) => choice.map((at) => ({ at, width: widths[at] ?? 0 })));
  return choices.find((choice) => columns - 1 - restOf(choice) >= MIN_NAME) ?? choices.at(-1) ?? [];
}

/** What a line needs besides the name and the bar. */
function restOf(shown: readonly Column[]): number {
  return shown.reduce((sum, { width }) => sum + width + GAP.length, DONE + GAP.length);
}

/** One line for a log: everything that a row and its notes tell. */
export function plainLine(operation: Operation, now: number): string {
  const { report, sentence } = operation;
  const { sign, word } = stateOf(operation);
  const parts = [
    `${sign} ${operationTitle(operation)}`,
    word,
    report.percent === undefined ? '' : `${String(report.percent)} %`,
    report.measures.map(formatMeasure).join(', '),
    formatRate(report) ?? '',
    report.etaSeconds === undefined ? '' : `${formatDuration(report.etaSeconds)} left`,
    ...(sentence === undefined ? notesOf(operation, now) : [sentence]),
  ];
  return parts.filter((part) => part !== '').join(GAP);
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

function cellsOf(operation: Operation): string[] {
  const { report } = operation;
  return [
    stateOf(operation).word,
    slowest(report),
    formatRate(report) ?? NONE,
    report.etaSeconds === undefined ? NONE : formatDuration(report.etaSeconds),
  ];
}

/** A row has room for one measure: the one that the percent is of. */
function slowest({ measures }: Report): string {
  const percent = (measure: Measure): number => percentOf(measure) ?? Infinity;
  const [first] = measures.toSorted((a, b) => percent(a) - percent(b));
  return first === undefined ? NONE : formatMeasure(first);
}

function progressOf({ report }: Operation, cells: number): string {
  if (report.percent === undefined && report.state !== 'running') return NONE;
  const percent = report.percent === undefined ? '' : `${String(report.percent)} %`.padStart(5);
  if (cells === 0) return percent === '' ? NONE : percent;
  return `${formatBar(report, cells)} ${percent}`;
}

function toRows(operations: readonly Operation[]): Row[] {
  const ids = new Set(operations.map(({ id }) => id));
  const partsOf = new Map<string, Operation[]>();
  for (const operation of operations) {
    const parent = operation.parent !== undefined && ids.has(operation.parent) ? operation.parent : '';
    partsOf.set(parent, [...(partsOf.get(parent) ?? []), operation]);
  }
  const rows: Row[] = [];
  const visit = (parent: string, indent: string): void => {
    const parts = (partsOf.get(parent) ?? []).toSorted(byUrgency);
    parts.forEach((operation, at) => {
      const isLast = at === parts.length - 1;
      const branch = parent === '' ? '' : `${indent}${isLast ? '└ ' : '├ '}`;
      const below = parent === '' ? '  ' : `${indent}${isLast ? '  ' : '│ '}  `;
      rows.push({ operation, branch, below });
      visit(operation.id, below);
    });
  };
  visit('', '');
  return rows;
}

function byUrgency(a: Operation, b: Operation): number {
  return rankOf(a) - rankOf(b) || timeOf(b).localeCompare(timeOf(a)) || a.id.localeCompare(b.id);
}

function rankOf({ report }: Operation): number {
  if (report.stalled !== undefined) return 0;
  if (report.state === 'running') return 1;
  return isTerminal(report.state) ? 3 : 2;
}

function timeOf(operation: Operation): string {
  return operation.endedAt ?? operation.createdAt;
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}

/** In the middle where there is room: the kind begins a name, and what tells one from the next, such as a date, ends it. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = width < USUAL_NAME ? 0 : Math.floor((width - 1) / 3);
  return `${text.slice(0, width - 1 - end)}…${text.slice(text.length - end)}`;
}
