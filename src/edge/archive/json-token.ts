import { BACKSLASH, QUOTE } from './json-signs.ts';

/**
 * Texts, numbers and words of JSON as Go writes it, in bytes. Each function takes where one begins and returns where it
 * has ended; UNKNOWN if it is written in another way, or is no JSON.
 */
export const UNKNOWN = -1;

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const SMALL_U = 0x75;
/** It may begin U+2028 and U+2029, which Go escapes. */
const MAYBE_SEPARATOR = 0xe2;
/** Every integer with so many digits is exact in JavaScript. */
const MAX_DIGITS = 15;

const codeOf = (char: string): number => char.charCodeAt(0);
const WORDS = ['true', 'false', 'null'].map((word) => Uint8Array.from(word, codeOf));
const SPECIAL = new Set([...Array.from('"\\<>&', codeOf), MAYBE_SEPARATOR]);
/** 1 for bytes of a text that stand for themselves. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => (byte < 0x20 || SPECIAL.has(byte) ? 0 : 1));
const SHORT_ESCAPES = new Set(Array.from('"\\nrtbf', codeOf));
/** After `\u`: the characters that Go writes so. Control characters with a short escape are not among them. */
const LONG_ESCAPES = new Set([
  ...['003c', '003e', '0026', '2028', '2029'],
  ...Array.from({ length: 0x20 }, (_, code) => code)
    .filter((code) => !'\b\t\n\f\r'.includes(String.fromCharCode(code)))
    .map((code) => code.toString(16).padStart(4, '0')),
]);

export function endOfText(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  for (;;) {
    while (IS_PLAIN[bytes[next] ?? 0] === 1) next += 1;
    const byte = bytes[next] ?? 0;
    if (byte === QUOTE) return next + 1;
    if (byte === BACKSLASH) next = endOfEscape(bytes, next + 1);
    else if (byte === MAYBE_SEPARATOR && !isSeparator(bytes, next)) next += 1;
    else return UNKNOWN;
    if (next === UNKNOWN) return UNKNOWN;
  }
}

/** A text that `compareKeys` can compare: its escapes are backslashes before the byte that they stand for. */
export function endOfKey(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  for (;;) {
    while (IS_PLAIN[bytes[next] ?? 0] === 1) next += 1;
    const byte = bytes[next] ?? 0;
    if (byte === QUOTE) return next + 1;
    if (byte !== BACKSLASH) return UNKNOWN;
    const escaped = bytes[next + 1];
    if (escaped !== QUOTE && escaped !== BACKSLASH) return UNKNOWN;
    next += 2;
  }
}

/** Two keys, each given by its quote, by the bytes that they stand for, as Go compares them. */
export function compareKeys(bytesA: Uint8Array, a: number, bytesB: Uint8Array, b: number): number {
  let inA = a + 1;
  let inB = b + 1;
  for (;;) {
    let byteA = bytesA[inA] ?? 0;
    let byteB = bytesB[inB] ?? 0;
    if (byteA === QUOTE || byteB === QUOTE) return Number(byteB === QUOTE) - Number(byteA === QUOTE);
    if (byteA === BACKSLASH) byteA = bytesA[(inA += 1)] ?? 0;
    if (byteB === BACKSLASH) byteB = bytesB[(inB += 1)] ?? 0;
    if (byteA !== byteB) return byteA - byteB;
    inA += 1;
    inB += 1;
  }
}

/** Only integers: others may look different after somebody has parsed them. */
export function endOfNumber(bytes: Uint8Array, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let next = first;
  while (isDigit(bytes[next] ?? 0)) next += 1;
  if (next === first || next - first > MAX_DIGITS) return UNKNOWN;
  // Neither 01 nor -0.
  return bytes[first] === ZERO && next > at + 1 ? UNKNOWN : next;
}

export function beginsNumber(byte: number): boolean {
  return byte === MINUS || isDigit(byte);
}

export function endOfWord(bytes: Uint8Array, at: number): number {
  const word = WORDS.find((one) => one.every((byte, index) => bytes[at + index] === byte));
  return word === undefined ? UNKNOWN : at + word.length;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function endOfEscape(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  if (SHORT_ESCAPES.has(byte)) return at + 1;
  if (byte !== SMALL_U) return UNKNOWN;
  const code = String.fromCharCode(...bytes.subarray(at + 1, at + 5));
  return LONG_ESCAPES.has(code) ? at + 5 : UNKNOWN;
}

/** U+2028 or U+2029, in UTF-8. */
function isSeparator(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0x80 && ((bytes[at + 2] ?? 0) | 1) === 0xa9;
}
