import { sha256OfBytes } from '../../../../base/index.ts';
import { toBytes } from '../value/go-text.ts';
import { costly, text } from '../value/function.ts';
import type { Callable, Run } from '../value/value.ts';

const hashing = (hash: (bytes: Uint8Array) => string): Callable =>
  costly([text], (run: Run, content) => {
    const bytes = toBytes(content);
    // Far slower than the machine's own, but the same everywhere.
    run.spend(bytes.length / 2);
    return hash(bytes);
  });

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** For names and comparisons. It protects nothing. */
function sha1(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const message = new Uint8Array(length);
  message.set(bytes);
  message[bytes.length] = 0x80;
  const view = new DataView(message.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const words = new Int32Array(80);
  for (let start = 0; start < length; start += 64) {
    for (let i = 0; i < 80; i += 1) {
      words[i] =
        i < 16
          ? view.getInt32(start + i * 4)
          : rotate(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1);
    }
    addBlock(state, words);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

function addBlock(state: Uint32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (const [i, word] of words.entries()) {
    const { mix, constant } = round(Math.floor(i / 20), b, c, d);
    const next = (rotate(a, 5) + mix + e + constant + word) | 0;
    [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
  }
  for (const [i, word] of [a, b, c, d, e].entries()) state[i] = Number(state[i]) + word;
}

function round(number: number, b: number, c: number, d: number): { mix: number; constant: number } {
  if (number === 0) return { mix: (b & c) | (~b & d), constant: 0x5a827999 };
  if (number === 1) return { mix: b ^ c ^ d, constant: 0x6ed9eba1 };
  if (number === 2) return { mix: (b & c) | (b & d) | (c & d), constant: 0x8f1bbcdc };
  return { mix: b ^ c ^ d, constant: 0xca62c1d6 };
}

function at(words: Int32Array, index: number): number {
  return Number(words[index]);
}

const ADLER = 65_521;

function adler32(bytes: Uint8Array): string {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % ADLER;
    high = (high + low) % ADLER;
  }
  return String(high * 65_536 + low);
}

export const HASHES: Readonly<Record<string, Callable>> = {
  sha1sum: hashing(sha1),
  sha256sum: hashing(sha256OfBytes),
  adler32sum: hashing(adler32),
};
