import {
  isObject,
  objectAt,
  setOwn,
  textAt,
  textsAt,
  valueAt,
  without,
  type Json,
  type JsonObject,
} from '../../base/index.ts';

export function labelsOf(item: JsonObject): Record<string, string> {
  return textsAt(item, 'metadata', 'labels');
}

export function annotationsOf(item: JsonObject): Record<string, string> {
  return textsAt(item, 'metadata', 'annotations');
}

export function nameOf(item: JsonObject): string {
  return textAt(item, 'metadata', 'name') ?? '';
}

export function kindOf(item: JsonObject): string {
  return textAt(item, 'kind') ?? '';
}

/**
 * A copy with another value at the path; missing objects on the way are created. Undefined removes, and creates
 * nothing.
 */
export function withValue(item: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return item;
  if (value === undefined && !Object.hasOwn(item, key)) return item;
  if (rest.length > 0) {
    const child = item[key];
    if (!isObject(child) && value === undefined) return item;
    return assign(item, key, withValue(isObject(child) ? child : {}, rest, value));
  }
  return value === undefined ? without(item, key) : assign(item, key, value);
}

/** A copy without these keys of the object at the path. An object that becomes empty is removed too. */
export function withoutKeys(item: JsonObject, path: readonly string[], keys: readonly string[]): JsonObject {
  const current = objectAt(item, ...path);
  if (!keys.some((key) => Object.hasOwn(current, key))) return item;
  const left = without(current, ...keys);
  return withValue(item, path, Object.keys(left).length === 0 ? undefined : left);
}

/** A copy with every object of the list changed. An absent list stays absent. */
export function mapObjects(
  item: JsonObject,
  path: readonly string[],
  change: (element: JsonObject) => JsonObject,
): JsonObject {
  const list = valueAt(item, ...path);
  if (!Array.isArray(list)) return item;
  return withValue(
    item,
    path,
    list.map((element) => (isObject(element) ? change(element) : element)),
  );
}

function assign(item: JsonObject, key: string, value: Json): JsonObject {
  const copy = { ...item };
  setOwn(copy, key, value);
  return copy;
}
