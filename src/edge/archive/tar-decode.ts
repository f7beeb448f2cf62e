import { BLOCK } from './tar-header.ts';

/** What a header says about the entry that follows it. */
export interface TarEntry {
  name: string;
  type: TarType;
  size: number;
}

export type TarType = (typeof TYPES)[keyof typeof TYPES] | 'unknown type';

/** By the letter in the header; the names are for messages. */
const TYPES = {
  '\0': 'file',
  '0': 'file',
  '1': 'link',
  '2': 'symlink',
  '3': 'character-device',
  '4': 'block-device',
  '5': 'directory',
  '6': 'fifo',
  '7': 'file',
  L: 'long name',
  K: 'long link',
  g: 'pax global header',
  x: 'pax header',
} as const;

const NAME = { at: 0, length: 100 };
const SIZE = { at: 124, length: 12 };
const SUM = { at: 148, length: 8 };
const TYPE_AT = 156;
const MAGIC = { at: 257, length: 5 };
const PREFIX = { at: 345, length: 155 };
const SPACE = 0x20;
const EMPTY = Buffer.alloc(BLOCK);
const OCTAL = /^ *([0-7]+) *$/;

/** Undefined for an empty block. Throws Error for a block that is not a header. */
export function decodeTarHeader(block: Buffer): TarEntry | undefined {
  if (block.equals(EMPTY)) return undefined;
  // The checksum is computed with spaces in its own field.
  const own = sumOf(block.subarray(SUM.at, SUM.at + SUM.length));
  if (octalAt(block, SUM) !== sumOf(block) - own + SUM.length * SPACE)
    throw new Error('no tar header: its checksum is wrong');
  if (fieldText(block, MAGIC) !== 'ustar') throw new Error('no tar header: expected the format ustar or GNU');
  const letter = String.fromCharCode(block[TYPE_AT] ?? 0);
  const name = nameIn(block);
  const type = Object.hasOwn(TYPES, letter) ? TYPES[letter as keyof typeof TYPES] : 'unknown type';
  // Old programs write directories as files, and the size of a directory means nothing.
  if (type === 'directory') return { name, type, size: 0 };
  return { name, type: type === 'file' && name.endsWith('/') ? 'directory' : type, size: sizeIn(block) };
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 1) sum += bytes[at] ?? 0;
  return sum;
}

function nameIn(block: Buffer): string {
  const name = fieldText(block, NAME);
  // GNU's own format ends its magic with a space and stores other data in the prefix field.
  const isGnu = block[MAGIC.at + MAGIC.length] === SPACE;
  const prefix = isGnu ? '' : fieldText(block, PREFIX);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function sizeIn(block: Buffer): number {
  const size = (block[SIZE.at] ?? 0) & 0x80 ? binaryAt(block) : octalAt(block, SIZE);
  if (size === undefined || !Number.isSafeInteger(size)) throw new Error('no tar header: its size is no number');
  return size;
}

/** GNU's encoding for numbers that need more than eleven octal digits. */
function binaryAt(block: Buffer): number {
  let size = (block[SIZE.at] ?? 0) & 0x7f;
  for (let at = SIZE.at + 1; at < SIZE.at + SIZE.length; at += 1) size = size * 256 + (block[at] ?? 0);
  return size;
}

function octalAt(block: Buffer, field: { at: number; length: number }): number | undefined {
  const digits = OCTAL.exec(fieldText(block, field))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** Up to the first zero. */
function fieldText(block: Buffer, { at, length }: { at: number; length: number }): string {
  const zero = block.indexOf(0, at);
  return block.toString('utf8', at, zero < 0 || zero > at + length ? at + length : zero);
}

export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
