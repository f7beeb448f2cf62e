import type { BytePath } from '../byte-path.ts';
import { BLOCK, SPARSE_COMMENT, TYPES, type EntryType, type TarEntry } from './tar-header.ts';

/** A header: of an entry, or of records about the next one (or about none). */
export type TarHeader =
  { kind: 'entry'; entry: TarEntry } | { kind: 'records'; size: number; isGlobal: boolean } | { kind: 'end' };

/** What records say about the next entry. */
export interface TarRecords {
  path?: BytePath;
  linkpath?: BytePath;
  size?: number;
  uid?: number;
  gid?: number;
  mtime?: number;
  comment?: string;
}

const EMPTY = Buffer.alloc(BLOCK);
const SUM_AT = 148;
const SUM_LENGTH = 8;
const SPACE = 0x20;
const OCTAL = /^ *([0-7]+) *$/;
const DIGITS = /^\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,18})?$/;
const KINDS = new Map<string, EntryType>(
  (['file', 'link', 'symlink', 'directory'] as const).map((type) => [TYPES[type], type]),
);

/** Throws Error for a block that is no header of an archive of ours. */
export function decodeHeader(block: Buffer): TarHeader {
  if (block.equals(EMPTY)) return { kind: 'end' };
  let sum = SUM_LENGTH * SPACE;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= SUM_AT && at < SUM_AT + SUM_LENGTH ? 0 : (block[at] ?? 0);
  if (octal(block, SUM_AT, SUM_LENGTH) !== sum) throw new Error('expected a tar header, its checksum is wrong');
  if (text(block, 257, 6) !== 'ustar') throw new Error('expected a tar header of the format ustar');
  const letter = text(block, 156, 1);
  const size = octal(block, 124, 12);
  if (letter === TYPES.extended || letter === TYPES.global) {
    return { kind: 'records', size, isGlobal: letter === TYPES.global };
  }
  const type = KINDS.get(letter === '' ? TYPES.file : letter);
  if (type === undefined) throw new Error(`expected a file, a directory or a link, got an entry of type "${letter}"`);
  return {
    kind: 'entry',
    entry: {
      path: text(block, 0, 100),
      type,
      size: type === 'file' ? size : 0,
      mode: octal(block, 100, 8) & 0o7777,
      uid: octal(block, 108, 8),
      gid: octal(block, 116, 8),
      mtimeSeconds: octal(block, 136, 12),
      ...(type === 'link' || type === 'symlink' ? { target: text(block, 157, 100) } : {}),
    },
  };
}

/** Throws Error for anything but records; keys that are not ours to know are left out. */
export function decodeRecords(bytes: Buffer): TarRecords {
  const records: TarRecords = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(SPACE, at);
    const length = bytes.toString('latin1', at, space < 0 ? at : Math.min(space, at + 7));
    const end = at + Number(length);
    if (!DIGITS.test(length) || end > bytes.length || end <= space || bytes[end - 1] !== 0x0a) throw notRecords();
    const record = bytes.toString('latin1', space + 1, end - 1);
    const equals = record.indexOf('=');
    if (equals < 1) throw notRecords();
    take(records, record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
}

function take(records: TarRecords, key: string, value: string): void {
  switch (key) {
    case 'path':
    case 'linkpath':
    case 'comment':
      records[key] = value;
      return;
    case 'size':
    case 'uid':
    case 'gid':
      if (!DIGITS.test(value)) throw notRecords();
      records[key] = Number(value);
      return;
    case 'mtime':
      if (!DECIMAL.test(value)) throw notRecords();
      records.mtime = Number(value);
      return;
    default:
      // GNU's own sparse files hold another content than the bytes that follow.
      if (key.startsWith('GNU.sparse')) throw new Error('expected an archive of Headway, got a sparse file of GNU tar');
  }
}

/** The entry with what its records say. */
export function withRecords(entry: TarEntry, records: TarRecords): TarEntry {
  const { path, linkpath, size, uid, gid, mtime, comment } = records;
  return {
    ...entry,
    path: path ?? entry.path,
    size: entry.type === 'file' ? (size ?? entry.size) : 0,
    uid: uid ?? entry.uid,
    gid: gid ?? entry.gid,
    mtimeSeconds: mtime ?? entry.mtimeSeconds,
    ...(entry.target === undefined ? {} : { target: linkpath ?? entry.target }),
    ...(comment === SPARSE_COMMENT ? { isSparse: true } : {}),
  };
}

function octal(block: Buffer, at: number, length: number): number {
  const digits = OCTAL.exec(text(block, at, length))?.[1];
  if (digits === undefined) throw new Error('expected a tar header, a number in it is none');
  return Number.parseInt(digits, 8);
}

/** Up to the first zero, as bytes. */
function text(block: Buffer, at: number, length: number): BytePath {
  const zero = block.indexOf(0, at);
  return block.toString('latin1', at, zero < 0 || zero > at + length ? at + length : zero);
}

function notRecords(): Error {
  return new Error('expected pax records, got something else');
}
