import type { Json, JsonObject } from '../../base/index.ts';

const ZERO = 48;
const NINE = 57;
/** Sorting more of them by insertion would be slower than by the language's own sort, which leaves garbage. */
const FEW_KEYS = 20;

/**
 * The same value with the keys of every object in order, copied only where they are not. Undefined for one that
 * JSON.stringify could not write in that order, or not at all: numbers as keys come first, and there are big integers.
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
  // Counted by hand, because entries() leaves an array of two for every key.
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

/** True when they were not in order. */
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

/** Numbers as keys stand before all others in an object, and this one name is no key when it is assigned. */
function isOdd(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= ZERO && first <= NINE) || key === '__proto__';
}

function partOf(object: JsonObject, keys: readonly string[]): JsonObject {
  const part: JsonObject = {};
  for (const key of keys) part[key] = object[key];
  return part;
}
