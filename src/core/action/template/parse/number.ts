import { unquote } from './unquote.ts';

/** What a number can be read as. Which of these it becomes depends on where it is used. */
export interface NumberLiteral {
  readonly text: string;
  readonly int?: bigint;
  readonly float?: number;
  readonly complex?: { real: number; imaginary: number };
}

const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;
const MIN_INT64 = -(2n ** 63n);
const INTEGER = /^[+-]?(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?[0-7])*|[1-9](?:_?\d)*)$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?[pP]([+-]?\d+)$/;
const DIGITS = /\d(?:_?\d)*/g;

/** Undefined for what is no number in Go, or too large for one. */
export function readNumber(text: string, kind: 'number' | 'complex' | 'character'): NumberLiteral | undefined {
  if (kind === 'character') return readCharacter(text);
  if (kind === 'complex') return readComplex(text);
  if (text.endsWith('i')) {
    const imaginary = readFloat(text.slice(0, -1));
    return imaginary === undefined ? undefined : simplest(text, { real: 0, imaginary });
  }
  const int = readInteger(text);
  if (int !== undefined) {
    if (int > MAX_UINT64 || int < MIN_INT64) return undefined;
    return int > MAX_INT64 ? { text, float: Number(int) } : { text, int, float: Number(int) };
  }
  const float = readFloat(text);
  // A whole number that only a float can hold is too large, not a float.
  return float === undefined || !/[.eEpP]/.test(text) ? undefined : fromFloat(text, float);
}

function fromFloat(text: string, float: number): NumberLiteral {
  const isWhole = Number.isInteger(float) && Math.abs(float) < 2 ** 63;
  return isWhole ? { text, float, int: BigInt(float) } : { text, float };
}

function readCharacter(text: string): NumberLiteral | undefined {
  const meant = unquote(text);
  if (meant === undefined) return undefined;
  const [character, ...others] = Array.from(meant);
  if (character === undefined || others.length > 0) return undefined;
  const point = Number(character.codePointAt(0));
  const code = point >= 0xdc80 && point <= 0xdcff ? point - 0xdc00 : point;
  return { text, int: BigInt(code), float: code };
}

function readComplex(text: string): NumberLiteral | undefined {
  const split = Math.max(text.lastIndexOf('+', text.length - 2), text.lastIndexOf('-', text.length - 2));
  const at = /[eEpP]/.test(text.charAt(split - 1)) ? text.slice(0, split - 1).search(/[+-](?!.*[+-])/) : split;
  const real = readFloat(text.slice(0, at));
  const imaginary = readFloat(text.slice(at, -1));
  return real === undefined || imaginary === undefined ? undefined : simplest(text, { real, imaginary });
}

/** A complex number without an imaginary part is as good as a real one. */
function simplest(text: string, complex: { real: number; imaginary: number }): NumberLiteral {
  return complex.imaginary === 0 ? { ...fromFloat(text, complex.real), complex } : { text, complex };
}

function readInteger(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const digits = text.replaceAll('_', '').replace(/^[+-]/, '');
  const magnitude = BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return text.startsWith('-') ? -magnitude : magnitude;
}

function readFloat(text: string): number | undefined {
  const plain = text.replace(DIGITS, (digits) => digits.replaceAll('_', ''));
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal !== null) return readHexadecimal(hexadecimal);
  const value = DECIMAL.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function readHexadecimal([, sign, whole = '', fraction = '', exponent]: RegExpExecArray): number | undefined {
  if (whole + fraction === '') return undefined;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' ? -value : value;
}
