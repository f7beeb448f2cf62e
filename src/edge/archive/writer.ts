import { createHash } from 'node:crypto';
import type { TransformOptions } from 'node:stream';
import { createGzip, type Gzip, type ZlibOptions } from 'node:zlib';
import { AppError, type Json, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { goJson } from './go-json.ts';
import type { ArchiveLayout } from './layout.ts';
import { DEFAULT_LIMITS, MAX_ITEM_VALUES } from './limits.ts';
import { TarBlock } from './tar-block.ts';
import { freeIfUsedUp, oneByOne } from './used-up.ts';

/** One object to archive. */
export interface ArchiveItem extends ItemKey {
  /** The API version, such as `v1`; it is part of the second path. */
  version: string;
  /** From `encodeItem`, or from `GoBytes`; bytes are copied before the next item is requested. */
  text: string | Uint8Array;
}

export interface ArchiveSummary {
  items: number;
  /** Before compression. */
  tarBytes: number;
  /** After compression: what the store received. */
  archiveBytes: number;
  /** Hash of the compressed bytes; set once all of them were read. */
  sha256?: string;
}

export interface WriteOptions {
  layout: ArchiveLayout;
  /** The modification time of every entry. */
  now: Date;
  signal?: AbortSignal;
}

export interface ArchiveWriter {
  /**
   * The archive, to be read once. Items are requested only as fast as it is read. A chunk is valid until the next one is
   * requested.
   */
  bytes: AsyncIterable<Uint8Array>;
  /** The counts so far, available at any time. */
  summary(): ArchiveSummary;
  /** Why the items ended early, if they did: the reader of `bytes` may wrap that error in one of its own. */
  failure(): unknown;
  /** Call when `bytes` is no longer read. Resolves when no item is being processed any more. */
  ended(): Promise<void>;
}

// Each write to gzip, and each chunk of its output, is a job for the thread pool that starts on the next turn of the
// event loop. With small ones gzip spends half its time waiting for that.
const BLOCK_BYTES = 512 * 1024;
const OUTPUT_BYTES = 512 * 1024;
/** Chunks that wait for a reader. */
const AHEAD = 2;
// Two thirds of the time of gzip's default level, for archives that are 3 to 22 % larger (docs/adr/0015).
const LEVEL = 3;
// A fifth less time for 128 KB more memory, because hash chains are shorter.
const MEMORY_LEVEL = 9;
const GZIP: ZlibOptions & TransformOptions = {
  level: LEVEL,
  memLevel: MEMORY_LEVEL,
  chunkSize: OUTPUT_BYTES,
  ...oneByOne(AHEAD),
};

/** Throws for an object that no reader would accept, so that the caller can count it as failed. */
export function encodeItem(object: JsonObject, maxBytes: number = DEFAULT_LIMITS.maxItemBytes): string {
  let text: string;
  try {
    text = goJson(object);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid', 'write item as JSON: it is nested too deeply', { cause: error });
  }
  const size = Buffer.byteLength(text);
  if (size > maxBytes) {
    throw new AppError('tooLarge', `write item as JSON: expected at most ${maxBytes} bytes, it has ${size}`);
  }
  // Every value takes at least two characters, so almost no item needs counting.
  if (text.length > 2 * MAX_ITEM_VALUES && countValues(object) > MAX_ITEM_VALUES) {
    throw new AppError('tooLarge', `write item as JSON: expected at most ${MAX_ITEM_VALUES} values, it has more`);
  }
  return text;
}

function countValues(value: Json | undefined): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

/**
 * Streams items into a gzipped tar in the order they come. When the next item is requested, the previous one is in the
 * archive. If the reader of `bytes` stops, `items` ends too; an error of `items` is thrown from `bytes`.
 */
export function writeArchive(items: AsyncIterable<ArchiveItem>, options: WriteOptions): ArchiveWriter {
  const summary: ArchiveSummary = { items: 0, tarBytes: 0, archiveBytes: 0 };
  let failure: unknown;
  const onFailure = (error: unknown): void => {
    failure = error;
  };
  let filling = Promise.resolve();
  const onFilling = (work: Promise<void>): void => {
    filling = work;
  };
  return {
    bytes: compress(items, { ...options, onFailure, onFilling }, summary),
    summary: () => ({ ...summary }),
    failure: () => failure,
    ended: () => filling,
  };
}

async function* compress(
  items: AsyncIterable<ArchiveItem>,
  options: WriteOptions & { onFailure: (error: unknown) => void; onFilling: (work: Promise<void>) => void },
  summary: ArchiveSummary,
): AsyncGenerator<Uint8Array> {
  const { signal } = options;
  const hash = createHash('sha256');
  const gzip = createGzip(GZIP);
  const abort = (): void => void gzip.destroy(canceled(signal));
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted === true) throw canceled(signal);
    // Its errors reach the loop below through gzip.
    options.onFilling(
      fill(gzip, items, options, summary).catch((error: unknown) => {
        // Otherwise it only says that the reader is gone.
        if (!gzip.destroyed) options.onFailure(error);
        gzip.destroy(error as Error);
      }),
    );
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      summary.archiveBytes += chunk.length;
      yield chunk;
      freeIfUsedUp(chunk, OUTPUT_BYTES);
    }
    summary.sha256 = hash.digest('hex');
  } finally {
    signal?.removeEventListener('abort', abort);
    gzip.destroy();
  }
}

/** While gzip works on one block, the other is filled; more blocks were not faster. */
async function fill(
  gzip: Gzip,
  items: AsyncIterable<ArchiveItem>,
  { layout, now }: WriteOptions,
  summary: ArchiveSummary,
): Promise<void> {
  const mtimeSeconds = Math.floor(now.getTime() / 1000);
  let filling = new TarBlock(BLOCK_BYTES, mtimeSeconds);
  let other = new TarBlock(BLOCK_BYTES, mtimeSeconds);
  let writing = Promise.resolve();
  const send = async (): Promise<void> => {
    await writing;
    summary.tarBytes += filling.bytes.length;
    writing = write(gzip, filling.bytes);
    // The rejection is handled where the write is awaited.
    writing.catch(() => undefined);
    [filling, other] = [other, filling];
    filling.clear();
  };
  filling.add([layout.version.path], layout.version.text);
  for await (const item of items) {
    // The reader is gone.
    if (gzip.destroyed) return;
    filling.add(layout.pathsOf(item, item.version), item.text);
    summary.items += 1;
    if (filling.isFull) await send();
  }
  filling.end();
  await send();
  await writing;
  for (const block of [filling, other]) block.release();
  gzip.end();
}

/** Also rejects when gzip is closed: a write that waits for the reader would never finish. */
function write(gzip: Gzip, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => {
      reject(new AppError('canceled', 'write archive: nobody reads it any more'));
    };
    gzip.once('close', onClose);
    gzip.write(bytes, (error) => {
      gzip.off('close', onClose);
      if (error) reject(error);
      else resolve();
    });
  });
}

function canceled(signal: AbortSignal | undefined): AppError {
  return new AppError('canceled', 'write archive: canceled', { cause: signal?.reason });
}
