import { isObject, type Json, type JsonObject } from '../../base/index.ts';
import {
  JSON_SCHEMA_PROPS,
  parseMicroTime,
  parseQuantity,
  parseTime,
  QUANTITY_FORMAT_WRONG,
  type GoStruct,
  type GoType,
} from '../builtins/index.ts';
import { base64Error } from './base64-error.ts';

/** What a Go decoder says of a document: its first type error, and the fields its types do not have. */
export interface Checked {
  typeError?: string;
  unknown: string[];
}

/** As many unknown fields as the real server reports. */
const MAX_UNKNOWN = 100;
const INT32 = 2 ** 31;
const INT64 = 2n ** 63n;

/** Where the walk is: the struct and the fields on the way name an error, the path names an unknown field. */
interface Place {
  struct: string;
  fields: readonly string[];
  path: string;
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const goNameOf = (struct: GoStruct): string => struct.name.split('.').slice(-2).join('.');

/** The name of the type as Go prints it, unless the field has a name for it. */
function nameOf(type: GoType): string {
  if (type.kind === 'struct') return goNameOf(type.struct);
  if (type.kind === 'list') return `[]${nameOf(type.of)}`;
  if (type.kind === 'map') return `map[string]${nameOf(type.of)}`;
  return type.kind === 'bytes' ? '[]uint8' : type.kind;
}

function elementName(goName: string | undefined): string | undefined {
  if (goName === undefined) return undefined;
  const match = /^(?:\[\]|map\[[^\]]+\])(.+)$/.exec(goName);
  return match?.[1];
}

class Walk {
  readonly unknown: string[] = [];
  /** A wrong type is remembered and the reading goes on. */
  #firstMismatch: string | undefined;
  /** A type that reads itself and fails ends the reading, whatever was remembered. */
  #ended: string | undefined;

  get typeError(): string | undefined {
    return this.#ended ?? this.#firstMismatch;
  }

  check(value: Json, type: GoType, at: Place, goName?: string): void {
    // Go leaves what it was told is null as it was.
    if (value === null || this.#ended !== undefined) return;
    switch (type.kind) {
      case 'struct':
        if (isObject(value)) this.struct(value, type.struct, at);
        else this.mismatch(value, type, at, goName);
        break;
      case 'list':
        if (Array.isArray(value)) this.list(value, type.of, at, goName);
        else this.mismatch(value, type, at, goName);
        break;
      case 'map':
        if (isObject(value)) this.map(value, type.of, at, goName);
        else this.mismatch(value, type, at, goName);
        break;
      default:
        this.scalar(value, type, at, goName);
    }
  }

  struct(object: JsonObject, struct: GoStruct, at: Place): void {
    const name = struct.name.slice(struct.name.lastIndexOf('.') + 1);
    for (const [key, value = null] of Object.entries(object)) {
      const field = struct.byName.get(key);
      const path = at.path === '' ? key : `${at.path}.${key}`;
      if (!field) this.addUnknown(path);
      else this.check(value, field.type, { struct: name, fields: [...at.fields, key], path }, field.goName);
    }
  }

  private addUnknown(path: string): void {
    if (this.unknown.length < MAX_UNKNOWN) this.unknown.push(path);
  }

  private list(list: Json[], of: GoType, at: Place, goName?: string): void {
    for (const [index, value] of list.entries()) {
      this.check(value, of, { ...at, path: `${at.path}[${index}]` }, elementName(goName));
    }
  }

  private map(object: JsonObject, of: GoType, at: Place, goName?: string): void {
    for (const [key, value = null] of Object.entries(object)) {
      this.check(value, of, { ...at, path: `${at.path}.${key}` }, elementName(goName));
    }
  }

  private scalar(value: Json, type: GoType, at: Place, goName?: string): void {
    switch (type.kind) {
      case 'string':
        if (typeof value !== 'string') this.mismatch(value, type, at, goName);
        break;
      case 'bool':
        if (typeof value !== 'boolean') this.mismatch(value, type, at, goName);
        break;
      case 'float64':
        if (kindOf(value) !== 'number') this.mismatch(value, type, at, goName);
        break;
      case 'int32':
      case 'int64':
        this.#firstMismatch ??= integerError(value, type.kind, at, goName ?? type.kind);
        break;
      case 'bytes':
        if (typeof value === 'string') this.#firstMismatch ??= base64Error(value);
        else this.mismatch(value, type, at, goName);
        break;
      default:
        this.special(value, type, at);
    }
  }

  private special(value: Json, type: GoType, at: Place): void {
    switch (type.kind) {
      case 'quantity':
        this.end(quantityError(value));
        break;
      case 'time':
      case 'microtime':
        if (typeof value !== 'string') this.end(mismatchText(kindOf(value), 'string', at));
        else this.end(errorOf(type.kind === 'time' ? parseTime(value) : parseMicroTime(value)));
        break;
      case 'intstr':
        if (typeof value !== 'string') this.end(integerError(value, 'int32', at, 'int32'));
        break;
      case 'schemaOrBool':
        if (isObject(value)) this.schema(value, at);
        else if (typeof value !== 'boolean') this.end('boolean or JSON schema expected');
        break;
      case 'schemaOrArray':
      case 'schemaOrStrings':
        if (isObject(value)) this.schema(value, at);
        break;
      default:
    }
  }

  /** A schema inside a schema is read leniently: only its types count. */
  private schema(object: JsonObject, at: Place): void {
    const inner = new Walk();
    inner.struct(object, JSON_SCHEMA_PROPS, at);
    this.end(inner.typeError);
  }

  private mismatch(value: Json, type: GoType, at: Place, goName?: string): void {
    this.#firstMismatch ??= mismatchText(kindOf(value), goName ?? nameOf(type), at);
  }

  private end(message: string | undefined): void {
    this.#ended ??= message;
  }
}

function mismatchText(what: string, goName: string, at: Place): string {
  const where = at.struct === '' ? 'value' : `struct field ${at.struct}.${at.fields.join('.')}`;
  return `json: cannot unmarshal ${what} into Go ${where} of type ${goName}`;
}

function integerError(value: Json, kind: 'int32' | 'int64', at: Place, goName: string): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return mismatchText(kindOf(value), goName, at);
  return fits(value, kind) ? undefined : mismatchText(`number ${value}`, goName, at);
}

function fits(value: number | bigint, kind: 'int32' | 'int64'): boolean {
  if (typeof value === 'bigint') return kind === 'int64' && value >= -INT64 && value < INT64;
  return Number.isInteger(value) && (kind === 'int64' || (value >= -INT32 && value < INT32));
}

function errorOf(parsed: { text: string } | { error: string }): string | undefined {
  return 'error' in parsed ? parsed.error : undefined;
}

function quantityError(value: Json): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isText ? errorOf(parseQuantity(String(value))) : QUANTITY_FORMAT_WRONG;
}

/** Reads the object as Go's decoder would, without changing it. */
export function checkStruct(struct: GoStruct, object: JsonObject): Checked {
  const walk = new Walk();
  walk.struct(object, struct, { struct: '', fields: [], path: '' });
  const { typeError, unknown } = walk;
  return typeError === undefined ? { unknown } : { typeError, unknown };
}
