import { checkDepth, isEqual, isObject, own, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { Draft } from './draft.ts';

/** RFC 7386: objects merge, null deletes, everything else replaces. */
export function applyMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const draft = new Draft(target);
  draft.merge(patch);
  return draft.root;
}

/** The merge patch that turns `from` into `to`, or undefined if they are equal. */
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
  // Copies of an object share what they did not change.
  if (from === to) return undefined;
  if (isObject(from) && isObject(to)) return create(from, to, depth);
  return isEqual(from, to) ? undefined : to;
}
