import { AppError } from '../../base/index.ts';
import type { Report } from '../progress/index.ts';
import type { Operation } from './operation.ts';

const STATES = ['pending', 'running', 'completed', 'partiallyFailed', 'failed', 'canceled'] as const;
export const OPERATION_SORTS = ['attention', 'created', '-created', 'name', '-name', 'ended', '-ended'] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

/** Which operations, in which order. An absent field does not filter. */
export interface OperationQuery {
  kind?: string;
  /** A word of the command line, such as `volume`, which stands for several kinds. */
  noun?: string;
  /** The id of the operation whose parts are wanted, or `none` for those that are no part of another. */
  parent?: string;
  /** `top`: of the volumes only those that are no part of another operation, which may have thousands. */
  volumes?: 'top';
  /** One of the states, or `stalled`. */
  state?: readonly string[];
  namespace?: string;
  cluster?: string;
  /** Part of its name, or of the backup, schedule, location, volume or plan that it refers to. */
  q?: string;
  sort?: OperationSort;
}

/** States as users write them: `running,stalled`. */
export function parseStates(text: string): string[] {
  const known: readonly string[] = [...STATES, 'stalled'];
  const asked = text.split(',').filter((state) => state !== '');
  const wrong = asked.find((state) => !known.includes(state));
  if (wrong === undefined) return asked;
  throw new AppError('usage', `filter by state ${JSON.stringify(wrong)}: expected one of ${known.join(', ')}`);
}

/** Tests only what never changes in an operation, so one that does not match now never will. */
export function matchesIdentity(query: OperationQuery, { noun, ref, cluster, facts }: Operation): boolean {
  const { q } = query;
  if (query.noun !== undefined && noun !== query.noun) return false;
  if (query.kind !== undefined && ref.kind.toLowerCase() !== query.kind.toLowerCase()) return false;
  if (query.namespace !== undefined && ref.namespace !== query.namespace) return false;
  if (query.cluster !== undefined && cluster !== query.cluster) return false;
  if (q === undefined || q === '') return true;
  const wanted = q.toLowerCase();
  const { backup, schedule, location, volume, plan } = facts;
  const texts = [ref.name, `${ref.kind}/${ref.name}`, `${noun}/${ref.name}`, backup, schedule, location, volume, plan];
  return texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}

/** Tests what may change: where it stands, and what it is part of. */
export function matchesNow(query: OperationQuery, { noun, report, parent }: Operation): boolean {
  const { state } = query;
  if (query.volumes === 'top' && noun === 'volume' && parent !== undefined) return false;
  if (query.parent !== undefined && query.parent !== (parent ?? 'none')) return false;
  if (state === undefined || state.length === 0) return true;
  return state.includes(report.state) || (report.stalled !== undefined && state.includes('stalled'));
}

/**
 * Smaller comes first; compared from the left. The id makes the order total, so that a page can continue after a row.
 */
export type SortKey = readonly (string | number)[];

export function sortKey(operation: Operation, sort: OperationSort): SortKey {
  const { id, ref, createdAt, endedAt = '' } = operation;
  switch (sort) {
    case 'attention':
      return [attentionRank(operation.report), -timeOf(endedAt === '' ? createdAt : endedAt), id];
    case 'created':
      return [timeOf(createdAt), id];
    case '-created':
      return [-timeOf(createdAt), id];
    case 'name':
    case '-name':
      return [ref.name, id];
    case 'ended':
      return [timeOf(endedAt), id];
    case '-ended':
      return [-timeOf(endedAt), id];
  }
}

export function compareKeys(a: SortKey, b: SortKey): number {
  for (let at = 0; at < a.length; at += 1) {
    const [left = 0, right = 0] = [a[at], b[at]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

/** Of the parts of one operation, of which not all are shown: a failed one must not hide behind those that went well. */
export function partKey(operation: Operation): SortKey {
  const { state } = operation.report;
  const hasFailed = state === 'failed' || state === 'partiallyFailed';
  return [state === 'running' ? 0 : hasFailed ? 1 : 2, ...sortKey(operation, 'attention')];
}

/** What somebody on call at three in the morning needs to see first. */
function attentionRank({ state, stalled }: Report): number {
  if (stalled !== undefined) return 0;
  if (state === 'running') return 1;
  return state === 'pending' ? 2 : 3;
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}
