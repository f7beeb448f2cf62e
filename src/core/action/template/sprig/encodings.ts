import { fromBytes, toBytes } from '../value/go-text.ts';
import { fn, text } from '../value/function.ts';
import type { Callable } from '../value/value.ts';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const NEWLINES = '\n\r';

/** Groups of bits as letters, padded to whole groups. */
function encode(bytes: Uint8Array, alphabet: string, { bits, group }: { bits: number; group: number }): string {
  const letters: string[] = [];
  let buffer = 0;
  let held = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    held += 8;
    for (; held >= bits; held -= bits) letters.push(alphabet.charAt((buffer >> (held - bits)) & ((1 << bits) - 1)));
  }
  if (held > 0) letters.push(alphabet.charAt((buffer << (bits - held)) & ((1 << bits) - 1)));
  const padding = (group - (letters.length % group)) % group;
  return letters.join('') + '='.repeat(padding);
}

export function base64(bytes: Uint8Array): string {
  return encode(bytes, BASE64, { bits: 6, group: 4 });
}

/** The bytes, or Go's message about the first byte that does not belong there. */
export function decodeBase64(source: string): { bytes: Uint8Array } | { problem: string } {
  const found = decodeLetters64(source);
  if (typeof found === 'number') return { problem: `illegal base64 data at input byte ${String(found)}` };
  return { bytes: bytesOf(found, 6) };
}

function bytesOf(values: readonly number[], bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.floor((values.length * bits) / 8));
  let buffer = 0;
  let held = 0;
  let at = 0;
  for (const value of values) {
    buffer = ((buffer << bits) | value) & 0xffff;
    held += bits;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = (buffer >> held) & 0xff;
  }
  return bytes;
}

/** The values of the letters, or where it went wrong. Lines may be broken anywhere. */
function decodeLetters64(source: string): number[] | number {
  const letters = Array.from(toBytes(source), (byte) => String.fromCharCode(byte));
  const values: number[] = [];
  let inGroup = 0;
  for (let at = 0; at < letters.length; at += 1) {
    const letter = String(letters[at]);
    const value = BASE64.indexOf(letter);
    if (value >= 0) {
      values.push(value);
      inGroup = (inGroup + 1) % 4;
    } else if (!NEWLINES.includes(letter)) {
      if (letter !== '=' || inGroup < 2) return at;
      return paddingProblem(letters, at, inGroup) ?? values;
    }
  }
  return inGroup === 0 ? values : letters.length - inGroup;
}

function paddingProblem(letters: readonly string[], first: number, inGroup: number): number | undefined {
  const skip = (from: number): number => {
    let at = from;
    while (at < letters.length && NEWLINES.includes(String(letters[at]))) at += 1;
    return at;
  };
  let at = first + 1;
  if (inGroup === 2) {
    at = skip(at);
    if (at === letters.length) return at;
    if (letters[at] !== '=') return at - 1;
    at += 1;
  }
  at = skip(at);
  return at < letters.length ? at : undefined;
}

function decode32(source: string): string {
  const found = decodeLetters32(source);
  return typeof found === 'number'
    ? `illegal base32 data at input byte ${String(found)}`
    : fromBytes(bytesOf(found, 5));
}

function decodeLetters32(source: string): number[] | number {
  const letters = Array.from(toBytes(source), (byte) => String.fromCharCode(byte)).filter(
    (letter) => !NEWLINES.includes(letter),
  );
  const values: number[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const inGroup = at % 8;
    const left = letters.length - at - 1;
    if (letters[at] === '=' && inGroup >= 2 && left < 8) {
      if (left + inGroup < 7) return letters.length;
      const other = letters.slice(at + 1, at + 8 - inGroup).findIndex((letter) => letter !== '=');
      if (other >= 0) return at + other;
      return inGroup === 3 || inGroup === 6 ? at : values;
    }
    const value = BASE32.indexOf(String(letters[at]));
    if (value < 0) return at;
    values.push(value);
  }
  return letters.length % 8 === 0 ? values : letters.length - (letters.length % 8);
}

export const ENCODINGS: Readonly<Record<string, Callable>> = {
  b64enc: fn([text], (content) => base64(toBytes(content))),
  b64dec: fn([text], (content) => {
    const decoded = decodeBase64(content);
    return 'bytes' in decoded ? fromBytes(decoded.bytes) : decoded.problem;
  }),
  b32enc: fn([text], (content) => encode(toBytes(content), BASE32, { bits: 5, group: 8 })),
  b32dec: fn([text], decode32),
};
