import type { TransformOptions } from 'node:stream';

/**
 * For zlib: so many chunks may wait for a reader, each of them on its own. Chunks that are queued as bytes are joined
 * into a copy for a slow reader, and their own memory is left to the collector.
 */
export function oneByOne(ahead: number): Pick<TransformOptions, 'readableObjectMode' | 'readableHighWaterMark'> {
  return { readableObjectMode: true, readableHighWaterMark: ahead };
}

/**
 * Frees the memory that zlib has cut chunks from, once the last of them was read. Otherwise dozens would wait for
 * a collection of the whole heap, whose size is all that the collector sees. `memoryBytes` is zlib's `chunkSize`.
 */
export function freeIfUsedUp({ buffer, byteOffset, byteLength }: Uint8Array, memoryBytes: number): void {
  if (byteOffset + byteLength === buffer.byteLength && buffer.byteLength === memoryBytes) {
    (buffer as ArrayBuffer).transfer(0);
  }
}
