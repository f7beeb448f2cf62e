const MAX_KEPT = 2;
/** Backups often come one after the other; who uploads nothing for so long gets the memory back. */
const KEEP_MS = 30_000;

/**
 * Memory for the parts of uploads, all of one size, used again. V8 counts fresh memory of this size as a reason to go
 * through the whole heap, which it did in every backup.
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

  /** Nothing may use the bytes any more. Pieces of another size are left alone. */
  give(bytes: Uint8Array): void {
    if (bytes.buffer.byteLength !== this.size || this.#kept.length >= MAX_KEPT) return;
    this.#kept.push(Buffer.from(bytes.buffer));
    clearTimeout(this.#dropping);
    this.#dropping = setTimeout(() => {
      this.#kept.length = 0;
    }, KEEP_MS).unref();
  }
}
