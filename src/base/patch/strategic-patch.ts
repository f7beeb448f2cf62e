import { checkDepth, isObject, own, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { orderElements, mergeLists } from './merge-list.ts';
import { malformed, shortJson } from './malformed.ts';
import type { MergeField, MergeType } from './merge-type.ts';
import { withoutNulls } from './without-nulls.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const SET_ORDER = '$setElementOrder/';
const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';

/** Kubernetes' strategic merge patch, as apimachinery's strategicpatch applies it. Throws `usage` (400) for a malformed patch. */
export function applyStrategicPatch(target: JsonObject, patch: JsonObject, type: MergeType): JsonObject {
  return mergeMaps(target, patch, type, 0);
}

function isDirectiveKey(key: string): boolean {
  return key === RETAIN_KEYS || key.startsWith(SET_ORDER) || key.startsWith(DELETE_FROM_LIST);
}

/** What a new value becomes: without nulls, and without elements that were only directives. */
function withoutDirectives(value: Json, depth: number): Json | undefined {
  checkDepth(depth);
  if (Array.isArray(value)) {
    return value.map((item) => withoutDirectives(item, depth + 1)).filter((item) => item !== undefined);
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    // Upstream leaves these in and drops them later as unknown fields; unknown fields are kept here.
    if (item === undefined || isDirectiveKey(key)) continue;
    const kept = withoutDirectives(item, depth + 1);
    if (kept !== undefined) setOwn(result, key, kept);
  }
  return result;
}

function retainKeys(result: JsonObject, patch: JsonObject): void {
  const keys = own(patch, RETAIN_KEYS);
  if (!Array.isArray(keys)) throw malformed('invalid patch format of retainKeys');
  const retained = new Set<Json>(keys);
  for (const [key, value] of Object.entries(patch)) {
    if (value !== null && !isDirectiveKey(key) && !retained.has(key))
      throw malformed('invalid patch format of retainKeys');
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) Reflect.deleteProperty(result, key);
}

function listOf(value: Json | undefined, what: string): Json[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw malformed(`expected a list in ${what}, got ${shortJson(value)}`);
  return value;
}

/** The patch's elements must appear in the order list, in the same order. */
function checkOrder(change: Json[], order: Json[], mergeKey: string | undefined): void {
  if (order.length === 0) return;
  const keyOf = (element: Json): Json | undefined =>
    mergeKey === undefined ? element : isObject(element) ? own(element, mergeKey) : undefined;
  const keys = order.map(keyOf);
  let at = 0;
  for (const element of change) {
    if (isObject(element) && Object.hasOwn(element, DIRECTIVE)) continue;
    const found = keys.indexOf(keyOf(element), at);
    if (found < 0) throw malformed("The order in patch list doesn't match $setElementOrder list");
    at = found + 1;
  }
}

/**
 * Merges the list and puts it in the requested order; elements that only the server has keep their place among them.
 */
function applySetOrder(
  result: JsonObject,
  patch: JsonObject,
  key: string,
  at: { type: MergeType | undefined; depth: number },
): void {
  const order = listOf(own(patch, SET_ORDER + key), SET_ORDER + key) ?? [];
  const current = listOf(own(result, key), key);
  const change = listOf(own(patch, key), key);
  const field = at.type?.field(key);
  if (!current && !change) return;
  checkOrder(change ?? [], order, field?.mergeKey);
  let merged = current ?? [];
  if (change) {
    const fresh = withoutDirectives(change, at.depth) as Json[];
    merged = current ? mergeListField(current, change, field, at.depth) : fresh;
  }
  setOwn(result, key, orderElements(merged, { order, serverOrder: current ?? [], mergeKey: field?.mergeKey }));
}

function strategyOf(field: MergeField | undefined): string {
  return field?.strategies.find((strategy) => strategy !== 'retainKeys') ?? '';
}

function mergeListField(current: Json[], change: Json[], field: MergeField | undefined, depth: number): Json[] {
  if (strategyOf(field) !== 'merge') return change;
  return mergeLists(current, change, field?.mergeKey, (original, patch) =>
    mergeMaps(original, patch, field?.type, depth + 1),
  );
}

function mergeField(current: Json, value: Json, field: MergeField | undefined, depth: number): Json | undefined {
  if (Array.isArray(current) && Array.isArray(value)) return mergeListField(current, value, field, depth);
  if (isObject(current) && isObject(value)) {
    return strategyOf(field) === 'replace' ? value : mergeMaps(current, value, field?.type, depth + 1);
  }
  return withoutDirectives(withoutNulls(value, depth), depth);
}

function deleteFromList(result: JsonObject, key: string, value: Json): void {
  const current = own(result, key);
  if (value === null) Reflect.deleteProperty(result, key);
  else if (Array.isArray(current) && Array.isArray(value)) {
    const gone = new Set<Json>(value);
    setOwn(
      result,
      key,
      current.filter((item) => !gone.has(item)),
    );
  }
}

function mergeMaps(original: JsonObject, patch: JsonObject, type: MergeType | undefined, depth: number): JsonObject {
  checkDepth(depth);
  if (Object.hasOwn(patch, DIRECTIVE)) return applyDirective(patch);
  const result: JsonObject = { ...original };
  if (Object.hasOwn(patch, RETAIN_KEYS)) retainKeys(result, patch);
  const ordered = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(SET_ORDER)) continue;
    const name = key.slice(SET_ORDER.length);
    applySetOrder(result, patch, name, { type, depth });
    ordered.add(name);
  }
  for (const [key, value = null] of Object.entries(patch)) {
    if (key.startsWith(SET_ORDER) || key === RETAIN_KEYS || ordered.has(key)) continue;
    if (key.startsWith(DELETE_FROM_LIST)) deleteFromList(result, key.slice(DELETE_FROM_LIST.length), value);
    else mergeKey(result, key, value, { type, depth });
  }
  return result;
}

function mergeKey(
  result: JsonObject,
  key: string,
  value: Json,
  at: { type: MergeType | undefined; depth: number },
): void {
  if (value === null) {
    Reflect.deleteProperty(result, key);
    return;
  }
  const current = own(result, key);
  const merged =
    current === undefined || current === null
      ? withoutDirectives(withoutNulls(value, at.depth), at.depth)
      : mergeField(current, value, at.type?.field(key), at.depth);
  if (merged === undefined) Reflect.deleteProperty(result, key);
  else setOwn(result, key, merged);
}

function applyDirective(patch: JsonObject): JsonObject {
  const { [DIRECTIVE]: directive, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  throw malformed(`unknown patch type: ${shortJson(directive ?? null)}`);
}
