import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** One file of a log; the next one has the next number. */
export interface Segment {
  number: number;
  path: string;
}

const NAME = /^(\d+)\.log$/;

/** The files of one log, oldest first. Empty when there is none. */
export async function segmentsOf(dir: string): Promise<Segment[]> {
  const names = await readdir(dir).catch(() => []);
  return names
    .flatMap((name) => {
      const [, number] = NAME.exec(name) ?? [];
      return number === undefined ? [] : [{ number: Number(number), path: join(dir, name) }];
    })
    .toSorted((a, b) => a.number - b.number);
}

export interface LogLimits {
  /** A file that has more is followed by another. */
  maxBytes: number;
  /** So many files are kept. */
  files: number;
}

/** Appends to a log whose size is bounded: what is too old is gone. */
export class LogFolder {
  readonly dir: string;
  readonly #limits: LogLimits;
  #handle: FileHandle | undefined;
  #number = 0;
  #size = 0;

  constructor(dir: string, limits: LogLimits) {
    this.dir = dir;
    this.#limits = limits;
  }

  async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    if (this.#handle !== undefined && this.#size + bytes.length > this.#limits.maxBytes) await this.#rotate();
    this.#handle ??= await this.#open();
    await this.#handle.appendFile(bytes);
    this.#size += bytes.length;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Nothing was ever said. */
  async clear(): Promise<void> {
    await this.close();
    await rm(this.dir, { recursive: true, force: true });
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    const path = join(this.dir, `${this.#number}.log`);
    const handle = await open(path, 'a', 0o600);
    this.#size = (await stat(path)).size;
    return handle;
  }

  async #rotate(): Promise<void> {
    await this.close();
    this.#number += 1;
    for (const { number, path } of await segmentsOf(this.dir)) {
      if (number <= this.#number - this.#limits.files) await rm(path, { force: true });
    }
  }
}
