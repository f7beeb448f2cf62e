import type { BytePath } from './byte-path.ts';
import { SortedLines } from './sorted-lines.ts';
import type { FileKind } from './tree-walk.ts';

/**
 * Delicate is a file that cannot just be written into: one with several names, because all of them would change, and one
 * with rights that a new owner takes away.
 */
export type EntryKind = FileKind | 'delicate';

/** What is in a tree, by path: more than fits into memory. */
export class EntryList implements Disposable {
  readonly #lines: SortedLines;

  /** In a new folder of its own. */
  constructor(folder: string, held?: number) {
    this.#lines = new SortedLines(folder, held);
  }

  add(path: BytePath, kind: EntryKind): void {
    this.#lines.add(`${JSON.stringify(path)} ${kind}`);
  }

  /** In the order of the quoted paths, which no other quoted path begins with. */
  async *all(): AsyncGenerator<ListedEntry[]> {
    for await (const lines of this.#lines.all()) yield lines.map(entryOf);
  }

  [Symbol.dispose](): void {
    this.#lines[Symbol.dispose]();
  }
}

interface ListedEntry {
  /** The path in quotes. */
  key: string;
  kind: EntryKind;
}

function entryOf(line: string): ListedEntry {
  const space = line.lastIndexOf(' ');
  return { key: line.slice(0, space), kind: line.slice(space + 1) as EntryKind };
}

/** Is told each entry of one list, and what the other has under the same path. What it returns is waited for. */
export type CompareEntries = (
  path: BytePath,
  here: EntryKind,
  there: EntryKind | undefined,
) => Promise<void> | undefined;

/** Goes through two lists at once. */
export async function compareEntries(here: EntryList, there: EntryList, compare: CompareEntries): Promise<void> {
  const others = new Reading(there.all());
  try {
    for await (const entries of here.all()) {
      for (const { key, kind } of entries) {
        while (!others.goTo(key)) await others.readOn();
        const work = compare(JSON.parse(key) as BytePath, kind, others.kindOf(key));
        if (work !== undefined) await work;
      }
    }
  } finally {
    await others.close();
  }
}

/** A list that is gone through once, with keys that only grow. */
class Reading {
  readonly #batches: AsyncGenerator<ListedEntry[]>;
  /** Undefined at the end. */
  #batch: ListedEntry[] | undefined = [];
  #at = 0;

  constructor(batches: AsyncGenerator<ListedEntry[]>) {
    this.#batches = batches;
  }

  /** Passes over what comes before; false if more has to be read. Most need not wait. */
  goTo(key: string): boolean {
    while ((this.#batch?.[this.#at]?.key ?? key) < key) this.#at += 1;
    return this.#batch === undefined || this.#at < this.#batch.length;
  }

  async readOn(): Promise<void> {
    const next = await this.#batches.next();
    this.#batch = next.done === true ? undefined : next.value;
    this.#at = 0;
  }

  kindOf(key: string): EntryKind | undefined {
    const entry = this.#batch?.[this.#at];
    return entry?.key === key ? entry.kind : undefined;
  }

  /** Whoever has enough leaves files open. */
  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}
