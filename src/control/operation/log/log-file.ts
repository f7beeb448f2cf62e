import { open, rm, type FileHandle } from 'node:fs/promises';
import { logfmtLine, messageOf, type Clock, type Level, type Log, type LogFields } from '../../../base/index.ts';

export interface LogFileOptions {
  path: string;
  clock: Clock;
  /** The process's own log, which gets warnings and errors as well. */
  process: Log;
  /** Beyond it only warnings and errors are kept, and beyond twice as much nothing. */
  maxBytes: number;
}

const FLUSH_MS = 100;
const MAX_TIMES = 2;
const CHUNK_BYTES = 65_536;

/** A bounded file of lines, written a few times a second, that any number of readers follow to its end. */
export class LogFile {
  readonly options: LogFileOptions;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #size: number;
  #written: number;
  #flushing: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #takesLines = true;
  #isClosed = false;
  #hasFailed = false;
  #isFull = false;
  #grown = Promise.withResolvers<undefined>();

  constructor(options: LogFileOptions, file: FileHandle, size: number) {
    this.options = options;
    this.#file = file;
    this.#size = size;
    this.#written = size;
  }

  add(level: Level, message: string, fields: LogFields): void {
    if (!this.#takesLines || (this.#isFull && (level === 'info' || this.#size > MAX_TIMES * this.options.maxBytes)))
      return;
    const line = `${logfmtLine(this.options.clock.now(), level, message, fields)}\n`;
    this.#size += line.length;
    this.#waiting.push(line);
    if (this.#size > this.options.maxBytes && !this.#isFull) {
      this.#isFull = true;
      this.add('warning', 'log is full, from here on it has only warnings and errors', {});
    }
    this.#flushing ??= this.#flushSoon();
  }

  async #flushSoon(): Promise<void> {
    // Until nothing is left: a line that arrives during a write may be the last one for a long time.
    while (this.#waiting.length > 0) {
      await this.options.clock.sleep(FLUSH_MS);
      await this.#write();
    }
    this.#flushing = undefined;
  }

  async flush(): Promise<void> {
    await this.#write();
  }

  /** One write at a time, or the disk might mix them. */
  #write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeWaiting());
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    const text = this.#waiting.join('');
    this.#waiting = [];
    if (text === '') return;
    try {
      await this.#file.appendFile(text);
      this.#written += Buffer.byteLength(text);
    } catch (error) {
      if (!this.#hasFailed) this.options.process.error('log of an operation is not written', { err: messageOf(error) });
      this.#hasFailed = true;
    }
    this.#tell();
  }

  #tell(): void {
    this.#grown.resolve(undefined);
    this.#grown = Promise.withResolvers<undefined>();
  }

  /** What was written so far. A missing file must not fail the work, so a line reports it. */
  async *lines(): AsyncGenerator<Uint8Array> {
    const { path, clock, process } = this.options;
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (error) {
      const fields = { err: messageOf(error) };
      process.error('log of an operation is lost', fields);
      yield Buffer.from(`${logfmtLine(clock.now(), 'error', 'the log of this operation is lost', fields)}\n`);
      return;
    }
    for await (const chunk of file.createReadStream() as AsyncIterable<Uint8Array>) yield chunk;
  }

  async *tail(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = await this.#openToRead();
    const stop = (): void => {
      this.#tell();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let at = 0; file && !signal.aborted;) {
        const more = this.#grown.promise;
        if (at < this.#written) {
          const length = Math.min(this.#written - at, CHUNK_BYTES);
          const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
          // Somebody truncated the file.
          if (bytesRead === 0) return;
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        } else if (this.#isClosed) return;
        else await more;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await file?.close();
    }
  }

  /** Every reader opens the file itself, and so can read to the end even if it is removed. */
  async #openToRead(): Promise<FileHandle | undefined> {
    try {
      return await open(this.options.path, 'r');
    } catch (error) {
      if (this.#isClosed) return undefined;
      throw error;
    }
  }

  async close(keep: boolean): Promise<void> {
    if (!this.#takesLines) return;
    this.#takesLines = false;
    await this.flush();
    await this.#file.close();
    if (!keep) await rm(this.options.path, { force: true });
    this.#isClosed = true;
    this.#tell();
  }
}
