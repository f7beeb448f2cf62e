import { isObject, own, setOwn, type Json, type JsonObject } from '../../base/index.ts';
import { childOf, type SchemaNode } from './node.ts';

/** The object with the schema's defaults; nulls that may not be null are replaced by their default, or dropped. */
export function applyDefaults(node: SchemaNode, object: JsonObject): JsonObject {
  return defaultObject(node, object);
}

function defaultValue(node: SchemaNode | undefined, value: Json): Json {
  if (!node) return value;
  if (Array.isArray(value)) return value.map((item) => defaultValue(node.items, replaceNull(node.items, item)));
  return isObject(value) ? defaultObject(node, value) : value;
}

function replaceNull(node: SchemaNode | undefined, value: Json): Json {
  return value === null && node && !node.nullable && node.default !== undefined ? node.default : value;
}

function defaultObject(node: SchemaNode, object: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value = null] of Object.entries(object)) {
    const child = childOf(node, key);
    const given = replaceNull(child, value);
    if (given === null && child && !child.nullable) continue;
    setOwn(result, key, defaultValue(child, given));
  }
  for (const [key, property] of node.properties) {
    if (own(result, key) === undefined && property.default !== undefined && property.default !== null) {
      setOwn(result, key, defaultValue(property, property.default));
    }
  }
  return result;
}
