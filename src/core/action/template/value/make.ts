import { isObject, type Json, type JsonObject } from '../../../../base/index.ts';
import { goText } from './go-text.ts';
import { BYTES, DICT, INT, INT64, LIST, TEXTS } from './type.ts';
import { Int, List, Mapping, Pointer, Struct, type Field, type Type, type Value } from './value.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

export const int = (value: number | bigint): Int => new Int(INT, BigInt(value));
/** With Go's overflow. */
export const int64 = (value: number | bigint): Int => new Int(INT64, BigInt.asIntN(64, BigInt(value)));
export const list = (items: readonly Value[]): List => new List(LIST, items);
export const texts = (items: readonly string[]): List => new List(TEXTS, items);
export const bytes = (content: Uint8Array): List => new List(BYTES, content);
export const dict = (entries: Iterable<readonly [string, Value]>): Mapping => new Mapping(DICT, entries);

/** What Go's Kubernetes client makes of JSON: whole numbers are int64, all others float64. */
export function fromJson(json: Json | undefined): Value {
  if (json === undefined || json === null) return null;
  if (typeof json === 'string') return goText(json);
  if (typeof json === 'boolean') return json;
  if (typeof json === 'number') return Number.isSafeInteger(json) ? int64(json) : json;
  if (typeof json === 'bigint') return json >= MIN_INT64 && json <= MAX_INT64 ? int64(json) : Number(json);
  return Array.isArray(json) ? list(json.map(fromJson)) : fromObject(json);
}

/** What Go's own decoder makes of JSON: all numbers are float64. kubectl's templates see objects so. */
export function fromJsonAsFloats(json: Json | undefined): Value {
  if (typeof json === 'number' || typeof json === 'bigint') return Number(json);
  if (Array.isArray(json)) return list(json.map(fromJsonAsFloats));
  if (!isObject(json)) return fromJson(json);
  const keys = new Set(Object.keys(json).filter((key) => json[key] !== undefined));
  return new Mapping(DICT, [], { pending: { keys, make: (key) => fromJsonAsFloats(json[key]) } });
}

export function fromObject(object: Readonly<JsonObject>): Mapping {
  const keys = new Set(Object.keys(object).filter((key) => object[key] !== undefined));
  return new Mapping(DICT, [], { pending: { keys, make: (key) => fromJson(object[key]) } });
}

/** A typed map: nil if there is none. */
export function mapFrom<Source>(
  type: Type,
  source: Readonly<Record<string, Source>> | undefined,
  make: (item: Source) => Value,
): Mapping {
  if (source === undefined) return new Mapping(type, [], { isNil: true });
  const keys = new Set(Object.keys(source));
  return new Mapping(type, [], { pending: { keys, make: (key) => make(source[key] as Source) } });
}

/** With the zero of its type for every field that is not given. */
export function struct(type: Type, values: Readonly<Record<string, Value>>, inner?: unknown): Struct {
  const valueOf = ({ name, type: of }: Field): [string, Value] => [
    name,
    Object.hasOwn(values, name) ? values[name] : zeroOf(of),
  ];
  return new Struct(type, new Map((type.fields ?? []).map(valueOf)), inner);
}

export function zeroOf(type: Type): Value {
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'float64':
      return 0;
    case 'slice':
      return new List(type, [], true);
    case 'map':
      return new Mapping(type, [], { isNil: true });
    case 'ptr':
      return new Pointer(type);
    case 'struct':
      return struct(type, {});
    case 'interface':
    case 'complex128':
      return null;
    default:
      return new Int(type, 0n);
  }
}
