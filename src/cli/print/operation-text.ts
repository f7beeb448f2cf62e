import { formatBytes, formatCount, formatDuration } from '../../base/index.ts';
import {
  adapterFor,
  hasVerb,
  operationTitle,
  volumeBytes,
  type OperationDetail,
  type OperationFacts,
  type ProblemGroup,
  type ReadDetail,
  type StageTime,
} from '../../core/operations/index.ts';
import { NONE, stepText } from './measures.ts';
import { countsLine, treeLines, waitTexts } from './operation-tree.ts';
import { progressLine } from './progress-line.ts';
import { tableLines } from './rows.ts';
import { stateOf, stateWords } from './state.ts';
import { stepLines } from './step-lines.ts';
import { exactTime } from './times.ts';

/** What stands before a fact. */
const LABEL = 11;
const SHOWN_EXAMPLES = 5;
const STEP_INDENT = 6;
/** Blanks where a line may end: not inside of `2 431` and `0.3 s`. */
const BREAKS = /(?<=\S) (?!(?<=\d )(?:\d{3}|s|min|h|d|%|[KMGT]?i?B)\b)(?=\S)/;
const OUTCOMES = ['created', 'updated', 'skipped', 'failed'] as const;

/** Its parts are known to those who asked for them too. */
export type Described = ReadDetail & Partial<Pick<OperationDetail, 'parts' | 'partCounts'>>;

/** The head, the facts, the steps, the problems, the contents and the parts, each told once. */
export function operationLines(operation: Described, { now, columns }: { now: number; columns: number }): string[] {
  return [
    ...headLines(operation, now),
    '',
    ...factLines(operation, now).flatMap((line) => wrapped(line, LABEL, columns)),
    ...stepsOf(operation, now).flatMap((line) => wrapped(line, STEP_INDENT, columns)),
    ...problemLines(operation.problems, columns),
    ...kindLines(operation),
    ...partLines(operation, { now, columns }),
    ...backedUpLines(operation, now),
  ];
}

function headLines(operation: Described, at: number): string[] {
  const { report, sentence } = operation;
  const head = `${stateOf(operation).sign} ${operationTitle(operation)}  ${stateWords(operation)}`;
  if (sentence !== undefined) return [head, `  ${sentence}`];
  const now = report.current === undefined ? [] : [`  ${'now'.padEnd(10)} ${report.current}`];
  const stalled =
    report.stalled === undefined
      ? []
      : [
          `  ▲ ${formatDuration(report.stalled.sinceSeconds)} without progress: ${report.stalled.cause}`,
          ...(report.stalled.hint === '' ? [] : [`    try: ${report.stalled.hint}`]),
        ];
  const hasBegun = report.state === 'running';
  const turn = report.state === 'pending' ? waitTexts(report, at).map((text) => `  ${text}`) : [];
  return [head, ...turn, ...(hasBegun ? [progressLine(report, report.stage ?? 'running')] : []), ...now, ...stalled];
}

