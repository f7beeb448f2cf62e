import { checkDepth, isEqual, isObject, own, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';

/** RFC 7386: objects merge, null deletes, everything else replaces. */
export function applyMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  return merge(target, patch, 0);
}

function merge(target: JsonObject, patch: JsonObject, depth: number): JsonObject {
  checkDepth(depth);
  const result: JsonObject = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) Reflect.deleteProperty(result, key);
    else setOwn(result, key, mergeValue(own(target, key), value, depth + 1));
  }
  return result;
}

function mergeValue(current: Json | undefined, value: Json, depth: number): Json {
  if (!isObject(current)) return withoutNulls(value, depth);
  return isObject(value) ? merge(current, value, depth) : value;
}

/** What a new value looks like after a merge: nothing is there that null could delete. */
export function withoutNulls(value: Json, depth: number): Json {
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== null && item !== undefined) setOwn(result, key, withoutNulls(item, depth + 1));
  }
  return result;
}

/** The merge patch that makes `to` of `from`, or undefined if they are equal. */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  return create(from, to, 0);
}

function create(from: JsonObject, to: JsonObject, depth: number): JsonObject | undefined {
  checkDepth(depth);
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(from)) {
    if (value !== undefined && own(to, key) === undefined) setOwn(patch, key, null);
  }
  for (const [key, value] of Object.entries(to)) {
    const change = changeOf(own(from, key), value, depth + 1);
    if (change !== undefined) setOwn(patch, key, change);
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function changeOf(from: Json | undefined, to: Json | undefined, depth: number): Json | undefined {
  if (isObject(from) && isObject(to)) return create(from, to, depth);
  return isEqual(from, to) ? undefined : to;
}
