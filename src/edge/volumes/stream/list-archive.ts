import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { AppError, messageOf } from '../../../base/index.ts';
import { shownPath } from '../shown-path.ts';
import { systemCode } from '../system-code.ts';
import { decodeHeader, decodeRecords, withRecords, type TarRecords } from './tar-decode.ts';
import { BLOCK, paddingOf, type TarEntry } from './tar-header.ts';

/** One entry of a volume's archive, for people: bytes of its name that are no text are replaced. */
export interface ListedFile {
  path: string;
  type: TarEntry['type'];
  bytes: number;
  mode: number;
  modifiedAt: string;
  /** Of a link. */
  target?: string;
}

const OUTPUT_BYTES: number = 512 * 1024;
const MAX_RECORDS = 16 * 1024;
/** What a time may be; an archive that somebody wrote may say anything. */
const MAX_SECONDS = 8_640_000_000_000;

/** The entries of a volume's `.tar.zst`, in its order. Contents are passed over; whoever has enough just leaves. */
export async function* listArchive(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<ListedFile> {
  signal.throwIfAborted();
  const zstd = createZstdDecompress({ chunkSize: OUTPUT_BYTES });
  const abort = (): void => void zstd.destroy(new AppError('canceled', 'list a volume: canceled'));
  signal.addEventListener('abort', abort, { once: true });
  let failure: unknown;
  pipeline(source, zstd, (error) => {
    failure ??= error ?? undefined;
  });
  const reader = new HeaderReader();
  try {
    for await (const piece of zstd as AsyncIterable<Buffer>) {
      for (const entry of reader.push(piece)) yield listed(entry);
    }
    reader.end();
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, failure);
  } finally {
    signal.removeEventListener('abort', abort);
    zstd.destroy();
  }
}

/** Reads headers and the records before them, and nothing else. */
class HeaderReader {
  readonly #block = Buffer.alloc(Math.max(BLOCK, MAX_RECORDS));
  #have = 0;
  #want = BLOCK;
  /** Bytes to pass over. */
  #skip = 0;
  #records: { isGlobal: boolean } | undefined;
  #told: TarRecords = {};
  #endBlocks = 0;

  *push(piece: Buffer): Generator<TarEntry> {
    for (let at = 0; at < piece.length;) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, piece.length - at);
        this.#skip -= passed;
        at += passed;
        continue;
      }
      const copied = piece.copy(this.#block, this.#have, at, Math.min(piece.length, at + this.#want - this.#have));
      this.#have += copied;
      at += copied;
      if (this.#have < this.#want) return;
      const whole = this.#block.subarray(0, this.#want);
      this.#have = 0;
      if (this.#records !== undefined) {
        this.#endRecords(whole, this.#records);
        continue;
      }
      const entry = this.#header(whole);
      if (entry !== undefined) yield entry;
    }
  }

  end(): void {
    if (this.#endBlocks < 2 || this.#have > 0) throw new Error('it ends before its end');
  }

  #header(block: Buffer): TarEntry | undefined {
    const header = decodeHeader(block);
    if (header.kind === 'end') {
      this.#endBlocks += 1;
      return undefined;
    }
    if (this.#endBlocks > 0) throw new Error('something stands behind its end');
    if (header.kind === 'records') {
      if (header.size > MAX_RECORDS || header.size === 0) throw new Error('its records are too long');
      this.#records = { isGlobal: header.isGlobal };
      this.#want = header.size;
      return undefined;
    }
    const entry = withRecords(header.entry, this.#told);
    this.#told = {};
    this.#skip = entry.size + paddingOf(entry.size);
    return entry;
  }

  #endRecords(bytes: Buffer, { isGlobal }: { isGlobal: boolean }): void {
    this.#records = undefined;
    this.#want = BLOCK;
    this.#skip = paddingOf(bytes.length);
    const records = decodeRecords(bytes);
    if (!isGlobal) this.#told = records;
  }
}

function listed({ path, type, size, mode, mtimeSeconds, target }: TarEntry): ListedFile {
  const seconds = Math.min(Math.max(mtimeSeconds, -MAX_SECONDS), MAX_SECONDS);
  return {
    path: shownPath(path),
    type,
    bytes: size,
    mode,
    modifiedAt: new Date(seconds * 1000).toISOString(),
    ...(target === undefined ? {} : { target: shownPath(target) }),
  };
}

function failureOf(error: unknown, failure: unknown): unknown {
  // What the source failed with says more than that the stream ended early.
  const cause = failure instanceof AppError ? failure : error;
  if (cause instanceof AppError) return cause;
  const why = systemCode(cause) === 'Z_BUF_ERROR' ? 'it is cut off' : messageOf(cause);
  return new AppError('invalid', `list a volume: its archive is broken: ${why}`, { cause });
}
