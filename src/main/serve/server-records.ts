import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson, textAt } from '../../base/index.ts';

/** Where the commands of this machine's user find the server that runs here. */
export class ServerRecord {
  readonly #file: string;

  constructor(home: string) {
    this.#file = join(home, 'server.json');
  }

  write(url: string): void {
    mkdirSync(join(this.#file, '..'), { recursive: true, mode: 0o700 });
    const next = `${this.#file}.${process.pid}`;
    writeFileSync(next, `${JSON.stringify({ url, pid: process.pid })}\n`, { mode: 0o600 });
    renameSync(next, this.#file);
  }

  /** Undefined when no server was started here, or the last one ended cleanly. */
  url(): string | undefined {
    try {
      const parsed = parseJson(readFileSync(this.#file, 'utf8'));
      return isObject(parsed) ? textAt(parsed, 'url') : undefined;
    } catch {
      // No file, or one of another version: both mean that nobody can be found by it.
      return undefined;
    }
  }

  /** Only one's own: another server may have been started since. */
  clear(url: string): void {
    if (this.url() === url) rmSync(this.#file, { force: true });
  }
}
