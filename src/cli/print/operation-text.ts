import { formatBytes, formatCount, formatDuration } from '../../base/index.ts';
import type { OperationDetail, ProblemGroup, StageTime } from '../../core/operations/index.ts';
import { NONE } from './measures.ts';
import { nameOf } from './operation-tree.ts';
import { progressLine } from './progress-line.ts';
import { tableLines } from './rows.ts';
import { stateOf } from './state.ts';
import { exactTime } from './times.ts';

const OUTCOMES = ['created', 'updated', 'skipped', 'failed'] as const;

export type Described = Omit<OperationDetail, 'parts'>;

/** The head, the facts, the problems and the contents, each told once. */
export function operationLines(operation: Described, now: number): string[] {
  return [
    ...headLines(operation),
    '',
    ...factLines(operation, now),
    ...problemLines(operation.problems),
    ...kindLines(operation),
  ];
}

function headLines(operation: Described): string[] {
  const { report, sentence } = operation;
  const { sign, word } = stateOf(operation);
  const head = `${sign} ${nameOf(operation)}  ${word}`;
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
  return [head, ...(hasBegun ? [progressLine(report, report.stage ?? 'running')] : []), ...now, ...stalled];
}

function factLines({ facts, report, stages, endedAt, phase, createdAt, ...rest }: Described, now: number): string[] {
  const rows: [string, string | undefined][] = [
    ['Phase', phase],
    ['Backup', facts.backup],
    ['Schedule', facts.schedule],
    ['Location', facts.location],
    ['Namespaces', facts.namespaces?.join(', ') ?? 'all'],
    ['Mapping', mappingText(facts.namespaceMapping)],
    ['Size', facts.sizeBytes === undefined ? undefined : formatBytes(facts.sizeBytes)],
    ['Items', countsText(report.counts)],
    ['Created', exactTime(createdAt, now)],
    ['Started', report.startedAt === undefined ? undefined : exactTime(report.startedAt, now)],
    ['Ended', endedAt === undefined ? undefined : exactTime(endedAt, now)],
    ['Expires', facts.expiresAt === undefined ? undefined : exactTime(facts.expiresAt, now)],
    ['Stages', stagesText(stages, now)],
    ['Errors', `${formatCount(rest.errors)}, warnings ${formatCount(rest.warnings)}`],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(11)}${value}`]));
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
export function problemLines(problems: readonly ProblemGroup[]): string[] {
  if (problems.length === 0) return [];
  const lines = problems.flatMap(({ level, text, count, examples }) => [
    `  ${level === 'error' ? '✕' : '▲'} ${text}`,
    ...(count > 1 ? examples.slice(0, 3).map((example) => `      ${example}`) : []),
    ...(count > 3 ? [`      … and ${formatCount(count - 3)} more`] : []),
  ]);
  return ['', 'Problems', ...lines];
}

function kindLines({ itemsByKind, ref }: Described): string[] {
  if (itemsByKind.length === 0) return [];
  // A backup creates nothing in the cluster.
  const columns = ref.kind === 'Backup' ? (['total', 'failed'] as const) : (['total', ...OUTCOMES] as const);
  const rows = itemsByKind.map((counts) => [
    `  ${counts.kind}`,
    ...columns.map((column) => formatCount(counts[column] ?? 0)),
  ]);
  return ['', 'Contents', ...tableLines(['  KIND', ...columns.map((column) => column.toUpperCase())], rows)];
}
