export interface Part {
  bytes: Uint8Array;
  isLast: boolean;
}

/** Most objects of a backup are smaller; memory for a whole part would be asked for each of them for nothing. */
const FIRST_BYTES = 64 * 1024;

/**
 * Cuts a stream into parts of one size, the last one shorter or even empty. The bytes of a part stay as they are until
 * it is given back with `free`; so the memory is that of the parts that are held, and one.
 */
export class PartCutter {
  readonly #partBytes: number;
  readonly #free: Buffer[] = [];

  constructor(partBytes: number) {
    this.#partBytes = partBytes;
  }

  async *cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
    let buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, this.#partBytes));
    let filled = 0;
    for await (const chunk of chunks) {
      let offset = 0;
      while (offset < chunk.byteLength) {
        if (filled === this.#partBytes) {
          yield { bytes: buffer, isLast: false };
          buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#partBytes);
          filled = 0;
        }
        const taken = chunk.subarray(offset, offset + this.#partBytes - filled);
        if (filled + taken.byteLength > buffer.length) buffer = this.#grown(buffer, filled + taken.byteLength);
        buffer.set(taken, filled);
        filled += taken.byteLength;
        offset += taken.byteLength;
      }
    }
    yield { bytes: buffer.subarray(0, filled), isLast: true };
  }

  free({ bytes }: Part): void {
    if (Buffer.isBuffer(bytes) && bytes.byteLength === this.#partBytes) this.#free.push(bytes);
  }

  /** Beyond a few times the first size it is the first of many parts. */
  #grown(buffer: Buffer, wanted: number): Buffer {
    const larger = Buffer.allocUnsafeSlow(
      wanted > 4 * FIRST_BYTES ? this.#partBytes : Math.min(2 * wanted, this.#partBytes),
    );
    buffer.copy(larger);
    return larger;
  }
}
