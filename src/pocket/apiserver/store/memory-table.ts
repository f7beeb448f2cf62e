import type { Stored } from './stored.ts';

/** The objects of one resource in key order, which is the order of lists and pages. */
export class MemoryTable {
  readonly #byKey = new Map<string, Stored>();
  #keys: string[] = [];

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): Stored | undefined {
    return this.#byKey.get(key);
  }

  set(stored: Stored): void {
    const key = stored.key;
    if (!this.#byKey.has(key)) this.#keys.splice(lowerBound(this.#keys, key), 0, key);
    this.#byKey.set(key, stored);
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#keys.splice(lowerBound(this.#keys, key), 1);
  }

  /** For start-up: inserting one by one into a sorted array would take a second per 100 000 objects. */
  load(all: readonly Stored[]): void {
    for (const stored of all) this.#byKey.set(stored.key, stored);
    this.#keys = [...this.#byKey.keys()].sort();
  }

  /** Keys of one namespace, or of all, that come after `after`. */
  keys(namespace: string | undefined, after = ''): string[] {
    const from = namespace === undefined ? 0 : lowerBound(this.#keys, `${namespace}/`);
    // '0' is the character after '/', so this bound is just behind the last key of the namespace.
    const to = namespace === undefined ? this.#keys.length : lowerBound(this.#keys, `${namespace}0`);
    const start = after === '' ? from : Math.max(from, lowerBound(this.#keys, after));
    return this.#keys.slice(start, to);
  }

  values(namespace: string | undefined): Stored[] {
    const found: Stored[] = [];
    for (const key of this.keys(namespace)) {
      const stored = this.#byKey.get(key);
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
