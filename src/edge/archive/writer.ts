import { createHash } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { AppError, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { goJson } from './go-json.ts';
import type { ArchiveLayout } from './layout.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { TAR_END, tarHeader, tarPadding } from './tar-header.ts';

/** One object as it goes into the archive; `bytes` come from `encodeItem`. */
export interface ArchiveItem extends ItemKey {
  /** Of the API, such as `v1`; names the second path. */
  version: string;
  bytes: Uint8Array;
}

export interface ArchiveSummary {
  items: number;
  /** Before compression. */
  tarBytes: number;
  /** After it: what the store got. */
  archiveBytes: number;
  /** Of the compressed bytes; only once all of them were taken. */
  sha256?: string;
}

export interface WriteOptions {
  layout: ArchiveLayout;
  /** The modification time of every entry. */
  now: Date;
  signal?: AbortSignal;
}

export interface ArchiveWriter {
  /** The archive, to be read once. Items are asked for only as fast as it is taken. */
  bytes: AsyncIterable<Uint8Array>;
  /** What was done so far, at any time. */
  summary(): ArchiveSummary;
}

// Each write to gzip is a job of the thread pool, so small blocks are put together first.
const CHUNK_BYTES = 256 * 1024;

/** Throws for an object that no reader would take back, so that the caller can count it as failed. */
export function encodeItem(object: JsonObject, maxBytes: number = DEFAULT_LIMITS.maxItemBytes): Uint8Array {
  let bytes: Buffer;
  try {
    bytes = Buffer.from(goJson(object));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid', 'write item as JSON: it is nested too deeply', { cause: error });
  }
  if (bytes.length <= maxBytes) return bytes;
  throw new AppError('tooLarge', `write item as JSON: expected at most ${maxBytes} bytes, it has ${bytes.length}`);
}

/**
 * Streams items into a gzipped tar in the order they come. When the next item is asked for, the last one is in the
 * archive. Whoever stops reading `bytes` also ends `items`; an error of `items` comes out of `bytes`.
 */
export function writeArchive(items: AsyncIterable<ArchiveItem>, options: WriteOptions): ArchiveWriter {
  const summary: ArchiveSummary = { items: 0, tarBytes: 0, archiveBytes: 0 };
  return {
    bytes: compress(tarChunks(items, options, summary), summary, options.signal),
    summary: () => ({ ...summary }),
  };
}

async function* tarChunks(
  items: AsyncIterable<ArchiveItem>,
  { layout, now }: WriteOptions,
  summary: ArchiveSummary,
): AsyncGenerator<Uint8Array> {
  const mtimeSeconds = Math.floor(now.getTime() / 1000);
  let waiting: Uint8Array[] = [];
  let length = 0;
  const add = (...blocks: Uint8Array[]): void => {
    waiting.push(...blocks);
    for (const block of blocks) length += block.length;
  };
  const addFile = (path: string, bytes: Uint8Array): void => {
    add(tarHeader({ path, size: bytes.length, mtimeSeconds }), bytes, tarPadding(bytes.length));
  };
  const take = (): Uint8Array => {
    const chunk = Buffer.concat(waiting, length);
    waiting = [];
    length = 0;
    summary.tarBytes += chunk.length;
    return chunk;
  };
  addFile(layout.version.path, Buffer.from(layout.version.text));
  for await (const item of items) {
    for (const path of layout.pathsOf(item, item.version)) addFile(path, item.bytes);
    summary.items += 1;
    if (length >= CHUNK_BYTES) yield take();
  }
  add(TAR_END);
  yield take();
}

async function* compress(
  chunks: AsyncIterable<Uint8Array>,
  summary: ArchiveSummary,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const source = Readable.from(chunks, { highWaterMark: 1 });
  // Errors reach the loop below through gzip, which the pipeline destroys with them.
  const gzip = pipeline(source, createGzip({ chunkSize: 64 * 1024 }), () => undefined);
  const abort = (): void => void gzip.destroy(canceled(signal));
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted === true) throw canceled(signal);
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      summary.archiveBytes += chunk.length;
      yield chunk;
    }
    summary.sha256 = hash.digest('hex');
  } finally {
    signal?.removeEventListener('abort', abort);
    source.destroy();
  }
}

function canceled(signal: AbortSignal | undefined): AppError {
  return new AppError('canceled', 'write archive: canceled', { cause: signal?.reason });
}
