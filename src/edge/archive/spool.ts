import { open, rm, type FileHandle } from 'node:fs/promises';
import { AppError, messageOf } from '../../base/index.ts';
import { WriteBehind } from './write-behind.ts';

// A read is a job for the thread pool too, and on a busy machine that thread displaces the main one.
const WINDOW_BYTES = 256 * 1024;

export interface Span {
  offset: number;
  length: number;
}

/** One file that is appended to first and then read in any order. It belongs to one reader and is removed with it. */
export class Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #writer: WriteBehind;
  /** The bytes read last. */
  #window: (Span & { bytes: Promise<Buffer> }) | undefined;
  #isClosed = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
    this.#writer = new WriteBehind(file);
  }

  /** The file must not exist: we do not overwrite somebody else's file. */
  static async create(path: string): Promise<Spool> {
    try {
      return new Spool(path, await open(path, 'wx+', 0o600));
    } catch (error) {
      throw failed('create', path, error);
    }
  }

  /** One call at a time; the caller may reuse the bytes afterwards. */
  async append(bytes: Uint8Array): Promise<Span> {
    const span = { offset: this.#writer.size, length: bytes.length };
    await this.#writing(this.#writer.append(bytes));
    return span;
  }

  /** After this, everything appended can be read. */
  async flush(): Promise<void> {
    await this.#writing(this.#writer.flush());
  }

  async #writing(done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      throw failed('write', this.#path, error);
    }
  }

  /** The caller may read the bytes, but must not change them. */
  async read({ offset, length }: Span): Promise<Buffer> {
    let window = this.#window;
    if (window === undefined || offset < window.offset || offset + length > window.offset + window.length) {
      // Items requested in sequence are usually stored in sequence, so read ahead.
      const wanted = { offset, length: Math.max(length, Math.min(WINDOW_BYTES, this.#writer.size - offset)) };
      window = { ...wanted, bytes: this.#load(wanted) };
      this.#window = window;
    }
    const start = offset - window.offset;
    return (await window.bytes).subarray(start, start + length);
  }

  async #load({ offset, length }: Span): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(length);
    let done = 0;
    try {
      while (done < length) {
        const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new Error(`expected ${length} bytes at ${offset}, the file ends after ${done}`);
        done += bytesRead;
      }
    } catch (error) {
      this.#window = undefined;
      throw failed('read', this.#path, error);
    }
    return bytes;
  }

  /** Closes and removes the file; may be called again. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writer.end();
    // Whatever could not be written is removed anyway.
    await this.#file.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}

function failed(what: string, path: string, cause: unknown): AppError {
  return new AppError('serverError', `${what} spool file ${path}: ${messageOf(cause)}`, { cause });
}
