import { open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, type Log } from '../../../base/index.ts';

/** Of one operation. */
const KEPT_BYTES = 256 * 1024;
/** Of all: then the oldest goes. */
const KEPT_LOGS = 200;
const ENDING = '.end';
const NEWLINE = 10;

/**
 * The last part of the logs of operations that have ended and whose log is stored nowhere else. It is there for as long
 * as this process's directory is: a convenience, and nothing that anything relies on.
 */
export class EndedLogs {
  readonly #directory: string;
  readonly #log: Log;
  /** The names of the files, oldest first. */
  #files: string[] = [];

  constructor(directory: string, log: Log) {
    this.#directory = directory;
    this.#log = log;
  }

  /** Takes the end of a log that has been closed. Never throws: then it is lost. */
  async keep(uid: string, path: string): Promise<void> {
    const file = fileOf(uid);
    try {
      await writeFile(join(this.#directory, file), await endOf(path), { mode: 0o600 });
      this.#files = [...this.#files.filter((each) => each !== file), file];
      while (this.#files.length > KEPT_LOGS) await this.#remove(this.#files[0] ?? '');
    } catch (error) {
      this.#log.warn('log of an operation that has ended is not kept', { err: messageOf(error) });
    }
  }

  /** Undefined when it is not there. */
  async read(uid: string): Promise<Buffer | undefined> {
    try {
      return await endOf(join(this.#directory, fileOf(uid)));
    } catch (error) {
      // It was never kept, or is gone.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#log.warn('kept log of an operation cannot be read', { uid, err: messageOf(error) });
      }
      return undefined;
    }
  }

  async remove(uid: string): Promise<void> {
    await this.#remove(fileOf(uid));
  }

  /** At the start: what earlier processes left of operations that are no longer there goes. */
  async removeAllBut(uids: Iterable<string>): Promise<void> {
    const wanted = new Set([...uids].map(fileOf));
    const found: { file: string; at: number }[] = [];
    for (const file of await readdir(this.#directory).catch(() => [] as string[])) {
      if (!file.endsWith(ENDING) || this.#files.includes(file)) continue;
      if (wanted.has(file)) found.push({ file, at: (await stat(join(this.#directory, file))).mtimeMs });
      else await this.#remove(file);
    }
    const before = found.toSorted((a, b) => a.at - b.at).map(({ file }) => file);
    this.#files = [...before, ...this.#files];
  }

  async #remove(file: string): Promise<void> {
    this.#files = this.#files.filter((each) => each !== file);
    await rm(join(this.#directory, file), { force: true });
  }
}

function fileOf(uid: string): string {
  return `${uid.replace(/[^A-Za-z0-9-]/g, '_')}${ENDING}`;
}

/** Whole lines only. */
async function endOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - KEPT_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const read = buffer.subarray(0, bytesRead);
    return from === 0 ? read : read.subarray(read.indexOf(NEWLINE) + 1);
  } finally {
    await file.close();
  }
}
