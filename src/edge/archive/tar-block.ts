import { BLOCK, maxHeaderBytes, writePadding, writeTarHeader } from './tar-header.ts';

/** Headroom above the capacity, so that the item that fills a block, which is in it twice, rarely needs more memory. */
const USUAL_BYTES = 128 * 1024;

/**
 * Consecutive files of a tar, in memory that is reused: otherwise an archive would leave several times its own size to
 * the garbage collector.
 */
export class TarBlock {
  readonly #capacity: number;
  readonly #mtimeSeconds: number;
  #memory: Buffer;
  #length = 0;

  /** A block with `capacity` bytes or more is full. */
  constructor(capacity: number, mtimeSeconds: number) {
    this.#capacity = capacity;
    this.#mtimeSeconds = mtimeSeconds;
    this.#memory = this.#fresh();
  }

  get isFull(): boolean {
    return this.#length >= this.#capacity;
  }

  /** Valid until the next `add`, `end`, `clear` or `release`. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length);
  }

  /** Adds the same text at each path. */
  add(paths: readonly string[], text: string | Uint8Array): void {
    const size = typeof text === 'string' ? Buffer.byteLength(text) : text.length;
    let first: number | undefined;
    for (const path of paths) {
      this.#reserve(maxHeaderBytes(path) + size + BLOCK);
      const at = writeTarHeader(this.#memory, this.#length, { path, size, mtimeSeconds: this.#mtimeSeconds });
      if (first !== undefined) this.#memory.copyWithin(at, first, first + size);
      else if (typeof text === 'string') this.#memory.write(text, at, size, 'utf8');
      else this.#memory.set(text, at);
      first ??= at;
      this.#length = writePadding(this.#memory, at + size, size);
    }
  }

  /** An archive ends with two empty blocks. */
  end(): void {
    this.#reserve(2 * BLOCK);
    this.#memory.fill(0, this.#length, this.#length + 2 * BLOCK);
    this.#length += 2 * BLOCK;
  }

  clear(): void {
    this.#length = 0;
    // One large item must not hold its memory for the rest of the backup.
    if (this.#memory.length > this.#capacity + USUAL_BYTES) this.#moveTo(this.#fresh());
  }

  release(): void {
    this.#length = 0;
    this.#moveTo(Buffer.alloc(0));
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(wanted + USUAL_BYTES);
    this.#memory.copy(larger, 0, 0, this.#length);
    this.#moveTo(larger);
  }

  /** Frees the memory that was used now, instead of waiting for the garbage collector. */
  #moveTo(memory: Buffer): void {
    const { buffer } = this.#memory;
    this.#memory = memory;
    (buffer as ArrayBuffer).transfer(0);
  }

  #fresh(): Buffer {
    return Buffer.allocUnsafeSlow(this.#capacity + USUAL_BYTES);
  }
}
