import type { JsonObject } from '../../base/index.ts';
import { goTypeOf, type GoField, type GoStruct, type GoType, type Scalar } from '../builtins/index.ts';

/** Not `{}`: `kubectl explain --recursive` takes an empty schema for a missing one. */
const ANYTHING: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** Values with a form of their own stand where they are used; everything else is referred to by name. */
const SCALARS: Readonly<Record<Scalar, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intstr: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  raw: { type: 'object' },
  json: ANYTHING,
  schemaOrBool: ANYTHING,
  schemaOrArray: ANYTHING,
  schemaOrStrings: ANYTHING,
};

export const schemaRef = (name: string): JsonObject => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] });

function typeSchema(type: GoType): JsonObject {
  if (type.kind === 'struct') return schemaRef(type.struct.name);
  if (type.kind === 'list') return { type: 'array', items: typeSchema(type.of) };
  if (type.kind === 'map') return { type: 'object', additionalProperties: typeSchema(type.of) };
  return SCALARS[type.kind];
}

function fieldSchema(field: GoField): JsonObject {
  return {
    ...typeSchema(field.type),
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.listKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': [...field.listKeys] }),
    ...(field.mapType === undefined ? {} : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.mergeKey }),
    ...(field.strategies.length === 0 ? {} : { 'x-kubernetes-patch-strategy': field.strategies.join(',') }),
  };
}

function structSchema(struct: GoStruct): JsonObject {
  const properties: JsonObject = {};
  for (const [name, field] of struct.byName) properties[name] = fieldSchema(field);
  const required = [...struct.byName.values()].filter((field) => field.required).map((field) => field.name);
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

function structsIn(type: GoType): GoStruct | undefined {
  if (type.kind === 'struct') return type.struct;
  return type.kind === 'list' || type.kind === 'map' ? structsIn(type.of) : undefined;
}

/** Adds the schemas of the type and of every type it refers to. */
export function addSchemas(struct: GoStruct, schemas: JsonObject): void {
  if (Object.hasOwn(schemas, struct.name)) return;
  schemas[struct.name] = structSchema(struct);
  for (const field of struct.byName.values()) {
    const inner = structsIn(field.type);
    if (inner) addSchemas(inner, schemas);
  }
}

/** Every object's metadata. */
export function metadataStruct(): GoStruct {
  const type = goTypeOf('', 'v1', 'ConfigMap')?.byName.get('metadata')?.type;
  if (type?.kind !== 'struct') throw new TypeError('generated types have no ObjectMeta');
  return type.struct;
}
