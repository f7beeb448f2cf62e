import { fstatSync, type Stats } from 'node:fs';
import type { BytePath } from '../byte-path.ts';

/** So many files with several names are remembered; further ones are packed once for each name. */
const MAX_REMEMBERED = 200_000;

/** Finds the files that have several names, so that each is packed once. */
export class HardLinks {
  readonly #first = new Map<string, { path: BytePath; left: number }>();

  /** The name under which this open file was packed before; undefined if it has to be packed now. */
  earlier(file: number, path: BytePath, stats: Stats): BytePath | undefined {
    if (stats.nlink < 2) return undefined;
    // Exact numbers: two large ones must not look like one.
    const { dev, ino } = fstatSync(file, { bigint: true });
    const inode = `${dev}:${ino}`;
    const known = this.#first.get(inode);
    if (known === undefined) {
      if (this.#first.size < MAX_REMEMBERED) this.#first.set(inode, { path, left: stats.nlink - 1 });
      return undefined;
    }
    known.left -= 1;
    // All its names were seen.
    if (known.left <= 0) this.#first.delete(inode);
    return known.path;
  }
}
