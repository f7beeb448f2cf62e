import { linkSync, symlinkSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { AppError, messageOf, toAppError } from '../../../base/index.ts';
import type { CopyProgress } from '../../../core/volumes/index.ts';
import { ChecksumSum } from '../checksum-sum.ts';
import { causeOf, fileError } from '../file-errors.ts';
import { systemCode } from '../system-code.ts';
import type { BytePath } from '../byte-path.ts';
import { shownPath } from '../shown-path.ts';
import { NameList } from '../name-list.ts';
import type { EntryList } from '../entry-list.ts';
import { CHECKSUM_COMMENT } from './pack.ts';
import { hostile, SafeTree } from './safe-tree.ts';
import { decodeHeader, decodeRecords, withRecords, type TarRecords } from './tar-decode.ts';
import { BLOCK, paddingOf, type TarEntry } from './tar-header.ts';
import { UnpackedFile } from './unpack-file.ts';

/** Node's own pieces of 16 KiB would cost more than their decompression. */
const OUTPUT_BYTES: number = 512 * 1024;
/** Records hold a path and a link's target at most. */
const MAX_RECORDS = 16 * 1024;

export interface UnpackTree {
  root: string;
  isVerified: boolean;
  /** What the volume may hold; an archive with more is not the one that was written. */
  totalBytes?: number | undefined;
  onNote: (text: string) => void;
  /** Gets the path of every entry; what is in its place goes. Without it, nothing that exists is replaced. */
  kept?: EntryList | undefined;
}

/** Restores a tree from the bytes of `packTree`, pushed piece by piece. */
export class Unpacker {
  readonly sum = new ChecksumSum();
  readonly #options: UnpackTree;
  readonly #tree: SafeTree;
  readonly #header = Buffer.alloc(BLOCK);
  #headerBytes = 0;
  #records: Buffer[] | undefined;
  #recordBytes = 0;
  #isGlobal = false;
  #told: TarRecords = {};
  #file: UnpackedFile | undefined;
  #padding = 0;
  #endBlocks = 0;
  #done = 0;
  #files = 0;
  #current: BytePath = '';
  /** Of the last file, until its checksum has come. */
  #unproven: { path: BytePath; sha256: string } | undefined;
  readonly #wrong = new NameList();
  #proven = 0;
  #full: AppError | undefined;

  constructor(options: UnpackTree) {
    this.#options = options;
    this.#tree = new SafeTree(options.root, options.kept);
  }

  /** How much of what was in the place of an entry is not in the archive. */
  get removed(): number {
    return this.#tree.removed;
  }

  /** Why the rest of the archive was only read, to know what is in it: there was no room. */
  get full(): AppError | undefined {
    return this.#full;
  }

  progress(): CopyProgress & { current?: string } {
    const { totalBytes } = this.#options;
    return {
      bytesDone: this.#done,
      filesDone: this.#files,
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(this.#current === '' ? {} : { current: shownPath(this.#current) }),
    };
  }

  push(piece: Buffer): void {
    try {
      for (let at = 0; at < piece.length;) at = this.#take(piece, at);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Throws if something is missing, or if a file differs from what was backed up. */
  end(): void {
    if (this.#endBlocks < 2 || this.#headerBytes > 0) throw broken('it ends before its end');
    this.#prove(undefined);
    this.#tree.finish();
    if (this.#wrong.count > 0) {
      throw new AppError('invalid', `verify a volume: ${this.#wrong.count} files differ: ${String(this.#wrong)}`);
    }
    const { isVerified, onNote } = this.#options;
    if (isVerified && this.#proven < this.#files) {
      onNote(`${this.#files - this.#proven} of ${this.#files} files have no recorded checksum to compare with`);
    }
  }

  abandon(): void {
    this.#file?.abandon();
    this.#file = undefined;
  }

  #explained(error: unknown): unknown {
    if (systemCode(error) === undefined || error instanceof AppError) return error;
    return fileError(`restore ${shownPath(this.#current) || 'the volume'}`, error);
  }

  #take(piece: Buffer, at: number): number {
    if (this.#file !== undefined) return this.#takeContent(this.#file, piece, at);
    if (this.#padding > 0) {
      const end = Math.min(piece.length, at + this.#padding);
      this.#padding -= end - at;
      return end;
    }
    if (this.#records !== undefined) return this.#takeRecords(this.#records, piece, at);
    const end = at + piece.copy(this.#header, this.#headerBytes, at);
    this.#headerBytes += end - at;
    if (this.#headerBytes === BLOCK) {
      this.#headerBytes = 0;
      this.#begin();
    }
    return end;
  }

  #begin(): void {
    const header = decoded(() => decodeHeader(this.#header));
    if (header.kind === 'end') {
      this.#endBlocks += 1;
      return;
    }
    if (this.#endBlocks > 0) throw broken('something stands behind its end');
    if (header.kind === 'records') {
      if (header.size > MAX_RECORDS) throw broken('its records are too long');
      this.#isGlobal = header.isGlobal;
      this.#recordBytes = header.size;
      this.#records = [];
      if (header.size === 0) this.#endRecords(this.#records);
      return;
    }
    const entry = withRecords(header.entry, this.#told);
    this.#told = {};
    this.#prove(undefined);
    this.#current = entry.path;
    if (this.#full !== undefined) {
      this.#skip(entry);
      return;
    }
    try {
      this.#add(entry);
    } catch (error) {
      this.#fillUp(error);
      this.#skip(entry);
    }
  }

  /** Goes on without writing if there is no room, so that everybody knows what may go; throws everything else. */
  #fillUp(error: unknown): void {
    if (this.#options.kept === undefined || !isFull(error)) throw error;
    this.#full = toAppError(this.#explained(error));
  }

  #skip(entry: TarEntry): void {
    this.#tree.skip(entry);
    this.#padding = entry.type === 'file' ? entry.size + paddingOf(entry.size) : 0;
  }

  #add(entry: TarEntry): void {
    switch (entry.type) {
      case 'directory':
        this.#tree.directory(entry);
        return;
      case 'symlink': {
        const { at } = this.#tree.place(entry);
        const target = entry.target ?? '';
        if (target === '' || target.includes('\0')) throw hostile(entry.path, 'expected the target of a link');
        symlinkSync(Buffer.from(target, 'latin1'), at);
        this.#tree.setLink(at, entry);
        this.#files += 1;
        return;
      }
      case 'link': {
        const existing = this.#tree.existingFile(entry.target ?? '');
        linkSync(existing, this.#tree.place(entry).at);
        this.#files += 1;
        this.#proven += 1;
        return;
      }
      case 'file':
        this.#addFile(entry);
    }
  }

  #addFile(entry: TarEntry): void {
    const { totalBytes, isVerified } = this.#options;
    if (totalBytes !== undefined && this.#done + entry.size > totalBytes) {
      throw broken(`it holds more than the ${totalBytes} bytes that were backed up`);
    }
    const { path, at } = this.#tree.place(entry);
    const file = new UnpackedFile(at, { ...entry, path }, isVerified);
    this.#padding = paddingOf(entry.size);
    if (entry.size > 0) this.#file = file;
    else this.#endFile(file);
  }

  #takeContent(file: UnpackedFile, piece: Buffer, at: number): number {
    const end = Math.min(piece.length, at + file.left);
    try {
      file.write(piece.subarray(at, end));
    } catch (error) {
      this.#fillUp(error);
      this.#padding += file.left;
      this.abandon();
      return at;
    }
    this.#done += end - at;
    if (file.left === 0) this.#endFile(file);
    return end;
  }

  #endFile(file: UnpackedFile): void {
    this.#file = undefined;
    const sha256 = file.end();
    this.#files += 1;
    if (sha256 !== undefined) this.#unproven = { path: file.entry.path, sha256 };
  }

  #takeRecords(parts: Buffer[], piece: Buffer, at: number): number {
    const end = Math.min(piece.length, at + this.#recordBytes);
    parts.push(Buffer.from(piece.subarray(at, end)));
    this.#recordBytes -= end - at;
    if (this.#recordBytes === 0) this.#endRecords(parts);
    return end;
  }

  #endRecords(parts: Buffer[]): void {
    this.#records = undefined;
    const bytes = Buffer.concat(parts);
    this.#padding = paddingOf(bytes.length);
    const records = decoded(() => decodeRecords(bytes));
    if (!this.#isGlobal) this.#told = records;
    else if (records.comment?.startsWith(CHECKSUM_COMMENT) === true) {
      this.#prove(records.comment.slice(CHECKSUM_COMMENT.length));
    }
  }

  /** Compares the last file with its recorded checksum; undefined when none was recorded. */
  #prove(recorded: string | undefined): void {
    const last = this.#unproven;
    this.#unproven = undefined;
    if (last === undefined) return;
    this.sum.add(last.path, last.sha256);
    if (recorded === undefined) return;
    this.#proven += 1;
    if (recorded !== last.sha256) this.#wrong.add(shownPath(last.path));
  }
}

/** Restores a tree from `.tar.zst`. */
export async function unpackTree(
  unpacker: Unpacker,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const zstd = createZstdDecompress({ chunkSize: OUTPUT_BYTES });
  const abort = (): void => void zstd.destroy(new AppError('canceled', 'restore a volume: canceled'));
  signal.addEventListener('abort', abort, { once: true });
  let failure: unknown;
  pipeline(source, zstd, (error) => {
    failure ??= error ?? undefined;
  });
  try {
    for await (const piece of zstd as AsyncIterable<Buffer>) unpacker.push(piece);
    unpacker.end();
  } catch (error) {
    unpacker.abandon();
    signal.throwIfAborted();
    throw zstdError(error, failure);
  } finally {
    signal.removeEventListener('abort', abort);
    zstd.destroy();
  }
}

function decoded<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw broken(messageOf(error), error);
  }
}

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT']);

function isFull(error: unknown): boolean {
  return FULL.has(systemCode(error));
}

function broken(why: string, cause?: unknown): AppError {
  return new AppError('invalid', `restore a volume: its archive is broken: ${why}`, { cause });
}

function zstdError(error: unknown, failure: unknown): unknown {
  // What the source failed with says more than that the stream ended early.
  const cause = failure instanceof AppError ? failure : error;
  const code = systemCode(cause) ?? '';
  if (cause instanceof AppError || (!code.startsWith('ZSTD_') && code !== 'Z_BUF_ERROR')) return cause;
  return broken(code === 'Z_BUF_ERROR' ? 'it is cut off' : causeOf(cause), cause);
}
