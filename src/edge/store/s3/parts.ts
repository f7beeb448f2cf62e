export interface Part {
  bytes: Uint8Array;
  isLast: boolean;
}

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
    let buffer = this.#take();
    let filled = 0;
    for await (const chunk of chunks) {
      let offset = 0;
      while (offset < chunk.byteLength) {
        if (filled === this.#partBytes) {
          yield { bytes: buffer, isLast: false };
          buffer = this.#take();
          filled = 0;
        }
        const taken = chunk.subarray(offset, offset + this.#partBytes - filled);
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

  #take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#partBytes);
  }
}
