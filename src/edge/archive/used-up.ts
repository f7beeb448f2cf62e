/**
 * Frees the memory that zlib has cut chunks from, when the last of them was read: dozens would wait for a collection of
 * the whole heap, whose size is all that the collector sees. `memoryBytes` is zlib's `chunkSize`.
 */
export function freeIfUsedUp({ buffer, byteOffset, byteLength }: Uint8Array, memoryBytes: number): void {
  if (byteOffset + byteLength === buffer.byteLength && buffer.byteLength === memoryBytes) {
    (buffer as ArrayBuffer).transfer(0);
  }
}
