import { createHash } from 'node:crypto';

/** Sample data for the stores' tests; not part of the product. */
const PATTERN = Buffer.from(Array.from({ length: 251 }, (_, i) => i));

/**
 * Bytes that differ at every offset a bug could confuse, generated as they are read. All chunks share the same memory,
 * because a source may do that.
 */
export async function* generated(size: number, chunkBytes = 256 * 1024): AsyncGenerator<Uint8Array> {
  const pattern = Buffer.alloc(chunkBytes + PATTERN.length);
  for (let i = 0; i < pattern.length; i += PATTERN.length) PATTERN.copy(pattern, i);
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < size; at += chunkBytes) {
    const start = at % PATTERN.length;
    const length = Math.min(chunkBytes, size - at);
    pattern.copy(chunk, 0, start, start + length);
    yield chunk.subarray(0, length);
    chunk.fill(0xff);
    await Promise.resolve();
  }
}

export async function digest(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function* text(words: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(words));
}
