import { open, rm, type FileHandle } from 'node:fs/promises';
import { AppError, messageOf } from '../../base/index.ts';

// Items are small; a write for each would be a job of the thread pool for each.
const FLUSH_BYTES = 1024 * 1024;

export interface Span {
  offset: number;
  length: number;
}

/** One file that bytes are appended to and then read back from, in any order. It belongs to one reader and goes with it. */
export class Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #written = 0;
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

  async append(bytes: Uint8Array): Promise<Span> {
    const span = { offset: this.#written + this.#waitingBytes, length: bytes.length };
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= FLUSH_BYTES) await this.flush();
    return span;
  }

  /** What was appended can be read from here on. */
  async flush(): Promise<void> {
    const chunk = Buffer.concat(this.#waiting, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      for (let done = 0; done < chunk.length;) {
        const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, this.#written + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw failed('write', this.#path, error);
    }
    this.#written += chunk.length;
  }

  async read({ offset, length }: Span): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    try {
      while (done < length) {
        const { bytesRead } = await this.#file.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new Error(`expected ${length} bytes at ${offset}, the file ends after ${done}`);
        done += bytesRead;
      }
    } catch (error) {
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
