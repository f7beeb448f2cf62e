import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../../base/index.ts';
import type { GetOptions, ObjectFacts } from '../port.ts';
import type { Walk } from './fs-walk.ts';

const CHUNK_BYTES = 256 * 1024;

interface OpenFile {
  handle: FileHandle;
  facts: ObjectFacts;
  walk: Walk;
  where: string;
}

/** An empty chunk and then the requested bytes; checks the request before reading. */
export function readFile(file: OpenFile, { range, version }: GetOptions): AsyncGenerator<Uint8Array> {
  const { facts, where } = file;
  if (version !== undefined && version !== facts.version) {
    throw new AppError('conflict', `get ${facts.key} from ${where}: it was replaced meanwhile`, { retry: 'never' });
  }
  const offset = range?.offset ?? 0;
  if (range !== undefined && offset >= facts.size) {
    const got = `asked for bytes from ${offset}, it has ${facts.size}`;
    throw new AppError('invalid', `get ${facts.key} from ${where}: ${got}`);
  }
  return chunks(file, offset, Math.min(facts.size, offset + (range?.length ?? Infinity)));
}

async function* chunks(
  { handle, facts, walk, where }: OpenFile,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let position = start;
  try {
    // The generator pauses here before anything is read.
    yield new Uint8Array();
    while (position < end) {
      const wanted = Math.min(CHUNK_BYTES, end - position);
      const chunk = Buffer.allocUnsafe(wanted);
      const { bytesRead } = await walk.step(() => handle.read(chunk, 0, wanted, position));
      if (bytesRead === 0) {
        const got = `expected ${facts.size} bytes, it ended after ${position}`;
        throw new AppError('badAnswer', `get ${facts.key} from ${where}: ${got}`);
      }
      position += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    closeUnwaited(handle);
  }
}

/** Closing can hang in a system call, so nobody waits for it; written data was synced before. */
export function closeUnwaited(handle: FileHandle): void {
  void handle.close().catch(() => undefined);
}
