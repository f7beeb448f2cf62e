import { isObject, setOwn, type Json, type JsonObject } from '../../base/index.ts';
import type { SchemaNode } from './node.ts';

export interface Pruned {
  object: JsonObject;
  /** Paths of the fields that were dropped, sorted, such as `spec.extra`. */
  unknown: string[];
}

const META_FIELDS = new Set(['apiVersion', 'kind', 'metadata']);

/** Without the fields the schema does not know. The object's own apiVersion, kind and metadata always stay. */
export function prune(node: SchemaNode, object: JsonObject): Pruned {
  const unknown: string[] = [];
  const pruned = pruneObject({ ...node, embeddedResource: true }, object, '', unknown);
  return { object: pruned, unknown: unknown.sort() };
}

function pruneValue(node: SchemaNode | undefined, value: Json, path: string, unknown: string[]): Json {
  if (Array.isArray(value)) {
    return value.map((item, index) => pruneItem(node, item, `${path}[${index}]`, unknown));
  }
  return isObject(value) ? pruneObject(node, value, path, unknown) : value;
}

function pruneItem(node: SchemaNode | undefined, item: Json, path: string, unknown: string[]): Json {
  if (!node?.preserveUnknown) return pruneValue(node?.items, item, path, unknown);
  return node.items ? pruneValue({ ...node.items, preserveUnknown: true }, item, path, unknown) : item;
}

function pruneObject(node: SchemaNode | undefined, object: JsonObject, path: string, unknown: string[]): JsonObject {
  const result: JsonObject = {};
  for (const [key, value = null] of Object.entries(object)) {
    const at = path === '' ? key : `${path}.${key}`;
    const property = node?.properties.get(key);
    if (node?.embeddedResource && META_FIELDS.has(key)) setOwn(result, key, value);
    else if (property) setOwn(result, key, pruneValue(property, value, at, unknown));
    else if (typeof node?.additional === 'object') setOwn(result, key, pruneValue(node.additional, value, at, unknown));
    else if (node?.preserveUnknown) setOwn(result, key, value);
    else if (node?.additional === true) setOwn(result, key, pruneValue(undefined, value, at, unknown));
    else unknown.push(at);
  }
  return result;
}
