import { AppError, messageOf } from '../../base/index.ts';
import { hostile } from './check-entry.ts';
import { MAX_EXTENSION_BYTES, MAX_EXTENSIONS } from './limits.ts';
import { parsePax, type PaxFacts } from './pax.ts';
import { decodeTarHeader, paddingOf, type TarEntry } from './tar-decode.ts';
import { BLOCK } from './tar-header.ts';

/** A complete entry that was requested. */
export interface TarFound<T> {
  wanted: T;
  /** Valid until the next part is pushed. */
  bytes: Buffer;
}

interface Body {
  /** Undefined if the bytes are not kept. */
  memory: Buffer | undefined;
  size: number;
  done: number;
  finish: ((bytes: Buffer) => void) | undefined;
}

/**
 * Parses a tar as it arrives. It holds at most one entry, and only if told to keep it: everything a header says is
 * checked against a limit before it is used. Velero needs the extended headers for long names and no others.
 */
export class TarReader<T> {
  readonly #want: (entry: TarEntry) => T | undefined;
  readonly #header = Buffer.alloc(BLOCK);
  #headerBytes = 0;
  #body: Body | undefined;
  #padding = 0;
  /** What extended headers said about the next entry, and how many there were. */
  #told: PaxFacts = {};
  #extensions = 0;
  #emptyBlocks = 0;
  #lastName: string | undefined;
  #found: TarFound<T> | undefined;

  /** `want` sees every entry before its bytes, and may throw; if it returns undefined, the bytes are skipped. */
  constructor(want: (entry: TarEntry) => T | undefined) {
    this.#want = want;
  }

  /** The requested entries that end in this part. */
  *push(part: Buffer): Generator<TarFound<T>> {
    for (let at = 0; at < part.length;) {
      if (this.#body !== undefined) at = this.#takeBody(this.#body, part, at);
      else if (this.#padding > 0) at = this.#skipPadding(part, at);
      else at = this.#takeHeader(part, at);
      if (this.#found === undefined) continue;
      yield this.#found;
      this.#found = undefined;
    }
  }

  /** Throws if the tar is incomplete. */
  end(): void {
    if (this.#emptyBlocks >= 2 && this.#headerBytes === 0) return;
    throw this.#corrupt(new Error('it ends without the mark of its end, so something is missing'));
  }

  #takeHeader(part: Buffer, at: number): number {
    const end = at + part.copy(this.#header, this.#headerBytes, at);
    this.#headerBytes += end - at;
    if (this.#headerBytes === BLOCK) {
      this.#headerBytes = 0;
      this.#begin(this.#decode());
    }
    return end;
  }

  #decode(): TarEntry | undefined {
    try {
      return decodeTarHeader(this.#header);
    } catch (error) {
      throw this.#corrupt(error);
    }
  }

  #corrupt(cause: unknown): AppError {
    const where = this.#lastName === undefined ? 'at its first entry' : `after entry ${JSON.stringify(this.#lastName)}`;
    return new AppError('invalid', `read archive: cut off or corrupt ${where}: ${messageOf(cause)}`, { cause });
  }

  #begin(entry: TarEntry | undefined): void {
    if (entry === undefined) {
      this.#emptyBlocks += 1;
      return;
    }
    // Other programs stop reading here, and would not see this entry.
    if (this.#emptyBlocks > 0) throw hostile(entry.name, 'it stands behind the end of the archive');
    if (entry.type === 'pax header' || entry.type === 'long name') this.#beginExtension(entry);
    else this.#beginEntry(entry);
  }

  #beginExtension(header: TarEntry): void {
    const { name, type, size } = header;
    this.#extensions += 1;
    if (this.#extensions > MAX_EXTENSIONS)
      throw hostile(name, `expected at most ${MAX_EXTENSIONS} headers for an entry`);
    if (size > MAX_EXTENSION_BYTES) {
      throw hostile(name, `expected a ${type} of at most ${MAX_EXTENSION_BYTES} bytes, it says ${size}`);
    }
    this.#beginBody(size, (bytes) => {
      this.#told = { ...this.#told, ...extensionOf(header, bytes) };
    });
  }

  #beginEntry(header: TarEntry): void {
    const entry = { ...header, name: this.#told.path ?? header.name, size: this.#told.size ?? header.size };
    this.#told = {};
    this.#extensions = 0;
    this.#lastName = entry.name;
    const wanted = this.#want(entry);
    const finish = (bytes: Buffer): void => {
      this.#found = { wanted: wanted as T, bytes };
    };
    this.#beginBody(entry.size, wanted === undefined ? undefined : finish);
  }

  #beginBody(size: number, finish: Body['finish']): void {
    this.#padding = paddingOf(size);
    if (size > 0) this.#body = { memory: undefined, size, done: 0, finish };
    else finish?.(Buffer.alloc(0));
  }

  #takeBody(body: Body, part: Buffer, at: number): number {
    const end = Math.min(part.length, at + body.size - body.done);
    const isWhole = end - at === body.size;
    if (body.finish !== undefined && !isWhole) {
      body.memory ??= Buffer.allocUnsafeSlow(body.size);
      part.copy(body.memory, body.done, at, end);
    }
    body.done += end - at;
    if (body.done === body.size) {
      this.#body = undefined;
      body.finish?.(isWhole ? part.subarray(at, end) : (body.memory ?? Buffer.alloc(0)));
    }
    return end;
  }

  #skipPadding(part: Buffer, at: number): number {
    const end = Math.min(part.length, at + this.#padding);
    this.#padding -= end - at;
    return end;
  }
}

function extensionOf({ name, type }: TarEntry, bytes: Buffer): PaxFacts {
  try {
    if (type === 'pax header') return parsePax(bytes);
  } catch (error) {
    throw hostile(name, messageOf(error));
  }
  const zero = bytes.indexOf(0);
  return { path: bytes.toString('utf8', 0, zero < 0 ? bytes.length : zero) };
}
