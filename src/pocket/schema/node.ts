import {
  compileGoPattern,
  isAppError,
  isObject,
  own,
  type GoPattern,
  type Json,
  type JsonObject,
} from '../../base/index.ts';

/** One level of a structural schema, read once so that checking an object looks nothing up by name. */
export interface SchemaNode {
  types: readonly string[];
  format: string;
  nullable: boolean;
  preserveUnknown: boolean;
  embeddedResource: boolean;
  properties: ReadonlyMap<string, SchemaNode>;
  /** The schema of the values of a map; true when anything goes, false when nothing may be added. */
  additional: SchemaNode | boolean | undefined;
  items: SchemaNode | undefined;
  required: readonly string[];
  default: Json | undefined;
  enum: readonly Json[] | undefined;
  listType: string | undefined;
  listKeys: readonly string[];
  pattern: Pattern | undefined;
  limits: Readonly<Partial<Record<Limit, number>>>;
  exclusiveMaximum: boolean;
  exclusiveMinimum: boolean;
  anyOf: readonly SchemaNode[];
  oneOf: readonly SchemaNode[];
  allOf: readonly SchemaNode[];
  not: SchemaNode | undefined;
}

export interface Pattern {
  source: string;
  /** Undefined when Go would refuse the pattern; then nothing matches. */
  expression: GoPattern | undefined;
}

const LIMITS = [
  'maximum',
  'minimum',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
] as const;
export type Limit = (typeof LIMITS)[number];

/** Deeper schemas are cut off: no schema a person wrote is, and every walk follows this depth. */
const MAX_DEPTH = 200;

function readTypes(schema: JsonObject): string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return typeof schema['type'] === 'string' && schema['type'] !== '' ? [schema['type']] : [];
}

const STRING_FORMATS = new Set([
  ...['bsonobjectid', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uuid', 'uuid3', 'uuid4', 'uuid5'],
  ...['isbn', 'isbn10', 'isbn13', 'creditcard', 'ssn', 'hexcolor', 'rgbcolor', 'byte', 'password', 'date', 'duration'],
  ...['datetime', 'k8sshortname', 'k8slongname'],
]);

/** Formats that mean nothing for the type are ignored, as upstream does. */
function readFormat(schema: JsonObject, types: readonly string[]): string {
  const format = typeof schema['format'] === 'string' ? schema['format'] : '';
  const type = types.length === 1 ? types[0] : undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  if (type !== undefined && type !== 'string') return '';
  return STRING_FORMATS.has(format.replaceAll('-', '')) ? format : '';
}

const strings = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

function readLimits(schema: JsonObject): Partial<Record<Limit, number>> {
  const limits: Partial<Record<Limit, number>> = {};
  for (const name of LIMITS) {
    const value = schema[name];
    if (typeof value === 'number' || typeof value === 'bigint') limits[name] = Number(value);
  }
  return limits;
}

function readPattern(source: string): GoPattern | undefined {
  try {
    return compileGoPattern(source);
  } catch (error) {
    if (isAppError(error, 'invalid')) return undefined;
    throw error;
  }
}

function readAdditional(value: Json | undefined, depth: number): SchemaNode | boolean | undefined {
  if (typeof value === 'boolean') return value;
  return isObject(value) ? readNode(value, depth + 1) : undefined;
}

function readAlternatives(value: Json | undefined, depth: number): SchemaNode[] {
  return Array.isArray(value) ? value.filter(isObject).map((item) => readNode(item, depth + 1)) : [];
}

export function readNode(schema: JsonObject, depth = 0): SchemaNode {
  const isTooDeep = depth > MAX_DEPTH;
  const properties = new Map<string, SchemaNode>();
  if (isObject(schema['properties']) && !isTooDeep) {
    for (const [name, property] of Object.entries(schema['properties'])) {
      if (isObject(property)) properties.set(name, readNode(property, depth + 1));
    }
  }
  const child = (key: string): SchemaNode | undefined => {
    const value = own(schema, key);
    return isObject(value) && !isTooDeep ? readNode(value, depth + 1) : undefined;
  };
  const types = readTypes(schema);
  return {
    types,
    format: readFormat(schema, types),
    nullable: schema['nullable'] === true,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true || isTooDeep,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    properties,
    additional: isTooDeep ? undefined : readAdditional(schema['additionalProperties'], depth),
    items: child('items'),
    required: strings(schema['required']),
    default: own(schema, 'default'),
    enum: Array.isArray(schema['enum']) ? schema['enum'] : undefined,
    listType: typeof schema['x-kubernetes-list-type'] === 'string' ? schema['x-kubernetes-list-type'] : undefined,
    listKeys: strings(schema['x-kubernetes-list-map-keys']),
    pattern:
      typeof schema['pattern'] === 'string' && schema['pattern'] !== ''
        ? { source: schema['pattern'], expression: readPattern(schema['pattern']) }
        : undefined,
    limits: readLimits(schema),
    exclusiveMaximum: schema['exclusiveMaximum'] === true,
    exclusiveMinimum: schema['exclusiveMinimum'] === true,
    anyOf: isTooDeep ? [] : readAlternatives(schema['anyOf'], depth),
    oneOf: isTooDeep ? [] : readAlternatives(schema['oneOf'], depth),
    allOf: isTooDeep ? [] : readAlternatives(schema['allOf'], depth),
    not: child('not'),
  };
}

/** The schema of the value under a key: a property, or any key of a map. */
export function childOf(node: SchemaNode, key: string): SchemaNode | undefined {
  const property = node.properties.get(key);
  if (property) return property;
  return typeof node.additional === 'object' ? node.additional : undefined;
}
