import { AppError } from '../errors.ts';
import { isObject, own } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { malformed, shortJson } from './malformed.ts';

const DIRECTIVE = '$patch';

/** What identifies an element: the value of the merge key, or the scalar itself. */
function identity(element: Json, mergeKey: string | undefined): Json {
  if (mergeKey === undefined) return element;
  const value = isObject(element) ? own(element, mergeKey) : undefined;
  if (value === undefined)
    throw malformed(`map: ${shortJson(element)} does not contain declared merge key: ${mergeKey}`);
  return value;
}

function positions(list: readonly Json[], mergeKey: string | undefined): Map<Json, number> {
  const result = new Map<Json, number>();
  for (const [index, element] of list.entries()) {
    const key = identity(element, mergeKey);
    if (!result.has(key)) result.set(key, index);
  }
  return result;
}

/**
 * Elements named in `order` come in that order. The others keep the server's order, and go before an element of `order`
 * that came after them on the server.
 */
export function orderElements(
  list: readonly Json[],
  options: { order: readonly Json[]; serverOrder: readonly Json[]; mergeKey: string | undefined },
): Json[] {
  const { mergeKey } = options;
  const wanted = positions(options.order, mergeKey);
  const onServer = positions(options.serverOrder, mergeKey);
  const place = (element: Json, of: Map<Json, number>): number => of.get(identity(element, mergeKey)) ?? -1;
  const named = list.filter((element) => place(element, wanted) >= 0);
  const others = list.filter((element) => place(element, wanted) < 0);
  named.sort((a, b) => place(a, wanted) - place(b, wanted));
  others.sort((a, b) => place(a, onServer) - place(b, onServer));
  const result: Json[] = [];
  let next = 0;
  for (const element of named) {
    const limit = place(element, onServer);
    for (; next < others.length && limit >= 0; next++) {
      const other = others[next] as Json;
      const at = place(other, onServer);
      if (at < 0 || at >= limit) break;
      result.push(other);
    }
    result.push(element);
  }
  return [...result, ...others.slice(next)];
}

/** Elements with `$patch` apply to the list itself. */
function applyDirectives(
  current: JsonObject[],
  change: JsonObject[],
  mergeKey: string,
): { current: JsonObject[]; change: JsonObject[] } {
  const plain = change.filter((element) => !Object.hasOwn(element, DIRECTIVE));
  const gone = new Set<Json>();
  let isReplaced = false;
  for (const element of change) {
    const directive = own(element, DIRECTIVE);
    if (directive === undefined) continue;
    if (directive === 'delete') gone.add(identity(element, mergeKey));
    else if (directive === 'replace') isReplaced = true;
    else if (directive === 'merge') throw malformed('merging lists cannot yet be specified in the patch');
    else throw malformed(`unknown patch type: ${shortJson(directive)}`);
  }
  if (isReplaced) return { current: plain, change: [] };
  const kept = current.filter((element) => !gone.has(own(element, mergeKey) ?? null));
  return { current: kept, change: plain };
}

function checkElements(lists: Json[][]): 'maps' | 'scalars' {
  const kinds = new Set(lists.flat().map(kindOf));
  if (kinds.has('list')) throw new AppError('invalid', 'lists of lists are not supported');
  if (kinds.size > 1) throw malformed('list element types are not identical');
  return kinds.has('object') ? 'maps' : 'scalars';
}

function kindOf(element: Json): string {
  if (Array.isArray(element)) return 'list';
  return element === null ? 'null' : typeof element;
}

/** Merges by merge key, or as sets of scalars; the patch's elements keep the patch's order. */
export function mergeLists(
  current: Json[],
  change: Json[],
  mergeKey: string | undefined,
  merge: (original: JsonObject, patch: JsonObject) => JsonObject,
): Json[] {
  if (current.length === 0 && change.length === 0) return current;
  if (checkElements([current, change]) === 'scalars') {
    const both = [...new Set([...current, ...change])];
    return orderElements(both, { order: change, serverOrder: current, mergeKey: undefined });
  }
  if (mergeKey === undefined) throw malformed('cannot merge lists without merge key');
  const lists = applyDirectives(current as JsonObject[], change as JsonObject[], mergeKey);
  const merged = [...lists.current];
  const index = positions(merged, mergeKey);
  for (const element of lists.change) {
    const key = identity(element, mergeKey);
    const at = index.get(key);
    if (at === undefined) index.set(key, merged.push(element) - 1);
    else merged[at] = merge(merged[at] as JsonObject, element);
  }
  return orderElements(merged, { order: lists.change, serverOrder: lists.current, mergeKey });
}
