import { Buffer } from 'node:buffer';
import { messageOf, parseJson, type Json } from '../../base/index.ts';
import { formatTime, type Scalar } from '../builtins/index.ts';
import { malformed, WireReader } from './wire.ts';

export function toInteger(value: bigint): number | bigint {
  const signed = BigInt.asIntN(64, value);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

export const toInt32 = (value: bigint): number => Number(BigInt.asIntN(32, value));

/** The last value of each field of a small message of scalars. */
function scalars(bytes: Uint8Array): Map<number, bigint | Uint8Array> {
  const reader = new WireReader(bytes);
  const values = new Map<number, bigint | Uint8Array>();
  while (!reader.isDone) {
    const { number, wireType } = reader.tag();
    if (wireType === 0) values.set(number, reader.varint());
    else if (wireType === 2) values.set(number, reader.bytes());
    else reader.skip(wireType);
  }
  return values;
}

const integerOf = (value: bigint | Uint8Array | undefined): bigint => (typeof value === 'bigint' ? value : 0n);
const bytesOf = (value: bigint | Uint8Array | undefined): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array();
const textOf = (value: bigint | Uint8Array | undefined): string => Buffer.from(bytesOf(value)).toString('utf8');

/** `{seconds = 1, nanos = 2}`; no bytes at all are Go's zero time, which JSON writes as null. */
function time(bytes: Uint8Array, withMicros: boolean): Json {
  if (bytes.length === 0) return null;
  const values = scalars(bytes);
  const micros = withMicros ? Math.trunc(toInt32(integerOf(values.get(2))) / 1000) : undefined;
  const seconds = Number(BigInt.asIntN(64, integerOf(values.get(1))));
  const text = formatTime(seconds, micros);
  if (text === undefined) throw malformed(`a time of ${seconds} seconds has no RFC 3339 form`);
  return text;
}

/** JSON inside protobuf. */
function embedded(bytes: Uint8Array): Json {
  const raw = bytesOf(scalars(bytes).get(1));
  if (raw.length === 0) return null;
  try {
    return parseJson(Buffer.from(raw).toString('utf8')) as Json;
  } catch (error) {
    throw malformed(`an embedded value is not JSON: ${messageOf(error)}`);
  }
}

/** The types whose message is not one field for one field: undefined when `kind` is not one of them. */
export function decodeSpecial(kind: Scalar, bytes: Uint8Array): Json | undefined {
  switch (kind) {
    case 'time':
    case 'microtime':
      return time(bytes, kind === 'microtime');
    case 'quantity':
      return textOf(scalars(bytes).get(1)) || '0';
    case 'intstr': {
      const values = scalars(bytes);
      return integerOf(values.get(1)) === 1n ? textOf(values.get(3)) : toInt32(integerOf(values.get(2)));
    }
    case 'raw':
    case 'json':
      return embedded(bytes);
    default:
      return undefined;
  }
}
