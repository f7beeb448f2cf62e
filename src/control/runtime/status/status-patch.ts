import { isEqual, isObject, type Json, type JsonObject } from '../../../base/index.ts';

/**
 * The merge patch that turns `current` into `desired`; undefined when nothing changes. At the top level only the fields
 * that `desired` names are touched (the rest belongs to others); below that, what `desired` lacks is removed, such as
 * an ETA that no longer holds.
 */
export function statusPatch(current: Json | undefined, desired: JsonObject): JsonObject | undefined {
  const before = isObject(current) ? current : {};
  return patchOf(before, desired, Object.keys(desired));
}

function patchOf(before: JsonObject, after: JsonObject, keys: Iterable<string>): JsonObject | undefined {
  const patch: JsonObject = {};
  for (const key of keys) {
    const change = changeOf(before[key], after[key]);
    if (change !== undefined) patch[key] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** In a merge patch null removes; undefined here means no change. */
function changeOf(before: Json | undefined, after: Json | undefined): Json | undefined {
  if (after === undefined || after === null) return before === undefined || before === null ? undefined : null;
  if (isObject(before) && isObject(after)) {
    return patchOf(before, after, new Set([...Object.keys(before), ...Object.keys(after)]));
  }
  return isEqual(before, after) ? undefined : withoutUndefined(after);
}

/** An undefined field would vanish on the wire and null would remove, so a new value contains neither. */
function withoutUndefined(value: Json): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined && item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutUndefined(item as Json)]));
}
