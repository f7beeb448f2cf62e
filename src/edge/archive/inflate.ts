import { Readable, addAbortSignal, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError, messageOf } from '../../base/index.ts';
import { RATIO_FREE_BYTES, type ArchiveLimits } from './limits.ts';
import { freeIfUsedUp, oneByOne } from './used-up.ts';

export interface InflateCounts {
  /** Compressed bytes read from the source. */
  archiveBytes: number;
  /** Decompressed bytes returned. */
  tarBytes: number;
}

const CHUNK_BYTES = 128 * 1024;
/** So that zlib has the next pieces ready while somebody looks at one. */
const AHEAD = 4;

interface InflateOptions {
  limits: ArchiveLimits;
  counts: InflateCounts;
  /** Receives the compressed bytes as they pass. */
  onBytes: (bytes: Uint8Array) => void;
  /** Ends the stream at once, even while the source is silent. */
  signal: AbortSignal;
}

/**
 * The tar inside a gzip, measured as it arrives: too many bytes, or too high a compression ratio, ends it at once. Each
 * piece is valid until the next one is requested; chunks of the source are read ahead, and must stay valid.
 */
export async function* inflate(
  source: AsyncIterable<Uint8Array>,
  { limits, counts, onBytes, signal }: InflateOptions,
): AsyncGenerator<Buffer> {
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      counts.archiveBytes += chunk.length;
      onBytes(chunk);
      yield chunk;
    }
  };
  // Errors reach the loop below through gunzip, which the pipeline destroys with them.
  const options = { chunkSize: CHUNK_BYTES, ...oneByOne(AHEAD) };
  const gunzip = pipeline(Readable.from(counted()), createGunzip(options), () => undefined);
  addAbortSignal(signal, gunzip);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      counts.tarBytes += chunk.length;
      checkSize(counts, limits);
      yield chunk;
      freeIfUsedUp(chunk, CHUNK_BYTES);
    }
  } catch (error) {
    throw translate(error, counts);
  } finally {
    gunzip.destroy();
  }
}

function checkSize({ archiveBytes, tarBytes }: InflateCounts, { maxArchiveBytes, maxRatio }: ArchiveLimits): void {
  if (tarBytes > maxArchiveBytes) {
    throw new AppError('tooLarge', `read archive: expected at most ${maxArchiveBytes} bytes when decompressed`);
  }
  if (tarBytes > RATIO_FREE_BYTES && tarBytes > archiveBytes * maxRatio) {
    throw new AppError(
      'tooLarge',
      `read archive: ${archiveBytes} bytes became ${tarBytes}, expected at most ${maxRatio} times as many`,
    );
  }
}

function translate(error: unknown, counts: InflateCounts): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code.startsWith('Z_')) return corrupt(messageOf(error), counts, error);
  // The source's own error, or one thrown above.
  return error;
}

function corrupt(why: string, { archiveBytes, tarBytes }: InflateCounts, cause?: unknown): AppError {
  const where = `after ${archiveBytes} bytes (${tarBytes} when decompressed)`;
  return new AppError('invalid', `read archive: cut off or corrupt ${where}: ${why}`, { cause });
}
