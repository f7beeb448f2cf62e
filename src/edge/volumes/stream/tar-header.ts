import type { BytePath } from '../byte-path.ts';

/**
 * Headers of a tar in the pax format, which GNU tar, bsdtar and busybox read. Our own code, because it fills existing
 * memory: headers of a library took most of the time that small files need.
 */
export const BLOCK = 512;

export const TYPES = { file: '0', link: '1', symlink: '2', directory: '5', extended: 'x', global: 'g' } as const;
export type EntryType = 'file' | 'link' | 'symlink' | 'directory';

export interface TarEntry {
  /** As bytes; a directory's needs no slash at its end. */
  path: BytePath;
  type: EntryType;
  size: number;
  mode: number;
  uid: number;
  gid: number;
  /** With fractions. */
  mtimeSeconds: number;
  /** Of a link. */
  target?: BytePath | undefined;
  /** It has holes, so zeros need not be written when it is restored. */
  isSparse?: boolean | undefined;
}

const FIELDS = { name: 0, mode: 100, uid: 108, gid: 116, size: 124, mtime: 136, sum: 148, type: 156, linkname: 157 };
const NAME_LENGTH = 100;
const MAX_SEVEN = 0o7777777;
const MAX_ELEVEN = 0o77777777777;
const EXTENDED_NAME = 'headway-pax';
/** What every reader ignores, and where we say what we have to say. */
const COMMENT = 'comment';
/** The comment on a file with holes. */
export const SPARSE_COMMENT = 'headway sparse';

const EMPTY = Buffer.alloc(BLOCK);
EMPTY.fill(' ', FIELDS.sum, FIELDS.type);
EMPTY.write('ustar\x0000', 257, 'latin1');
const EMPTY_SUM = EMPTY.reduce((sum, byte) => sum + byte, 0);

/** What `writeHeader` needs at most: records with two paths of 4096 bytes, and two headers. */
export const MAX_HEADER: number = 20 * BLOCK;

/** Returns the offset after the header. */
export function writeHeader(into: Buffer, at: number, entry: TarEntry): number {
  const records = recordsOf(entry);
  let end = at;
  if (records !== '') end = writeRecords(into, at, records, TYPES.extended);
  return writeUstar(into, end, {
    name: nameOf(entry).slice(0, NAME_LENGTH),
    type: TYPES[entry.type],
    linkname: (entry.target ?? '').slice(0, NAME_LENGTH),
    size: Math.min(entry.size, MAX_ELEVEN),
    mode: entry.mode & 0o7777,
    uid: Math.min(entry.uid, MAX_SEVEN),
    gid: Math.min(entry.gid, MAX_SEVEN),
    mtime: Math.min(Math.max(0, Math.floor(entry.mtimeSeconds)), MAX_ELEVEN),
  });
}

/** A comment after a file, such as its checksum. Returns the offset after it. */
export function writeComment(into: Buffer, at: number, text: string): number {
  return writeRecords(into, at, record(COMMENT, text), TYPES.global);
}

export const COMMENT_ROOM: number = 3 * BLOCK;

/** Zeros up to the next block after a file of this size. Returns the offset after them. */
export function writePadding(into: Buffer, at: number, size: number): number {
  const end = at + paddingOf(size);
  into.fill(0, at, end);
  return end;
}

export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function nameOf({ path, type }: TarEntry): BytePath {
  const name = path === '' ? '.' : path;
  return type === 'directory' ? `${name}/` : name;
}

/** What the fields of a header cannot hold. */
function recordsOf(entry: TarEntry): string {
  const { target = '', mtimeSeconds, uid, gid, size, isSparse } = entry;
  let records = '';
  const name = nameOf(entry);
  if (name.length > NAME_LENGTH) records += record('path', name);
  if (target.length > NAME_LENGTH) records += record('linkpath', target);
  if (size > MAX_ELEVEN) records += record('size', String(size));
  if (uid > MAX_SEVEN) records += record('uid', String(uid));
  if (gid > MAX_SEVEN) records += record('gid', String(gid));
  if (!Number.isInteger(mtimeSeconds) || mtimeSeconds < 0) records += record('mtime', mtimeSeconds.toFixed(6));
  if (isSparse === true) records += record(COMMENT, SPARSE_COMMENT);
  return records;
}

/** `<length> <key>=<value>\n`, where the length includes its own digits. The value is bytes. */
function record(key: string, value: BytePath): string {
  const rest = ` ${key}=${value}\n`;
  let digits = String(rest.length).length;
  if (String(rest.length + digits).length > digits) digits += 1;
  return `${rest.length + digits}${rest}`;
}

function writeRecords(into: Buffer, at: number, records: string, type: string): number {
  const header = {
    name: EXTENDED_NAME,
    type,
    linkname: '',
    size: records.length,
    mode: 0o644,
    uid: 0,
    gid: 0,
    mtime: 0,
  };
  const body = writeUstar(into, at, header);
  into.write(records, body, 'latin1');
  return writePadding(into, body + records.length, records.length);
}

interface Ustar {
  name: string;
  type: string;
  linkname: string;
  size: number;
  mode: number;
  uid: number;
  gid: number;
  mtime: number;
}

function writeUstar(into: Buffer, at: number, header: Ustar): number {
  EMPTY.copy(into, at);
  const sum =
    EMPTY_SUM +
    put(into, at + FIELDS.name, header.name) +
    put(into, at + FIELDS.mode, octal(header.mode, 7)) +
    put(into, at + FIELDS.uid, octal(header.uid, 7)) +
    put(into, at + FIELDS.gid, octal(header.gid, 7)) +
    put(into, at + FIELDS.size, octal(header.size, 11)) +
    put(into, at + FIELDS.mtime, octal(header.mtime, 11)) +
    put(into, at + FIELDS.type, header.type) +
    put(into, at + FIELDS.linkname, header.linkname);
  put(into, at + FIELDS.sum, `${octal(sum, 6)}\0 `);
  return at + BLOCK;
}

/** Returns the sum of its bytes: what it adds to the checksum in place of zeros. */
function put(into: Buffer, at: number, bytes: string): number {
  let sum = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const code = bytes.charCodeAt(index);
    into[at + index] = code;
    sum += code;
  }
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
