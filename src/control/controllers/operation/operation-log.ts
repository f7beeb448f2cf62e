import { createReadStream, type PathLike } from 'node:fs';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { messageOf, type Clock, type Log, type LogFields } from '../../../base/index.ts';
import { logfmtLine, type Level } from './logfmt.ts';

export interface OperationLogOptions {
  path: string;
  clock: Clock;
  /** The process's own log, which gets warnings and errors as well. */
  process: Log;
  /** Beyond it only warnings and errors are kept. */
  maxBytes: number;
}

const FLUSH_MS = 100;

/**
 * What one operation tells, in a file that can be read while it grows and is stored when the operation ends.
 * Logging never fails the work: a line that cannot be written is lost, and the process's log says so once.
 */
export class OperationLog implements Log {
  readonly #shared: Shared;
  readonly #fields: LogFields;

  private constructor(shared: Shared, fields: LogFields) {
    this.#shared = shared;
    this.#fields = fields;
  }

  /** Goes on in the file of an earlier attempt when there is one. */
  static async open(options: OperationLogOptions, fields: LogFields): Promise<OperationLog> {
    const file = await open(options.path, 'a', 0o600);
    const { size } = await file.stat();
    return new OperationLog(new Shared(options, file, size), fields);
  }

  debug(): void {
    // Velero's default level; a line for every step of every item would drown what matters.
  }

  info(message: string, fields: LogFields = {}): void {
    this.#shared.add('info', message, { ...this.#fields, ...fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#shared.add('warning', message, { ...this.#fields, ...fields });
    this.#shared.options.process.warn(message, { ...this.#fields, ...fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.#shared.add('error', message, { ...this.#fields, ...fields });
    this.#shared.options.process.error(message, { ...this.#fields, ...fields });
  }

  child(fields: LogFields): OperationLog {
    return new OperationLog(this.#shared, { ...this.#fields, ...fields });
  }

  /** All lines so far, gzipped, for the store; can be called again. */
  async *gzipped(): AsyncGenerator<Uint8Array> {
    await this.#shared.flush();
    const gzip = createReadStream(this.#shared.options.path).pipe(createGzip());
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) yield chunk;
  }

  /** What is there, then what comes, until the log is closed. */
  async *tail(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* this.#shared.tail(signal);
  }

  /** With `keep` the file stays, for the next attempt. */
  async close(options: { keep: boolean }): Promise<void> {
    await this.#shared.close(options.keep);
  }
}

class Shared {
  readonly options: OperationLogOptions;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #size: number;
  #written: number;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  #hasFailed = false;
  #isFull = false;
  #grown = Promise.withResolvers<undefined>();

  constructor(options: OperationLogOptions, file: FileHandle, size: number) {
    this.options = options;
    this.#file = file;
    this.#size = size;
    this.#written = size;
  }

  add(level: Level, message: string, fields: LogFields): void {
    if (this.#isClosed || (this.#isFull && level === 'info')) return;
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
    await this.options.clock.sleep(FLUSH_MS);
    await this.#write();
    this.#flushing = undefined;
  }

  async flush(): Promise<void> {
    await this.#flushing;
    await this.#write();
  }

  async #write(): Promise<void> {
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

  async *tail(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const stop = (): void => {
      this.#tell();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (let at = 0; !signal.aborted;) {
        const [end, more] = [this.#written, this.#grown.promise];
        if (at < end) yield* slice(this.options.path, at, end);
        else if (this.#isClosed) return;
        else await more;
        at = Math.max(at, end);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(keep: boolean): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flush();
    await this.#file.close();
    if (!keep) await rm(this.options.path, { force: true });
    this.#tell();
  }
}

async function* slice(path: PathLike, start: number, end: number): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path, { start, end: end - 1 })) yield chunk as Uint8Array;
}
