import { Buffer } from 'node:buffer';
import {
  Int,
  bytes,
  fromJson,
  list,
  mapFrom,
  texts,
  DICT,
  INT,
  TEXT_MAP,
  type Value,
} from '../../src/core/action/template/index.ts';
import { int64 } from '../../src/core/action/template/value/make.ts';

/** Data for a template with its types in Go, as the judge reads it. */
export type Typed =
  | { t: 'nil' }
  | { t: 'map'; v: Record<string, Typed> }
  | { t: 'list'; v: Typed[] }
  | { t: 'texts'; v: string[] }
  | { t: 'textMap'; v: Record<string, string> }
  | { t: 'string'; v: string }
  | { t: 'bool'; v: boolean }
  | { t: 'int' | 'int64' | 'float64'; v: string }
  /** In base64. */
  | { t: 'bytes'; v: string };

/** The same for our own evaluator. */
export function toValue(data: Typed): Value {
  switch (data.t) {
    case 'nil':
      return null;
    case 'map':
      return mapFrom(DICT, data.v, toValue);
    case 'list':
      return list(data.v.map(toValue));
    case 'texts':
      return texts(data.v);
    case 'textMap':
      return mapFrom(TEXT_MAP, data.v, fromJson);
    case 'int':
      return new Int(INT, BigInt(data.v));
    case 'int64':
      return int64(BigInt(data.v));
    case 'float64':
      return Number(data.v);
    case 'bytes':
      return bytes(new Uint8Array(Buffer.from(data.v, 'base64')));
    case 'string':
    case 'bool':
      return data.v;
  }
}
