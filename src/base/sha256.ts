/**
 * SHA-256, because Velero shortens long names with it and this folder may not import Node's. For names only: it is not
 * written for speed.
 */
export function sha256Hex(text: string): string {
  return sha256OfBytes(utf8(text));
}

export function sha256OfBytes(bytes: ArrayLike<number>): string {
  const state = [...INITIAL];
  const message = padded(bytes);
  for (let start = 0; start < message.length; start += 64) addBlock(state, message.slice(start, start + 64));
  return state.map((word) => word.toString(16).padStart(8, '0')).join('');
}

// The first bits of the fractional parts of roots of the first primes, as the standard defines its constants.
const PRIMES = firstPrimes(64);
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}

// TextEncoder belongs to the host, not to the language.
function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text.toWellFormed()) {
    const point = Number(character.codePointAt(0));
    const low = (shift: number): number => 0x80 | ((point >> shift) & 0x3f);
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), low(0));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), low(6), low(0));
    else bytes.push(0xf0 | (point >> 18), low(12), low(6), low(0));
  }
  return bytes;
}

function padded(bytes: ArrayLike<number>): number[] {
  const zeros = (119 - (bytes.length % 64)) % 64;
  const bits = BigInt(bytes.length) * 8n;
  const length = Array.from({ length: 8 }, (_, index) => Number((bits >> BigInt(56 - index * 8)) & 0xffn));
  return [...Array.from(bytes), 0x80, ...new Array<number>(zeros).fill(0), ...length];
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function addBlock(state: number[], block: number[]): void {
  const at = (words: readonly number[], index: number): number => Number(words[index]);
  const words = Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((word, byte) => (word << 8) | at(block, i * 4 + byte), 0),
  );
  for (let i = 16; i < 64; i += 1) {
    const w15 = at(words, i - 15);
    const w2 = at(words, i - 2);
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    words.push((at(words, i - 16) + s0 + at(words, i - 7) + s1) | 0);
  }
  let v = [...state];
  for (let i = 0; i < 64; i += 1) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = v;
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(words, i);
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    v = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  for (const [index, word] of v.entries()) state[index] = (at(state, index) + word) >>> 0;
}
