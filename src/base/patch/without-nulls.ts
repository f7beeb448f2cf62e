import { checkDepth, isObject, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';

/** What a new value looks like after a merge: there is nothing for its nulls to delete. */
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
