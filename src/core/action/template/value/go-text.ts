/**
 * Go's strings are bytes, JavaScript's are not. A byte that is no UTF-8 is written as a lone surrogate, U+DC00 plus the
 * byte, which no valid text contains; so every Go string has exactly one form here, and usual text stays as it is.
 */
const SURROGATE = /[\ud800-\udfff]/;
const ESCAPED = /[\udc80-\udcff]/;
const BEYOND_ASCII = /[^\0-\x7f]/;
const ESCAPE = 0xdc00;

/** Text from outside: what Go's decoders would have replaced is replaced. */
export function goText(text: string): string {
  return SURROGATE.test(text) ? text.toWellFormed() : text;
}

/** As it is written to JSON: a byte that is no UTF-8 becomes the replacement character. */
export function plainText(text: string): string {
  return ESCAPED.test(text) ? text.toWellFormed() : text;
}

/** Bytes of two halves may be one character only after they are joined. */
export function joinText(parts: readonly string[], separator = ''): string {
  const joined = parts.join(separator);
  return ESCAPED.test(joined) ? fromBytes(toBytes(joined)) : joined;
}

export function byteLength(text: string): number {
  return BEYOND_ASCII.test(text) ? toBytes(text).length : text.length;
}

/** Go's `text[start:end]`, which may cut a character. The caller checks the bounds. */
export function byteSlice(text: string, start: number, end: number): string {
  return BEYOND_ASCII.test(text) ? fromBytes(toBytes(text).subarray(start, end)) : text.slice(start, end);
}

export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (const character of text) {
    const point = Number(character.codePointAt(0));
    if (point < 0x80) bytes[length++] = point;
    else if (point < 0x800) {
      bytes[length++] = 0xc0 | (point >> 6);
      bytes[length++] = 0x80 | (point & 0x3f);
    } else if (point >= 0xdc80 && point <= 0xdcff) bytes[length++] = point - ESCAPE;
    else if (point < 0x10000) {
      bytes[length++] = 0xe0 | (point >> 12);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    } else {
      bytes[length++] = 0xf0 | (point >> 18);
      bytes[length++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[length++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[length++] = 0x80 | (point & 0x3f);
    }
  }
  return bytes.subarray(0, length);
}

export function fromBytes(bytes: Uint8Array): string {
  const chunks: string[] = [];
  let points: number[] = [];
  for (let at = 0; at < bytes.length;) {
    const { point, length } = decodeRune(bytes, at);
    points.push(point);
    at += length;
    if (points.length === CHUNK) {
      chunks.push(String.fromCodePoint(...points));
      points = [];
    }
  }
  chunks.push(String.fromCodePoint(...points));
  return chunks.join('');
}

/** As many arguments as every engine takes. */
const CHUNK = 4096;

/** The first character, or the first byte where none begins. */
function decodeRune(bytes: Uint8Array, at: number): { point: number; length: number } {
  const first = Number(bytes[at]);
  if (first < 0x80) return { point: first, length: 1 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  let point = first & (0xff >> (length + 1));
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return { point: ESCAPE + first, length: 1 };
    point = (point << 6) | (byte & 0x3f);
  }
  return isShortest(first, point, length) ? { point, length } : { point: ESCAPE + first, length: 1 };
}

function isShortest(first: number, point: number, length: number): boolean {
  if (first < 0xc2 || first > 0xf4) return false;
  if (length === 2) return point >= 0x80;
  if (length === 3) return point >= 0x800 && (point < 0xd800 || point > 0xdfff);
  return point >= 0x10000 && point <= 0x10ffff;
}

/** By bytes, as Go compares. UTF-16 agrees with it except where a surrogate is involved. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1;
  const [left, right] = [toBytes(a), toBytes(b)];
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const difference = Number(left[at]) - Number(right[at]);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Go's `range` over a string: code points, and U+FFFD for each byte that is no UTF-8. */
export function runes(text: string): string[] {
  return Array.from(text, (character) => (ESCAPED.test(character) && character.length === 1 ? '\ufffd' : character));
}

export function runeCount(text: string): number {
  return BEYOND_ASCII.test(text) ? Array.from(text).length : text.length;
}
