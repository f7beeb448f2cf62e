import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

const PART_BYTES = 32 * 1024;

/** The content of a gzipped object as it arrives. If the reader stops, nothing more is unpacked. */
export async function* unpack(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Errors reach the loop below through gunzip, which the pipeline destroys with them.
  const parts = pipeline(Readable.from(body), createGunzip({ chunkSize: PART_BYTES }), () => undefined);
  try {
    for await (const part of parts as AsyncIterable<Uint8Array>) yield part;
  } finally {
    parts.destroy();
  }
}
