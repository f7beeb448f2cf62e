import { randomBytes } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';

/**
 * Room that is kept for the cluster itself: when nothing else is left it is given up, so that what is in the way can
 * still be deleted.
 */
export class Reserve {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Makes it where it is not. Best effort: a disk that has no room for it gets none. */
  async keep(bytes: number): Promise<void> {
    const facts = await stat(this.#path).catch(() => undefined);
    if (facts !== undefined && facts.size >= bytes) return;
    // Nothing that a file system could make smaller.
    await writeFile(this.#path, randomBytes(bytes), { mode: 0o600 }).catch(() => this.give());
  }

  async give(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
