const MAX_KEPT = 2;
/** Backups often follow each other; after this long without an upload the memory is freed. */
const KEEP_MS = 30_000;

/**
 * Memory for the parts of uploads, all of one size, reused. V8 treats fresh allocations of this size as a reason to
 * collect the whole heap, which happened in every backup.
 */
export class PartMemory {
  readonly size: number;
  readonly #kept: Buffer[] = [];
  #dropping: NodeJS.Timeout | undefined;

  constructor(size: number) {
    this.size = size;
  }

  take(): Buffer {
    return this.#kept.pop() ?? Buffer.allocUnsafeSlow(this.size);
  }

  /** Nothing may use the bytes any more. Buffers of another size are ignored. */
  give(bytes: Uint8Array): void {
    if (bytes.buffer.byteLength !== this.size || this.#kept.length >= MAX_KEPT) return;
    this.#kept.push(Buffer.from(bytes.buffer));
    clearTimeout(this.#dropping);
    this.#dropping = setTimeout(() => {
      this.#kept.length = 0;
    }, KEEP_MS).unref();
  }
}
