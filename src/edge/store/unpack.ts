import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const PART_BYTES = 32 * 1024;

/** What a gzipped object holds, as it comes: whoever has enough of it leaves, and nothing more is unpacked. */
export async function* unpack(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Errors reach the loop below through gunzip, which the pipeline destroys with them.
  const parts = pipeline(Readable.from(body), createGunzip({ chunkSize: PART_BYTES }), () => undefined);
  try {
    for await (const part of parts as AsyncIterable<Uint8Array>) yield part;
  } finally {
    parts.destroy();
  }
}
