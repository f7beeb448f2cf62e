import { createHash, type Hash } from 'node:crypto';
import { fstatSync, readSync, type Stats } from 'node:fs';
import type { BlockWriter } from './block-writer.ts';
import {
  BLOCK,
  COMMENT_ROOM,
  MAX_HEADER,
  paddingOf,
  writeComment,
  writeHeader,
  writePadding,
  type TarEntry,
} from './tar-header.ts';

/** What became of a file while it was read. */
export interface PackedFile {
  sha256?: string;
  /** It has fewer bytes than when the packing began; the rest is zeros. */
  hasShrunk: boolean;
  hasChanged: boolean;
}

/**
 * Writes the parts of a tar into blocks. Everything but a large file is written without waiting, because a million
 * small files would wait a million times; so whoever adds an entry sees that there is room for it.
 */
export class TarWriter {
  readonly #blocks: BlockWriter;
  readonly #isVerified: boolean;
  readonly #onBytes: (bytes: number) => void;

  constructor(blocks: BlockWriter, isVerified: boolean, onBytes: (bytes: number) => void) {
    this.#blocks = blocks;
    this.#isVerified = isVerified;
    this.#onBytes = onBytes;
  }

  /** Whether the header of any entry and a comment fit. */
  hasRoom(): boolean {
    return this.#blocks.hasRoom(MAX_HEADER + COMMENT_ROOM);
  }

  header(entry: TarEntry): void {
    const { into, at } = this.#blocks.free;
    this.#blocks.wrote(writeHeader(into, at, entry));
  }

  comment(text: string): void {
    const { into, at } = this.#blocks.free;
    this.#blocks.wrote(writeComment(into, at, text));
  }

  /** The two empty blocks with which an archive ends. */
  end(): void {
    const { into, at } = this.#blocks.free;
    into.fill(0, at, at + 2 * BLOCK);
    this.#blocks.wrote(at + 2 * BLOCK);
  }

  /** Whether the content of a file can be written without waiting. */
  fits(size: number): boolean {
    return this.#blocks.hasRoom(size + BLOCK + COMMENT_ROOM);
  }

  /**
   * The bytes of an open file, as many as its header says: what is added meanwhile is left out, and what is missing
   * becomes zeros, because the header is already on its way. Reads straight into the block.
   */
  small(file: number, { size }: Stats): PackedFile {
    const hash = this.#newHash();
    const left = this.#read(file, size, hash);
    return this.#close(size, { ...digestOf(hash), hasShrunk: left.hasShrunk, hasChanged: left.hasShrunk });
  }

  /** The same for a file that fills blocks. */
  async large(file: number, stats: Stats): Promise<PackedFile> {
    const hash = this.#newHash();
    let left = stats.size;
    let hasShrunk = false;
    while (left > 0) {
      if (this.#blocks.free.room === 0) await this.#blocks.flush();
      const wanted = Math.min(this.#blocks.free.room, left);
      hasShrunk ||= this.#read(hasShrunk ? undefined : file, wanted, hash).hasShrunk;
      left -= wanted;
    }
    const after = fstatSync(file);
    const hasChanged = hasShrunk || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs;
    if (!this.#blocks.hasRoom(BLOCK + COMMENT_ROOM)) await this.#blocks.flush();
    return this.#close(stats.size, { ...digestOf(hash), hasShrunk, hasChanged });
  }

  /** Fills exactly so many bytes, with zeros where the file has ended. */
  #read(file: number | undefined, wanted: number, hash: Hash | undefined): { hasShrunk: boolean } {
    const { into, at } = this.#blocks.free;
    let done = 0;
    while (file !== undefined && done < wanted) {
      const read = readSync(file, into, at + done, wanted - done, null);
      if (read === 0) break;
      done += read;
    }
    into.fill(0, at + done, at + wanted);
    hash?.update(into.subarray(at, at + wanted));
    this.#blocks.wrote(at + wanted);
    this.#onBytes(wanted);
    return { hasShrunk: done < wanted };
  }

  #close(size: number, packed: PackedFile): PackedFile {
    if (paddingOf(size) > 0) {
      const { into, at } = this.#blocks.free;
      this.#blocks.wrote(writePadding(into, at, size));
    }
    return packed;
  }

  #newHash(): Hash | undefined {
    return this.#isVerified ? createHash('sha256') : undefined;
  }
}

function digestOf(hash: Hash | undefined): { sha256?: string } {
  return hash === undefined ? {} : { sha256: hash.digest('hex') };
}
