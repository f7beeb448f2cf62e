import type { PartMemory } from './part-memory.ts';

export interface Part {
  bytes: Uint8Array;
  isLast: boolean;
}

/** Most objects of a backup are smaller; allocating a whole part for each would be wasteful. */
const FIRST_BYTES = 64 * 1024;

/**
 * Cuts a stream into parts of one size; the last one may be shorter or empty. The bytes of a part stay unchanged until
 * its memory is given back; so the memory used is that of the parts in use, plus one.
 */
export async function* cutIntoParts(chunks: AsyncIterable<Uint8Array>, memory: PartMemory): AsyncGenerator<Part> {
  let buffer: Buffer = Buffer.allocUnsafeSlow(Math.min(FIRST_BYTES, memory.size));
  let filled = 0;
  for await (const chunk of chunks) {
    let offset = 0;
    while (offset < chunk.byteLength) {
      if (filled === memory.size) {
        yield { bytes: buffer, isLast: false };
        buffer = memory.take();
        filled = 0;
      }
      const taken = chunk.subarray(offset, offset + memory.size - filled);
      if (filled + taken.byteLength > buffer.length) buffer = grown(buffer, filled + taken.byteLength, memory);
      buffer.set(taken, filled);
      filled += taken.byteLength;
      offset += taken.byteLength;
    }
  }
  yield { bytes: buffer.subarray(0, filled), isLast: true };
}

/** Beyond a few times the first size, assume that many parts follow. */
function grown(buffer: Buffer, wanted: number, memory: PartMemory): Buffer {
  const isWhole = wanted > 4 * FIRST_BYTES || 2 * wanted >= memory.size;
  const larger = isWhole ? memory.take() : Buffer.allocUnsafeSlow(2 * wanted);
  buffer.copy(larger);
  return larger;
}
