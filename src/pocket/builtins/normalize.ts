import { isObject, setOwn, type Json, type JsonObject } from '../../base/index.ts';
import { parseQuantity } from './quantity.ts';
import { parseMicroTime, parseTime } from './timestamp.ts';
import { JSON_SCHEMA_PROPS, type GoField, type GoStruct, type GoType, type Scalar } from './types.ts';

/** What Go writes for a value that was never set. */
function zeroValue(type: GoType): Json {
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
    case 'schemaOrBool':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intstr':
      return 0;
    case 'quantity':
      return '0';
    case 'struct':
      return normalizeStruct(type.struct, {});
    default:
      return null;
  }
}

const EMPTY_WHEN_ZERO: readonly string[] = ['string', 'bool', 'int32', 'int64', 'float64', 'bytes'];

/** Go's omitempty: zero numbers, empty strings, lists and maps, but never structs. */
function isEmpty(value: Json, type: GoType): boolean {
  if (value === null) return type.kind === 'list' || type.kind === 'map' || type.kind === 'bytes';
  if (typeof value !== 'object') return EMPTY_WHEN_ZERO.includes(type.kind) && !value;
  return (type.kind === 'list' || type.kind === 'map') && Object.keys(value).length === 0;
}

function normalizeMap(value: JsonObject, of: GoType): JsonObject {
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setOwn(result, key, normalizeValue(item ?? null, of));
  return result;
}

/** A schema where upstream allows something else in its place. */
function normalizeSchemaOr(value: Json): Json {
  if (Array.isArray(value)) return value.map(normalizeSchemaOr);
  return isObject(value) ? normalizeStruct(JSON_SCHEMA_PROPS, value) : value;
}

const CANONICAL: Readonly<Partial<Record<Scalar, (text: string) => { text: string } | { error: string }>>> = {
  quantity: parseQuantity,
  time: parseTime,
  microtime: parseMicroTime,
};

function normalizeScalar(value: Json, kind: Scalar): Json {
  if (kind === 'schemaOrBool' || kind === 'schemaOrArray' || kind === 'schemaOrStrings')
    return normalizeSchemaOr(value);
  const parse = CANONICAL[kind];
  const isText = typeof value === 'string' || (kind === 'quantity' && typeof value === 'number');
  const parsed = parse && isText ? parse(String(value)) : undefined;
  return parsed && 'text' in parsed ? parsed.text : value;
}

/** A value of the wrong type stays as it is: the type check is what refuses it. */
function normalizeValue(value: Json, type: GoType): Json {
  if (value === null) return zeroValue(type);
  switch (type.kind) {
    case 'struct':
      return isObject(value) ? normalizeStruct(type.struct, value) : value;
    case 'list':
      return Array.isArray(value) ? value.map((item) => normalizeValue(item, type.of)) : value;
    case 'map':
      return isObject(value) ? normalizeMap(value, type.of) : value;
    default:
      return normalizeScalar(value, type.kind);
  }
}

function addPointer(result: JsonObject, field: GoField, value: Json | undefined): void {
  if (value !== undefined && value !== null) result[field.name] = normalizeValue(value, field.type);
  else if (!field.omitEmpty) result[field.name] = null;
}

function addField(result: JsonObject, field: GoField, value: Json | undefined): void {
  if (field.pointer) {
    addPointer(result, field, value);
    return;
  }
  if (field.omitZero && (value === undefined || value === null)) return;
  const written = normalizeValue(value ?? null, field.type);
  const empty = isEmpty(written, field.type);
  if (field.omitEmpty && empty) return;
  // The real server stores protobuf, which has no empty lists: they come back as null.
  result[field.name] = empty && field.type.kind === 'list' ? null : written;
}

function addFields(result: JsonObject, struct: GoStruct, object: JsonObject): void {
  for (const field of struct.fields) {
    if (field.inline && field.type.kind === 'struct') addFields(result, field.type.struct, object);
    else addField(result, field, Object.hasOwn(object, field.name) ? object[field.name] : undefined);
  }
}

/**
 * The object as Go would write it after reading it into the struct: fields in the struct's order, empty optional ones
 * left out, required ones with their zero value, quantities and times in canonical form. Unknown fields follow, unchanged.
 */
export function normalizeStruct(struct: GoStruct, object: JsonObject): JsonObject {
  const result: JsonObject = {};
  addFields(result, struct, object);
  for (const [key, value] of Object.entries(object)) {
    if (!struct.byName.has(key) && value !== undefined) setOwn(result, key, value);
  }
  return result;
}
