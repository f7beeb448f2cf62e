import { createHash } from 'node:crypto';
import { TYPES_JSON } from './types.gen.ts';

/** The types with a JSON form of their own, by the words the generator gives them. */
const SCALARS = [
  'string',
  'bool',
  'int32',
  'int64',
  'float64',
  'bytes',
  'time',
  'microtime',
  'quantity',
  'intstr',
  'raw',
  'json',
  'schemaOrBool',
  'schemaOrArray',
  'schemaOrStrings',
] as const;
export type Scalar = (typeof SCALARS)[number];

export type GoType =
  | { kind: Scalar }
  /** `wrapped`: on the wire the list is field 1 of a message of its own. */
  | { kind: 'list'; of: GoType; wrapped: boolean }
  | { kind: 'map'; of: GoType }
  | { kind: 'struct'; struct: GoStruct };

/** One field of a Go struct, as its tags describe it. */
export interface GoField {
  /** Empty when the field's own fields stand in its place in JSON. */
  name: string;
  /** The protobuf number; 0 for fields that are not on the wire. */
  number: number;
  type: GoType;
  pointer: boolean;
  omitEmpty: boolean;
  omitZero: boolean;
  inline: boolean;
  required: boolean;
  /** The Go name of a named scalar or map, such as `v1.Protocol`. */
  goName?: string;
  strategies: readonly string[];
  mergeKey?: string;
  listType?: string;
  listKeys?: readonly string[];
  mapType?: string;
}

export interface GoStruct {
  /** The OpenAPI name, such as `io.k8s.api.core.v1.Pod`. */
  name: string;
  fields: readonly GoField[];
  /** The fields by JSON name, inlined ones included. */
  byName: ReadonlyMap<string, GoField>;
  byNumber: ReadonlyMap<number, GoField>;
}

interface More {
  go?: string;
  strategy?: string;
  mergeKey?: string;
  listType?: string;
  listKeys?: string[];
  mapType?: string;
}
/** Flags: p pointer, o omitempty, z omitzero, i inline, r required. */
type Row = [name: string, number: number, type: string, flags: string, more?: More];
interface Data {
  kinds: Record<string, string>;
  types: Record<string, Row[]>;
}

interface MutableStruct extends GoStruct {
  fields: GoField[];
  byName: Map<string, GoField>;
  byNumber: Map<number, GoField>;
}

function readType(text: string, structs: ReadonlyMap<string, GoStruct>): GoType {
  if (text.startsWith('[]')) return { kind: 'list', of: readType(text.slice(2), structs), wrapped: false };
  if (text.startsWith('<>')) return { kind: 'list', of: readType(text.slice(2), structs), wrapped: true };
  if (text.startsWith('{}')) return { kind: 'map', of: readType(text.slice(2), structs) };
  const struct = text.startsWith('#') ? structs.get(text.slice(1)) : undefined;
  if (struct) return { kind: 'struct', struct };
  const scalar = SCALARS.find((word) => word === text);
  if (!scalar) throw new TypeError(`generated types name an unknown type ${text}`);
  return { kind: scalar };
}

function readField(row: Row, structs: ReadonlyMap<string, GoStruct>): GoField {
  const [name, number, type, flags, more = {}] = row;
  const { go, strategy, ...rest } = more;
  return {
    name,
    number,
    type: readType(type, structs),
    pointer: flags.includes('p'),
    omitEmpty: flags.includes('o'),
    omitZero: flags.includes('z'),
    inline: flags.includes('i'),
    required: flags.includes('r'),
    strategies: strategy === undefined ? [] : strategy.split(','),
    ...(go === undefined ? {} : { goName: go }),
    ...rest,
  };
}

function indexByName(struct: MutableStruct, into: Map<string, GoField>): void {
  for (const field of struct.fields) {
    if (field.inline && field.type.kind === 'struct') indexByName(field.type.struct as MutableStruct, into);
    else into.set(field.name, field);
  }
}

function load(text: string): { structs: ReadonlyMap<string, GoStruct>; kinds: ReadonlyMap<string, GoStruct> } {
  const data = JSON.parse(text) as Data;
  const structs = new Map<string, MutableStruct>();
  // Types refer to each other, and a schema to itself, so that all must exist before the first is filled.
  for (const name of Object.keys(data.types)) {
    structs.set(name, { name, fields: [], byName: new Map(), byNumber: new Map() });
  }
  for (const struct of structs.values()) {
    for (const row of data.types[struct.name] ?? []) struct.fields.push(readField(row, structs));
    for (const field of struct.fields) if (field.number > 0) struct.byNumber.set(field.number, field);
  }
  for (const struct of structs.values()) indexByName(struct, struct.byName);
  const kinds = Object.entries(data.kinds).flatMap(([gvk, name]) => {
    const struct = structs.get(name);
    return struct ? [[gvk, struct] as const] : [];
  });
  return { structs, kinds: new Map(kinds) };
}

const LOADED = load(TYPES_JSON);

/** Changes with the generated data. */
export const TYPES_HASH = createHash('sha256').update(TYPES_JSON).digest('hex');

/** Kinds that every group version knows under the same shape. */
const EVERYWHERE = new Set(['DeleteOptions', 'Status']);

/** The Go type of a kind; undefined when the kind is not built in. */
export function goTypeOf(group: string, version: string, kind: string): GoStruct | undefined {
  return EVERYWHERE.has(kind) ? LOADED.kinds.get(`/v1/${kind}`) : LOADED.kinds.get(`${group}/${version}/${kind}`);
}

/** By OpenAPI name; for the types that only special values lead to. */
function goStruct(name: string): GoStruct {
  const struct = LOADED.structs.get(name);
  if (!struct) throw new TypeError(`generated types have no ${name}`);
  return struct;
}

export const OBJECT_META = goStruct('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
/** The schema inside CustomResourceDefinitions. */
export const JSON_SCHEMA_PROPS = goStruct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
