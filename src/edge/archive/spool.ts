import { open, rm, type FileHandle } from 'node:fs/promises';
import { AppError, messageOf } from '../../base/index.ts';

// Items are small; a write for each would be a job of the thread pool for each.
const MEMORY_BYTES = 256 * 1024;

// A read is a job of the thread pool as well, and took an eighth of the main thread's time in a restore.
const WINDOW_BYTES = 64 * 1024;

export interface Span {
  offset: number;
  length: number;
}

/** One file that bytes are appended to and then read back from, in any order. It belongs to one reader and goes with it. */
export class Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  /** Of what is not written yet. A copy: the bytes themselves would keep the much larger chunks alive that they came in. */
  readonly #memory = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  #waiting = 0;
  #written = 0;
  /** What was read last. */
  #window: (Span & { bytes: Promise<Buffer> }) | undefined;
  #isClosed = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** The file must not be there yet: what somebody else put there is not ours to overwrite. */
  static async create(path: string): Promise<Spool> {
    try {
      return new Spool(path, await open(path, 'wx+', 0o600));
    } catch (error) {
      throw failed('create', path, error);
    }
  }

  /** One after the other; the bytes may change afterwards. */
  async append(bytes: Uint8Array): Promise<Span> {
    const span = { offset: this.#written + this.#waiting, length: bytes.length };
    if (this.#waiting + bytes.length > MEMORY_BYTES) await this.flush();
    if (bytes.length > MEMORY_BYTES) await this.#write(bytes);
    else {
      this.#memory.set(bytes, this.#waiting);
      this.#waiting += bytes.length;
    }
    return span;
  }

  /** What was appended can be read from here on. */
  async flush(): Promise<void> {
    await this.#write(this.#memory.subarray(0, this.#waiting));
    this.#waiting = 0;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#written + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw failed('write', this.#path, error);
    }
    this.#written += bytes.length;
  }

  /** The bytes are the caller's to read and nobody's to change. */
  async read({ offset, length }: Span): Promise<Buffer> {
    let window = this.#window;
    if (window === undefined || offset < window.offset || offset + length > window.offset + window.length) {
      // Those that are asked for one after the other mostly stand one after the other.
      const wanted = { offset, length: Math.max(length, Math.min(WINDOW_BYTES, this.#written - offset)) };
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
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

function failed(what: string, path: string, cause: unknown): AppError {
  return new AppError('serverError', `${what} spool file ${path}: ${messageOf(cause)}`, { cause });
}
