import { AppError } from './errors.ts';
import type { Json, JsonObject } from './lossless-json.ts';

/**
 * Readers for objects that anybody may have written: a value of an unexpected shape reads as absent, and so does
 * whatever every JavaScript object inherits (`constructor` and the like).
 */
type Path = readonly string[];

/** Deeper documents are refused, because recursing into them would exhaust the stack. */
const MAX_DEPTH = 1000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function own(object: Readonly<JsonObject>, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Works for the key `__proto__` too, where a plain assignment would set the prototype. */
export function setOwn(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

export function valueAt(value: Json | undefined, ...path: Path): Json | undefined {
  let current = value;
  for (const key of path) current = isObject(current) ? own(current, key) : undefined;
  return current;
}

/** Empty when there is none, so that an optional field of an optional field is read in one step. */
export function objectAt(value: Json | undefined, ...path: Path): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : {};
}

/** The objects in a list; other elements are skipped. */
export function objectsAt(value: Json | undefined, ...path: Path): JsonObject[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** An empty string reads as absent, as Kubernetes means it. */
export function textAt(value: Json | undefined, ...path: Path): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** A map of strings, such as labels; other values are skipped. */
export function textsAt(value: Json | undefined, ...path: Path): Record<string, string> {
  const entries = Object.entries(objectAt(value, ...path));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A shallow copy without some keys. */
export function without(object: Readonly<JsonObject>, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Equal as JSON: the order of keys does not matter, and an undefined value counts as absent. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  return isEqualFrom(0, a, b);
}

function isEqualFrom(depth: number, a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  checkDepth(depth);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqualFrom(depth + 1, item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  let left = 0;
  for (const key of Object.keys(b)) if (b[key] !== undefined) left += 1;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    left -= 1;
    if (left < 0 || !isEqualFrom(depth + 1, a[key], own(b, key))) return false;
  }
  return left === 0;
}

/** For functions that recurse into a document. */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new AppError('usage', `the document is nested deeper than ${String(MAX_DEPTH)} levels`);
}
