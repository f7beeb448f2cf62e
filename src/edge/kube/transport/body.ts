import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, formatBytes, messageOf } from '../../../base/index.ts';
import type { Readable } from 'node:stream';

const unzip = promisify(gunzip);

/** Reads a body whole, never more than `maxBytes`, also when it grows by being decompressed. */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<string> {
  const chunks = await collect(body, maxBytes);
  if (encoding === undefined || encoding === 'identity') return decode(chunks);
  if (encoding !== 'gzip') {
    throw new AppError('badAnswer', `the answer is encoded as ${encoding}, expected gzip or none`);
  }
  try {
    return decode([await unzip(Buffer.concat(chunks), { maxOutputLength: maxBytes })]);
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw new AppError('badAnswer', `the gzip answer cannot be decompressed: ${messageOf(error)}`, { cause: error });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('tooLarge', `the answer is longer than ${formatBytes(maxBytes)}`);
}

function collect(body: Readable, maxBytes: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) body.destroy(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    body.on('end', () => {
      resolve(chunks);
    });
    body.on('error', reject);
  });
}

/**
 * The joined buffer is given back at once by detaching it. Left to the garbage collector, which sees only the heap,
 * such buffers pile up: walking 100 000 objects took 40 MB more.
 */
function decode(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  if (chunks.length <= 1) return only?.toString('utf8') ?? '';
  const joined = new Uint8Array(new ArrayBuffer(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0)));
  let end = 0;
  for (const chunk of chunks) {
    joined.set(chunk, end);
    end += chunk.length;
  }
  const text = Buffer.from(joined.buffer).toString('utf8');
  joined.buffer.transfer(0);
  return text;
}
