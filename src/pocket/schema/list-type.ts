import { isObject, own, stringifyJson, type Json, type JsonObject } from '../../base/index.ts';
import { duplicate, invalid, type FieldError } from './field-error.ts';
import type { SchemaNode } from './node.ts';

/** Lists of type set and map may hold no two elements that are the same, or have the same keys. */
export function validateListTypes(node: SchemaNode, value: Json, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = node;
    const inner = items ? value.flatMap((item, index) => validateListTypes(items, item, `${path}[${index}]`)) : [];
    return [...uniqueErrors(node, value, path), ...inner];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item = null]) => {
    const property = node.properties.get(key);
    if (property) return validateListTypes(property, item, path === '' ? key : `${path}.${key}`);
    return typeof node.additional === 'object' ? validateListTypes(node.additional, item, `${path}[${key}]`) : [];
  });
}

function keysOf(node: SchemaNode, item: Json): JsonObject {
  const keys: JsonObject = {};
  for (const key of node.listKeys) {
    const value = isObject(item) ? own(item, key) : undefined;
    if (value !== undefined) keys[key] = value;
  }
  return keys;
}

function uniqueErrors(node: SchemaNode, list: Json[], path: string): FieldError[] {
  if (node.listType !== 'set' && node.listType !== 'map') return [];
  const stranger = node.listType === 'map' ? list.findIndex((item) => item !== null && !isObject(item)) : -1;
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${stranger}]`, list[stranger] ?? null, detail)];
  }
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, item] of list.entries()) {
    const identity = node.listType === 'map' ? keysOf(node, item) : item;
    const text = stringifyJson(identity);
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    // The third and later ones say nothing new.
    if (times === 2) errors.push(duplicate(`${path}[${index}]`, identity));
  }
  return errors;
}