function factLines(operation: Described, now: number): string[] {
  const { ref, facts, report, stages, endedAt, phase, createdAt, ...rest } = operation;
  const adapter = adapterFor(ref.kind);
  const isCalledOtherwise = facts.volume !== undefined && facts.volume !== ref.name;
  const rows: [string, string | undefined][] = [
    ['Name', isCalledOtherwise ? ref.name : undefined],
    ['Kind', hasVerb(adapter, 'items') ? undefined : ref.kind],
    ['Namespace', adapter.scope === 'all' ? ref.namespace : undefined],
    ['Phase', phase],
    ['Step', stepText(operation, { isNamed: true })],
    ['Plan', facts.plan],
    ['Type', facts.migrationType],
    ['Itinerary', facts.itinerary],
    ['Actions', facts.actions?.join(', ')],
    ['Blueprints', facts.blueprints?.join(', ')],
    ['Claim', facts.claim],
    ['Pod', facts.pod],
    ['Plugin', facts.plugin],
    ['Snapshot', facts.snapshot],
    ['Backup', facts.backup],
    ['Backed up', backedUpText(facts, now)],
    ['Schedule', facts.schedule],
    ['Location', facts.location],
    ['Namespaces', facts.namespaces?.join(', ') ?? (hasVerb(adapter, 'items') ? 'all' : undefined)],
    ['Mapping', mappingText(facts.namespaceMapping)],
    ['Size', sizeText(operation)],
    ['Items', countsText(report.counts)],
    ['Created', exactTime(createdAt, now)],
    ['Started', report.startedAt === undefined ? undefined : exactTime(report.startedAt, now)],
    ['Ended', endedAt === undefined ? undefined : exactTime(endedAt, now)],
    ['Expires', facts.expiresAt === undefined ? undefined : exactTime(facts.expiresAt, now)],
    ['Stages', adapter.steps === undefined ? stagesText(stages, now) : undefined],
    ['Errors', `${formatCount(rest.errors)}, warnings ${formatCount(rest.warnings)}`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(LABEL)}${value}`]));
}

/** Of kinds whose steps are stages, the line of the stages has told all of it. */
function stepsOf({ ref, steps, stepsTotal }: Described, now: number): string[] {
  if (adapterFor(ref.kind).steps === undefined || steps.length === 0) return [];
  const more = stepsTotal - steps.length;
  const heading = more > 0 ? `Steps (${formatCount(steps.length)} of ${formatCount(stepsTotal)})` : 'Steps';
  return ['', heading, ...stepLines(steps, now)];
}

/** As `watch` draws them. */
function partLines(
  { parts = [], partCounts }: Described,
  { now, columns }: { now: number; columns: number },
): string[] {
  if (parts.length === 0) return [];
  const total = partCounts === undefined ? '' : ` (${countsLine(partCounts)})`;
  return [
    '',
    `Parts${total}`,
    ...treeLines(parts, { columns: columns - 2, now, areParts: true }).map((line) => `  ${line}`),
  ];
}

/** Of a restore: what its volumes were in the backup, maybe in another cluster. */
function backedUpLines({ parts = [] }: Described, now: number): string[] {
  const rows = parts.flatMap(({ facts }) => {
    const [claim, ...cells] = backedUpCells(facts, now) ?? [];
    return claim === undefined ? [] : [[`  ${claim}`, facts.plugin ?? NONE, ...cells]];
  });
  return rows.length === 0 ? [] : ['', 'Backed up', ...tableLines(['  CLAIM', 'PLUGIN', 'SIZE', 'TIME'], rows)];
}

function backedUpText(facts: OperationFacts, now: number): string | undefined {
  return backedUpCells(facts, now)?.join(', ');
}

function backedUpCells({ backedUp }: OperationFacts, now: number): string[] | undefined {
  if (backedUp === undefined) return undefined;
  const { claim, bytes, at } = backedUp;
  return [claim, bytes === undefined ? NONE : formatBytes(bytes), exactTime(at, now)];
}

/** The archive is small beside what the volumes hold. */
function sizeText(operation: Described): string | undefined {
  const { sizeBytes } = operation.facts;
  const volumes = volumeBytes(operation);
  const parts = [
    ...(sizeBytes === undefined ? [] : [formatBytes(sizeBytes)]),
    ...(volumes === undefined ? [] : [`${formatBytes(volumes.done)} in volumes`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

function countsText(counts: Described['report']['counts']): string | undefined {
  if (counts === undefined) return undefined;
  const { created, updated, skipped, failed } = counts;
  return `${formatCount(created)} created, ${formatCount(updated)} updated, ${formatCount(skipped)} skipped, ${formatCount(failed)} failed`;
}

function mappingText(mapping: Record<string, string> | undefined): string | undefined {
  if (mapping === undefined) return undefined;
  return Object.entries(mapping)
    .map(([from, to]) => `${from} → ${to}`)
    .join(', ');
}

function stagesText(stages: readonly StageTime[], now: number): string | undefined {
  if (stages.length === 0) return undefined;
  return stages
    .map(({ stage, startedAt, endedAt }) => {
      const end = endedAt === undefined ? now : Date.parse(endedAt);
      const seconds = Math.max(0, end - Date.parse(startedAt)) / 1000;
      return `${stage} ${Number.isNaN(seconds) ? NONE : formatDuration(seconds)}${endedAt === undefined ? ' so far' : ''}`;
    })
    .join(' · ');
}

/** Equal ones are one line; what they are about stands below, as far as it helps. */
export function problemLines(problems: readonly ProblemGroup[], columns: number): string[] {
  if (problems.length === 0) return [];
  const lines = problems.flatMap(({ level, text, count, examples }) => {
    const head = wrapped(`  ${level === 'error' ? '✕' : '▲'} ${text}`, 4, columns);
    if (count === 1) return head;
    const shown = examples.slice(0, SHOWN_EXAMPLES).map((example) => differenceOf(text, count, example));
    const isShort = shown.every((each, at) => each !== examples[at]);
    const more = count > shown.length ? [`… and ${formatCount(count - shown.length)} more`] : [];
    const below = isShort ? [[...shown, ...more].join(', ')] : [...shown, ...more];
    return [...head, ...below.flatMap((line) => wrapped(`      ${line}`, 6, columns))];
  });
  return ['', 'Problems', ...lines];
}

/** Of a text that says `… (18): why`, only what one of the 18 has there; all of it where they differ in more than that. */
function differenceOf(text: string, count: number, example: string): string {
  const [before = '', after] = text.split(`(${String(count)})`);
  const isAlike = after !== undefined && example.startsWith(before) && example.endsWith(after);
  return isAlike ? example.slice(before.length, example.length - after.length) : example;
}

/** Lines of at most so many columns, the further ones indented: also those of a text that has several. */
function wrapped(text: string, indent: number, columns: number): string[] {
  const [first = '', ...further] = text.split('\n');
  const lines = [first, ...further.map((line) => `${' '.repeat(indent)}${line.trim()}`)];
  return lines.flatMap((line) => wrappedLine(line, indent, columns));
}

/** A word that is longer stays whole, to be copied. */
function wrappedLine(text: string, indent: number, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(BREAKS)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > columns - 1) {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}

function kindLines({ itemsByKind, ref }: Described): string[] {
  if (itemsByKind.length === 0) return [];
  const isTold = (outcome: (typeof OUTCOMES)[number]): boolean =>
    outcome === 'failed' || itemsByKind.some((counts) => counts[outcome] !== undefined);
  const columns = ['total', ...OUTCOMES.filter(isTold)] as const;
  const adapter = adapterFor(ref.kind);
  // A backup creates nothing in the cluster.
  const heading = (column: string): string =>
    column === 'created' && hasVerb(adapter, 'contents') ? adapter.did : column;
  const rows = itemsByKind.map((counts) => [
    `  ${counts.kind}`,
    ...columns.map((column) => formatCount(counts[column] ?? 0)),
  ]);
  return ['', 'Contents', ...tableLines(['  KIND', ...columns.map((column) => heading(column).toUpperCase())], rows)];
}
