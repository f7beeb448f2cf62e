import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, formatBytes, messageOf } from '../../../base/index.ts';
import type { Readable } from 'node:stream';
import { BodyMemory } from './body-memory.ts';

const unzip = promisify(gunzip);

/** Reads a whole body, never more than `maxBytes`, also after decompression. */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<string> {
  using memory = await readBytes(body, encoding, maxBytes);
  return memory.bytes.toString('utf8');
}

async function readBytes(body: Readable, encoding: string | undefined, maxBytes: number): Promise<BodyMemory> {
  using stack = new DisposableStack();
  const memory = stack.use(new BodyMemory());
  await collect(body, memory, maxBytes);
  stack.move();
  return await decoded(memory, encoding, maxBytes);
}

/** What was encoded in the memory, which is given back if it is not the answer itself. */
export async function decoded(memory: BodyMemory, encoding: string | undefined, maxBytes: number): Promise<BodyMemory> {
  if (encoding === undefined || encoding === 'identity') return memory;
  using encoded = memory;
  if (encoding !== 'gzip') {
    throw new AppError('badAnswer', `the answer is encoded as ${encoding}, expected gzip or none`);
  }
  const plain = new BodyMemory();
  plain.add(await decompressed(encoded.bytes, maxBytes));
  return plain;
}

async function decompressed(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes);
    throw new AppError('badAnswer', `the gzip answer cannot be decompressed: ${messageOf(error)}`, { cause: error });
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('tooLarge', `the answer is longer than ${formatBytes(maxBytes)}`);
}

function collect(body: Readable, memory: BodyMemory, maxBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      if (memory.length + chunk.length > maxBytes) body.destroy(tooLarge(maxBytes));
      else memory.add(chunk);
    });
    body.on('end', resolve);
    body.on('error', reject);
  });
}
