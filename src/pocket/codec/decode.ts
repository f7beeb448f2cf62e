import { Buffer } from 'node:buffer';
import { objectAt, setOwn, type Json, type JsonObject } from '../../base/index.ts';
import {
  goTypeOf,
  JSON_SCHEMA_PROPS,
  normalizeStruct,
  type GoField,
  type GoStruct,
  type GoType,
} from '../builtins/index.ts';
import { decodeSpecial, toInt32, toInteger } from './special.ts';
import { malformed, WireReader } from './wire.ts';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
/** Far beyond any real object, far below what would exhaust the stack. */
const MAX_DEPTH = 500;

/** True when the body opens with the envelope `k8s\0`. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/** A value that stands on the wire with a length in front. */
function decodeDelimited(bytes: Uint8Array, type: GoType, depth: number, into?: Json): Json {
  if (depth > MAX_DEPTH) throw malformed(`it is nested deeper than ${MAX_DEPTH} messages`);
  switch (type.kind) {
    case 'string':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    case 'bytes':
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    case 'struct':
      return decodeStruct(bytes, type.struct, depth, existing(into));
    case 'list':
      return decodeWrapped(bytes, type.of, depth);
    case 'schemaOrBool':
      return decodeSchemaOrBool(bytes, depth);
    case 'schemaOrArray':
    case 'schemaOrStrings':
      return decodeSchemaOrList(bytes, depth, type.kind === 'schemaOrStrings');
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'map':
      throw malformed(`a ${type.kind} came with a length`);
    default:
      return decodeSpecial(type.kind, bytes) ?? null;
  }
}

/** A singular message that comes twice is one message, later fields winning. */
function existing(into: Json | undefined): JsonObject {
  return objectAt(into);
}

function decodeScalar(reader: WireReader, wireType: number, type: GoType): Json | undefined {
  if (type.kind === 'float64' && wireType === 1) return reader.double();
  if (wireType !== 0) return undefined;
  if (type.kind === 'bool') return reader.varint() !== 0n;
  if (type.kind === 'int32') return toInt32(reader.varint());
  return type.kind === 'int64' ? toInteger(reader.varint()) : undefined;
}

/** One value of the field's element type; throws when the wire type does not fit. */
function decodeOne(reader: WireReader, wireType: number, type: GoType, options: { depth: number; into?: Json }): Json {
  if (wireType === 2) {
    return options.into === undefined
      ? decodeDelimited(reader.bytes(), type, options.depth + 1)
      : decodeDelimited(reader.bytes(), type, options.depth + 1, options.into);
  }
  const value = decodeScalar(reader, wireType, type);
  if (value === undefined) throw malformed(`wire type ${wireType} does not fit a ${type.kind}`);
  return value;
}

/** A list that is a message of its own, with its elements as field 1. */
function decodeWrapped(bytes: Uint8Array, of: GoType, depth: number): Json {
  const reader = new WireReader(bytes);
  const items: Json[] = [];
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (number === 1) items.push(decodeOne(reader, wireType, of, { depth }));
    else reader.skip(wireType);
  }
  return items;
}

function decodeMapEntry(bytes: Uint8Array, of: GoType, depth: number): [string, Json] {
  const reader = new WireReader(bytes);
  let key = '';
  let value: Json = of.kind === 'bytes' ? '' : null;
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === 2) key = reader.text();
    else if (number === 2) value = decodeOne(reader, wireType, of, { depth });
    else reader.skip(wireType);
  }
  return [key, value];
}

/** {allows = 1, schema = 2} */
function decodeSchemaOrBool(bytes: Uint8Array, depth: number): Json {
  const reader = new WireReader(bytes);
  let allows = false;
  let schema: JsonObject | undefined;
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === 0) allows = reader.varint() !== 0n;
    else if (number === 2 && wireType === 2) schema = decodeStruct(reader.bytes(), JSON_SCHEMA_PROPS, depth + 1, {});
    else reader.skip(wireType);
  }
  return schema ?? allows;
}

