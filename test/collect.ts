/** Everything an async iterable gives, in order. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** All bytes of an archive, of which each chunk is valid only until the next one is requested. */
export async function collectBytes(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of source) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}
