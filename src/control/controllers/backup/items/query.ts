import { messageOf, type AppError } from '../../../../base/index.ts';
import type { NamespaceShare, PlannedList } from '../../../../core/backup/index.ts';
import type { Page, Target } from '../../../../edge/kube/index.ts';
import type { PageReader } from './page-reader.ts';

/** One LIST. A planned list has several if it covers several label selectors, or namespaces one by one. */
export interface Query {
  list: PlannedList;
  target: Target;
  labelSelector: string;
  /** For a list over all namespaces of which only some are wanted. */
  wanted?: NamespaceShare;
  /** How many items it will give, wanted or not; undefined if nobody knows. */
  expected: number | undefined;
  /** How long one of them is, if that is known. */
  itemBytes?: number;
  /** The page that was read for counting. */
  first?: Page;
  /** Reads what comes after it. */
  reader?: PageReader;
  /** Why it could not even be counted. */
  failure?: AppError;
}

/** When a list is read; namespaces come last, because only then is it known which of them have something in the backup. */
export type Turn = 'in turn' | 'any' | 'last';

const TURNS: readonly Turn[] = ['in turn', 'any', 'last'];

export function turnOf({ list }: Query): Turn {
  if (list.isInTurn) return 'in turn';
  return list.groupResource === 'namespaces' ? 'last' : 'any';
}

/** In the order in which they are read. */
export function byTurn(queries: readonly Query[]): Query[] {
  return queries.toSorted((a, b) => TURNS.indexOf(turnOf(a)) - TURNS.indexOf(turnOf(b)));
}

/** Whether an item that the query lists may be in the backup, by its namespace. */
export function isWanted({ wanted }: Query, namespace: string | undefined): boolean {
  return wanted === undefined || wanted.has(namespace);
}

/** One line for the results. `isPartial`: some items were read before. */
export function queryProblem(query: Query, error: unknown, isPartial: boolean): string {
  const what = isPartial
    ? 'could be listed only in part, so some of them are not in the backup'
    : 'could not be listed and are not in the backup';
  return `${askedBy(query)} ${what}: ${messageOf(error)}`;
}

export function itemProblem(query: Query, error: unknown): string {
  return `one of ${askedBy(query)} cannot be read and is not in the backup: ${messageOf(error)}`;
}

function askedBy({ list, target, labelSelector }: Query): string {
  const where = target.namespace === undefined ? '' : ` in namespace ${target.namespace}`;
  const which = labelSelector === '' ? '' : ` with labels ${labelSelector}`;
  return `${list.groupResource}${where}${which}`;
}
