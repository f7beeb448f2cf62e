import { stringify } from 'yaml';
import { AppError } from '../../base/index.ts';
import type { ContentsAnswer, ItemAnswer, ItemName } from '../../core/operations/index.ts';
import type { Archive } from '../../edge/archive/index.ts';
import { maskSecrets } from './mask.ts';

export interface ContentsQuery {
  namespace?: string | undefined;
  /** A resource such as `deployments.apps`, or its first part. */
  kind?: string | undefined;
  q?: string | undefined;
  limit: number;
  /** How many items to pass over. */
  continue?: number | undefined;
}

export async function contentsOf(archive: Archive, query: ContentsQuery): Promise<ContentsAnswer> {
  const groups = new Map<string, ContentsAnswer['groups'][number]>();
  const items: ItemName[] = [];
  const from = query.continue ?? 0;
  let total = 0;
  for await (const { groupResource: resource, namespace, name } of archive.entries()) {
    const key = `${namespace ?? ''}/${resource}`;
    const group = groups.get(key) ?? { ...(namespace === undefined ? {} : { namespace }), resource, count: 0 };
    if (groups.size < MAX_GROUPS) groups.set(key, group);
    group.count += 1;
    const item = { resource, ...(namespace === undefined ? {} : { namespace }), name };
    if (!matches(item, query)) continue;
    total += 1;
    if (total > from && items.length < query.limit) items.push(item);
  }
  const isMore = from + items.length < total;
  return {
    groups: [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group),
    items,
    total,
    ...(isMore ? { continue: String(from + items.length) } : {}),
    problems: [
      ...tooManyGroups(groups.size),
      ...archive.warnings,
      ...archive.problems.slice(0, 100).map(({ error }) => error.message),
    ],
  };
}

/** An honest backup has fewer, and every look would send them all. */
const MAX_GROUPS = 10_000;

function tooManyGroups(count: number): string[] {
  return count < MAX_GROUPS ? [] : [`only the first ${MAX_GROUPS} types and namespaces are told`];
}

function matches(item: ItemName, { namespace, kind, q }: ContentsQuery): boolean {
  // An empty namespace asks for what has none.
  if (namespace !== undefined && (item.namespace ?? '') !== namespace) return false;
  if (kind !== undefined && item.resource !== kind && item.resource.split('.')[0] !== kind) return false;
  return q === undefined || `${item.namespace ?? ''}/${item.resource}/${item.name}`.includes(q.toLowerCase());
}

export async function itemOf(archive: Archive, item: ItemName): Promise<ItemAnswer> {
  const { resource: groupResource, namespace, name } = item;
  const key = { groupResource, ...(namespace === undefined ? {} : { namespace }), name };
  if (!archive.has(key)) {
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    throw new AppError('notFound', `find ${groupResource} ${name}${where}: the backup does not hold it`);
  }
  const { object, isMasked } = maskSecrets(await archive.read(key));
  return { ...item, yaml: stringify(object, { lineWidth: 0 }), isMasked };
}
