import { checkDepth, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';

/** A deep copy and its approximate length as JSON. The copy is incomplete if the length exceeds the limit. */
export function copyJson(original: Json, limit: number): { value: Json; size: number } {
  let size = 0;
  const copy = (value: Json, depth: number): Json => {
    checkDepth(depth);
    if (typeof value !== 'object' || value === null) {
      size += String(value).length + 3;
      return value;
    }
    size += 2;
    if (size > limit) return null;
    if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      size += key.length + 3;
      setOwn(result, key, copy(item, depth + 1));
    }
    return result;
  };
  return { value: copy(original, 0), size };
}
