import { open } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Log, LogFields } from '../../../base/index.ts';
import { LogFile, type LogFileOptions } from './log-file.ts';

/**
 * The log of one operation, in a file that can be read while it grows and is stored when the operation ends. Logging
 * never fails the work: a line that cannot be written is lost, and the process's log says so once.
 */
export class OperationLog implements Log {
  readonly #file: LogFile;
  readonly #fields: LogFields;

  private constructor(file: LogFile, fields: LogFields) {
    this.#file = file;
    this.#fields = fields;
  }

  /** Continues the file of an earlier attempt if there is one. */
  static async open(options: LogFileOptions, fields: LogFields): Promise<OperationLog> {
    const file = await open(options.path, 'a', 0o600);
    const { size } = await file.stat();
    return new OperationLog(new LogFile(options, file, size), fields);
  }

  debug(): void {
    // Velero's default level; a line for every step of every item would hide what matters.
  }

  info(message: string, fields: LogFields = {}): void {
    this.#file.add('info', message, { ...this.#fields, ...fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#file.add('warning', message, { ...this.#fields, ...fields });
    this.#file.options.process.warn(message, { ...this.#fields, ...fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.#file.add('error', message, { ...this.#fields, ...fields });
    this.#file.options.process.error(message, { ...this.#fields, ...fields });
  }

  child(fields: LogFields): OperationLog {
    return new OperationLog(this.#file, { ...this.#fields, ...fields });
  }

  /** All lines so far, gzipped, for the store; can be called again. */
  async *gzipped(): AsyncGenerator<Uint8Array> {
    await this.#file.flush();
    // An error of either, or a reader that stops, closes both.
    const gzip = pipeline(Readable.from(this.#file.lines()), createGzip(), () => undefined);
    for await (const chunk of gzip as AsyncIterable<Uint8Array>) yield chunk;
  }

  /** The existing lines, then new ones, until the log is closed. */
  async *tail(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    yield* this.#file.tail(signal);
  }

  /** With `keep` the file stays, for the next attempt. */
  async close(options: { keep: boolean }): Promise<void> {
    await this.#file.close(options.keep);
  }
}
