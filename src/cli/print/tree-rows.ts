import { formatCount } from '../../base/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { stateOf } from './state.ts';

/** Of one operation: a backup may have thousands of volumes. */
const SHOWN_PARTS = 20;

/** An operation in its place, or what is left out there. */
export interface TreeRow {
  operation?: Operation;
  /** Instead of an operation: `… and 4 980 more: 4 970 completed, 10 pending`. */
  more?: string;
  /** What stands before the sign: `├ `, `│ └ `. */
  branch: string;
  /** What stands before the lines below it. */
  below: string;
  isPart: boolean;
}

/** The stalled first, then what runs, what waits and what has ended; parts in the order in which they came. */
export function treeRows(operations: readonly Operation[]): TreeRow[] {
  const partsOf = groupByParent(operations);
  const rows: TreeRow[] = [];
  const visit = (parent: string, indent: string): void => {
    const isPart = parent !== '';
    const all = (partsOf.get(parent) ?? []).toSorted(byUrgency);
    const shown = isPart ? all.slice(0, SHOWN_PARTS).toSorted(asTheyCame) : all;
    const left = all.slice(shown.length);
    shown.forEach((operation, at) => {
      const isLast = left.length === 0 && at === shown.length - 1;
      const branch = isPart ? `${indent}${isLast ? '└ ' : '├ '}` : '';
      const below = isPart ? `${indent}${isLast ? '  ' : '│ '}  ` : '  ';
      rows.push({ operation, branch, below, isPart });
      visit(operation.id, below);
    });
    if (left.length > 0) rows.push({ more: moreText(left), branch: `${indent}└ `, below: indent, isPart });
  };
  visit('', '');
  return rows;
}

/** By the id of their parent; those whose parent is not shown by ''. */
export function groupByParent(operations: readonly Operation[]): Map<string, Operation[]> {
  const ids = new Set(operations.map(({ id }) => id));
  return Map.groupBy(operations, ({ parent }) => (parent !== undefined && ids.has(parent) ? parent : ''));
}

function moreText(left: readonly Operation[]): string {
  const counts = Map.groupBy(left, (operation) => stateOf(operation).word);
  const parts = [...counts].map(([word, { length }]) => `${formatCount(length)} ${word}`);
  return `… and ${formatCount(left.length)} more: ${parts.join(', ')}`;
}

export function byUrgency(a: Operation, b: Operation): number {
  return rankOf(a) - rankOf(b) || timeOf(b).localeCompare(timeOf(a)) || a.id.localeCompare(b.id);
}

/** What is stalled must not be overlooked; the rest tells a story from its beginning. */
function asTheyCame(a: Operation, b: Operation): number {
  const isFine = ({ report }: Operation): number => (report.stalled === undefined ? 1 : 0);
  return isFine(a) - isFine(b) || a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id);
}

function rankOf({ report }: Operation): number {
  if (report.stalled !== undefined) return 0;
  if (report.state === 'running') return 1;
  return isTerminal(report.state) ? 3 : 2;
}

function timeOf(operation: Operation): string {
  return operation.endedAt ?? operation.createdAt;
}