/** {schema = 1, list of schemas or strings = 2} */
function decodeSchemaOrList(bytes: Uint8Array, depth: number, ofStrings: boolean): Json {
  const reader = new WireReader(bytes);
  const list: Json[] = [];
  let schema: JsonObject | undefined;
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === 2) schema = decodeStruct(reader.bytes(), JSON_SCHEMA_PROPS, depth + 1, {});
    else if (number === 2 && wireType === 2) {
      list.push(ofStrings ? reader.text() : decodeStruct(reader.bytes(), JSON_SCHEMA_PROPS, depth + 1, {}));
    } else reader.skip(wireType);
  }
  return list.length > 0 ? list : (schema ?? null);
}

function decodeField(
  reader: WireReader,
  wireType: number,
  field: GoField,
  at: { object: JsonObject; depth: number },
): void {
  const { type } = field;
  const { object, depth } = at;
  if (type.kind === 'map') {
    if (wireType !== 2) throw malformed(`wire type ${wireType} does not fit the map ${field.name}`);
    const map = existing(object[field.name]);
    const [key, value] = decodeMapEntry(reader.bytes(), type.of, depth + 1);
    setOwn(map, key, value);
    object[field.name] = map;
  } else if (type.kind === 'list' && !type.wrapped) {
    const list = Array.isArray(object[field.name]) ? (object[field.name] as Json[]) : [];
    if (wireType === 2 && ['bool', 'int32', 'int64', 'float64'].includes(type.of.kind))
      unpack(reader.bytes(), type.of, list);
    else list.push(decodeOne(reader, wireType, type.of, { depth }));
    object[field.name] = list;
  } else {
    const into = object[field.name];
    object[field.name] = decodeOne(reader, wireType, type, into === undefined ? { depth } : { depth, into });
  }
}

function unpack(bytes: Uint8Array, of: GoType, list: Json[]): void {
  const reader = new WireReader(bytes);
  while (!reader.isDone) list.push(decodeOne(reader, of.kind === 'float64' ? 1 : 0, of, { depth: 0 }));
}

function decodeStruct(bytes: Uint8Array, struct: GoStruct, depth: number, object: JsonObject): JsonObject {
  if (depth > MAX_DEPTH) throw malformed(`it is nested deeper than ${MAX_DEPTH} messages`);
  const reader = new WireReader(bytes);
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    const field = struct.byNumber.get(number);
    if (!field) reader.skip(wireType);
    else if (field.inline && field.type.kind === 'struct') {
      if (wireType !== 2) throw malformed(`wire type ${wireType} does not fit a message`);
      decodeStruct(reader.bytes(), field.type.struct, depth + 1, object);
    } else decodeField(reader, wireType, field, { object, depth });
  }
  return object;
}

interface Envelope {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
  contentEncoding: string;
}

/** runtime.Unknown: {typeMeta {apiVersion = 1, kind = 2} = 1, raw = 2, contentEncoding = 3, contentType = 4}. */
function readEnvelope(bytes: Uint8Array): Envelope {
  if (!isProtobuf(bytes)) throw malformed('it does not open with the k8s envelope');
  const reader = new WireReader(bytes.subarray(MAGIC.length));
  const envelope: Envelope = { apiVersion: '', kind: '', raw: new Uint8Array(), contentEncoding: '' };
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === 2) {
      const meta = new WireReader(reader.bytes());
      while (!meta.isDone) {
        const inner = meta.tag();
        if (inner.number === 1 && inner.wireType === 2) envelope.apiVersion = meta.text();
        else if (inner.number === 2 && inner.wireType === 2) envelope.kind = meta.text();
        else meta.skip(inner.wireType);
      }
    } else if (number === 2 && wireType === 2) envelope.raw = reader.bytes();
    else if (number === 3 && wireType === 2) envelope.contentEncoding = reader.text();
    else reader.skip(wireType);
  }
  return envelope;
}

/** The object as its Go type would be written in JSON. Throws AppError `usage` (400) for anything malformed or unknown. */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, raw, contentEncoding } = readEnvelope(bytes);
  if (contentEncoding !== '') throw malformed(`content encoding ${JSON.stringify(contentEncoding)} is not supported`);
  const slash = apiVersion.indexOf('/');
  const struct = goTypeOf(slash < 0 ? '' : apiVersion.slice(0, slash), apiVersion.slice(slash + 1), kind);
  if (!struct) {
    throw malformed(
      `expected a built-in kind, got apiVersion ${JSON.stringify(apiVersion)}, kind ${JSON.stringify(kind)}`,
    );
  }
  return normalizeStruct(struct, { ...decodeStruct(raw, struct, 0, {}), apiVersion, kind });
}
