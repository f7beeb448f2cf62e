import type { Json, JsonObject } from '../../base/index.ts';

const ZERO = 48;
const NINE = 57;
/** Above this, insertion sort would be slower than the built-in sort, which allocates. */
const FEW_KEYS = 20;

/**
 * The same value with the keys of every object sorted, copied only where they are not. Undefined if JSON.stringify
 * could not write it in that order or at all: integer-like keys always come first, and bigints cannot be written.
 */
export function inKeyOrder(value: Json): Json | undefined {
  if (typeof value === 'bigint') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? listInOrder(value) : objectInOrder(value);
}

function listInOrder(list: readonly Json[]): Json | undefined {
  let copy: Json[] | undefined;
  for (let at = 0; at < list.length; at += 1) {
    const item = list[at] as Json;
    const ordered = inKeyOrder(item);
    if (ordered === undefined) return undefined;
    if (ordered === item) continue;
    copy ??= [...list];
    copy[at] = ordered;
  }
  return copy ?? (list as Json);
}

function objectInOrder(object: JsonObject): Json | undefined {
  const keys = Object.keys(object);
  let copy: JsonObject | undefined = sort(keys) ? {} : undefined;
  // Counted by hand, because entries() allocates an array for every key.
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] ?? '';
    if (isOdd(key)) return undefined;
    const value = object[key];
    if (value === undefined) continue;
    const ordered = inKeyOrder(value);
    if (ordered === undefined) return undefined;
    if (copy === undefined && ordered !== value) copy = partOf(object, keys.slice(0, at));
    if (copy !== undefined) copy[key] = ordered;
  }
  return copy ?? object;
}

/** True if they were not in order. */
function sort(keys: string[]): boolean {
  let isSorted = true;
  for (let at = 1; at < keys.length && isSorted; at += 1) isSorted = (keys[at - 1] ?? '') < (keys[at] ?? '');
  if (isSorted) return false;
  if (keys.length > FEW_KEYS) keys.sort();
  else insertionSort(keys);
  return true;
}

function insertionSort(keys: string[]): void {
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end] ?? '';
    let at = end;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at -= 1) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
}

/** Integer-like keys precede all others in an object, and assigning this one name does not create a key. */
function isOdd(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= ZERO && first <= NINE) || key === '__proto__';
}

function partOf(object: JsonObject, keys: readonly string[]): JsonObject {
  const part: JsonObject = {};
  for (const key of keys) part[key] = object[key];
  return part;
}
