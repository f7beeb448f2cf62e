import { closeSync, constants as modes, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs';
import type { TransformOptions } from 'node:stream';
import { constants, createZstdCompress, type ZstdCompress, type ZstdOptions } from 'node:zlib';
import { AppError } from '../../../base/index.ts';
import type { CopyProgress } from '../../../core/volumes/index.ts';
import { ChecksumSum } from '../checksum-sum.ts';
import { causeOf, fileError } from '../file-errors.ts';
import { systemCode } from '../system-code.ts';
import type { BytePath } from '../byte-path.ts';
import { shownPath } from '../shown-path.ts';
import { treeAt, walkTree, type TreeEntry } from '../tree-walk.ts';
import { BlockWriter } from './block-writer.ts';
import { Estimate } from './estimate.ts';
import { HardLinks } from './hard-links.ts';
import { PackNotes } from './pack-notes.ts';
import { BLOCK, type TarEntry } from './tar-header.ts';
import { TarWriter, type PackedFile } from './tar-writer.ts';

/** Small enough for a processor's cache, large enough that few jobs wait for a busy machine. */
const BLOCK_BYTES = 1024 * 1024;
const OUTPUT_BYTES: number = 512 * 1024;
const LEVEL = 3;
/** A pipe that takes the place of a file must not block, and a link must not be followed. */
const READ = modes.O_RDONLY | modes.O_NOFOLLOW | modes.O_NONBLOCK;
/** A reader knows by this comment that the checksum of the file before it follows. */
export const CHECKSUM_COMMENT = 'headway sha256 ';

export interface PackTree {
  root: string;
  isVerified: boolean;
  signal: AbortSignal;
  onNote: (text: string) => void;
}

/** A tree as `.tar.zst`. */
export interface Packing {
  /** To be read once; files are read only as fast as it is. */
  bytes: AsyncIterable<Uint8Array>;
  progress(): CopyProgress & { current?: string };
  checksum(): string | undefined;
}

export function packTree(tree: PackTree): Packing {
  const packer = new Packer(tree);
  return {
    bytes: packer.run(),
    progress: () => packer.progress(),
    checksum: () => (tree.isVerified ? String(packer.sum) : undefined),
  };
}

class Packer {
  readonly sum = new ChecksumSum();
  readonly #tree: PackTree;
  readonly #at: (path: BytePath) => Buffer;
  readonly #links = new HardLinks();
  readonly #notes = new PackNotes();
  #done = 0;
  #files = 0;
  #sent = 0;
  #current: BytePath = '';
  #estimate: Estimate | undefined;
  #isOver = false;

  constructor(tree: PackTree) {
    this.#tree = tree;
    this.#at = treeAt(tree.root);
  }

  progress(): CopyProgress & { current?: string } {
    const total = this.#isOver ? this.#done : this.#estimate?.bytes;
    return {
      bytesDone: this.#done,
      bytesReused: 0,
      bytesUploaded: this.#sent,
      filesDone: this.#files,
      ...(total === undefined ? {} : { totalBytes: total }),
      ...(this.#current === '' ? {} : { current: shownPath(this.#current) }),
    };
  }

  async *run(): AsyncGenerator<Uint8Array> {
    const { signal, root } = this.#tree;
    signal.throwIfAborted();
    const { ZSTD_c_checksumFlag: checksum, ZSTD_c_compressionLevel: level } = constants;
    const options: ZstdOptions & TransformOptions = {
      params: { [level]: LEVEL, [checksum]: 1 },
      chunkSize: OUTPUT_BYTES,
      // Some pieces may wait for their reader while the next are made.
      readableHighWaterMark: 4 * OUTPUT_BYTES,
    };
    const zstd = createZstdCompress(options);
    const abort = (): void => void zstd.destroy(new AppError('canceled', 'pack a volume: canceled'));
    signal.addEventListener('abort', abort, { once: true });
    using estimate = new Estimate(root);
    this.#estimate = estimate;
    // Its errors reach the loop below through zstd.
    void this.#fill(zstd).catch((error: unknown) => zstd.destroy(error as Error));
    try {
      for await (const chunk of zstd as AsyncIterable<Uint8Array>) {
        this.#sent += chunk.length;
        yield chunk;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      zstd.destroy();
    }
  }

  async #fill(zstd: ZstdCompress): Promise<void> {
    const blocks = new BlockWriter(BLOCK_BYTES, (bytes) => write(zstd, bytes));
    const tar = new TarWriter(blocks, this.#tree.isVerified, (bytes) => (this.#done += bytes));
    for (const entry of this.#walk()) {
      if (!tar.hasRoom()) await blocks.flush();
      this.#current = entry.path;
      const waiting = this.#add(entry, tar);
      if (waiting !== undefined) await waiting;
      this.#tree.signal.throwIfAborted();
    }
    this.#notes.tell(this.#tree.onNote);
    if (!blocks.hasRoom(2 * BLOCK)) await blocks.flush();
    tar.end();
    await blocks.end();
    this.#isOver = true;
    zstd.end();
  }

  *#walk(): Generator<TreeEntry> {
    const { root } = this.#tree;
    try {
      yield* walkTree(root, ({ path, error }) => {
        this.#notes.problem(path, error);
      });
    } catch (error) {
      throw fileError(`read the volume at ${root}`, error);
    }
  }

  /** Returns a promise only for a file that does not fit. */
  #add({ path, kind }: TreeEntry, tar: TarWriter): Promise<void> | undefined {
    try {
      if (kind === 'file') return this.#addFile(path, tar);
      if (kind === 'directory') tar.header({ ...factsOf(path, lstatSync(this.#at(path))), type: 'directory' });
      else if (kind === 'link') this.#addLink(path, tar);
      else this.#notes.special(path, kind);
    } catch (error) {
      this.#notes.problem(path, error);
    }
    return undefined;
  }

  #addLink(path: BytePath, tar: TarWriter): void {
    const target = readlinkSync(this.#at(path), { encoding: 'buffer' }).toString('latin1');
    tar.header({ ...factsOf(path, lstatSync(this.#at(path))), type: 'symlink', target });
    this.#files += 1;
  }

  #addFile(path: BytePath, tar: TarWriter): Promise<void> | undefined {
    const file = openSync(this.#at(path), READ);
    let isLarge = false;
    try {
      // What is open now counts: something else may have taken the place of the file that was found.
      const stats = fstatSync(file);
      const earlier = this.#links.earlier(file, path, stats);
      if (!stats.isFile()) this.#notes.vanished(path);
      else if (earlier !== undefined) {
        tar.header({ ...factsOf(path, stats), type: 'link', target: earlier });
        this.#files += 1;
      } else {
        const isSparse = stats.blocks * BLOCK < stats.size;
        tar.header({ ...factsOf(path, stats), type: 'file', size: stats.size, isSparse });
        isLarge = !tar.fits(stats.size);
        if (isLarge) return this.#addLarge(file, path, stats, tar);
        this.#added(
          path,
          this.#reading(() => tar.small(file, stats)),
          tar,
        );
      }
    } finally {
      if (!isLarge) closeSync(file);
    }
    return undefined;
  }

  async #addLarge(file: number, path: BytePath, stats: Stats, tar: TarWriter): Promise<void> {
    try {
      const packed = await tar.large(file, stats).catch((error: unknown) => this.#reading(() => rethrow(error)));
      this.#added(path, packed, tar);
    } finally {
      closeSync(file);
    }
  }

  #added(path: BytePath, packed: PackedFile, tar: TarWriter): void {
    this.#files += 1;
    if (packed.hasChanged) this.#notes.changed(path, packed.hasShrunk);
    if (packed.sha256 === undefined) return;
    this.sum.add(path, packed.sha256);
    tar.comment(`${CHECKSUM_COMMENT}${packed.sha256}`);
  }

  /** A read that fails in the middle of a file cannot be taken back: what was promised is in the archive's header. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (systemCode(error) === undefined || error instanceof AppError) throw error;
      const where = shownPath(this.#current);
      throw new AppError('serverError', `read ${where} of the volume: ${causeOf(error)}`, { cause: error });
    }
  }
}

function rethrow(error: unknown): never {
  throw error;
}

function factsOf(path: BytePath, { mode, uid, gid, mtimeMs }: Stats): Omit<TarEntry, 'type'> {
  return { path, size: 0, mode, uid, gid, mtimeSeconds: mtimeMs / 1000 };
}

/** Also rejects when zstd is closed: a write that waits for the reader would never finish. */
function write(zstd: ZstdCompress, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => {
      reject(new AppError('canceled', 'pack a volume: nobody reads it any more'));
    };
    zstd.once('close', onClose);
    zstd.write(bytes, (error) => {
      zstd.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}
