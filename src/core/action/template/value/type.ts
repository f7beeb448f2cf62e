import type { Kind, Type } from './value.ts';

const basic = (kind: Kind): Type => ({ kind, text: kind });
export const BOOL = basic('bool');
export const INT = basic('int');
export const INT64 = basic('int64');
export const UINT8 = basic('uint8');
export const FLOAT64 = basic('float64');
export const COMPLEX128 = basic('complex128');
export const STRING = basic('string');
export const ANY: Type = { kind: 'interface', text: 'interface {}' };

export const listOf = (elem: Type): Type => ({ kind: 'slice', text: `[]${elem.text}`, elem });
/** Keys are always strings. */
export const mapOf = (elem: Type): Type => ({ kind: 'map', text: `map[string]${elem.text}`, elem });
export const pointerTo = (elem: Type): Type => ({ kind: 'ptr', text: `*${elem.text}`, elem });

export const LIST = listOf(ANY);
export const TEXTS = listOf(STRING);
export const INTS = listOf(INT);
export const BYTES = listOf(UINT8);
export const DICT = mapOf(ANY);
export const TEXT_MAP = mapOf(STRING);

/**
 * What text/template's own functions take: any value, with nothing hidden. Unlike `interface {}` it is told no value
 * from an interface that holds nothing.
 */
export const REFLECT: Type = { kind: 'struct', text: 'reflect.Value' };

export function isInteger({ kind }: Type): boolean {
  return kind === 'int' || kind === 'int64' || kind === 'int32' || kind === 'uint8' || kind === 'uint64';
}

export function isUnsigned({ kind }: Type): boolean {
  return kind === 'uint8' || kind === 'uint64';
}
