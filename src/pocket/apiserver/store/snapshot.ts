import type { MemoryTable } from './memory-table.ts';
import type { Stored } from './stored.ts';

/** One resource as it was at some moment: the table of now, with what changed since put back. Use it in one go. */
export class Snapshot {
  readonly #table: MemoryTable;
  readonly #changed: ReadonlyMap<string, Stored | undefined>;

  constructor(table: MemoryTable, changed: ReadonlyMap<string, Stored | undefined>) {
    this.#table = table;
    this.#changed = changed;
  }

  get(key: string): Stored | undefined {
    return this.#changed.has(key) ? this.#changed.get(key) : this.#table.get(key);
  }

  /** Keys of one namespace, or of all, from `after` on, in order. */
  keys(namespace?: string, after = ''): string[] {
    const keys = this.#table.keys(namespace, after);
    if (this.#changed.size === 0) return keys;
    const kept = keys.filter((key) => !this.#changed.has(key));
    for (const [key, stored] of this.#changed) {
      const isInside = namespace === undefined || stored?.namespace === namespace;
      if (stored !== undefined && isInside && key >= after) kept.push(key);
    }
    return kept.sort();
  }
}
