import { createReadStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileError } from './file-errors.ts';

/** So many characters are held in memory and sorted at once. */
const HELD = 4 * 1024 * 1024;
/** Lines that are given together: to wait for each of a million takes long. */
const AT_ONCE = 500;

/** Sorts more lines than fit into memory: parts of them are sorted and written to files, which are merged at the end. */
export class SortedLines implements Disposable {
  readonly #folder: string;
  readonly #held: number;
  readonly #files: string[] = [];
  #lines: string[] = [];
  #length = 0;

  /** In a new folder of its own. */
  constructor(folder: string, held: number = HELD) {
    this.#folder = folder;
    this.#held = held;
    rmSync(folder, { recursive: true, force: true });
  }

  /** No line break may be in it. */
  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= this.#held) this.#write();
  }

  /** In the order of their characters, some at a time. */
  async *all(): AsyncGenerator<string[]> {
    if (this.#files.length > 0) {
      this.#write();
      yield* merged(this.#files.map(linesIn));
    } else if (this.#lines.length > 0) yield this.#lines.toSorted();
  }

  [Symbol.dispose](): void {
    this.#lines = [];
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(): void {
    const file = join(this.#folder, String(this.#files.length));
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      // toSorted without a function compares characters, and is several times faster than with one.
      writeFileSync(file, this.#lines.toSorted().join('\n'), { mode: 0o600 });
    } catch (error) {
      throw fileError('sort the list of a volume', error);
    }
    this.#files.push(file);
    this.#lines = [];
    this.#length = 0;
  }
}

async function* linesIn(file: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const text of createReadStream(file, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
  if (rest !== '') yield [rest];
}

/** The next line of a part, and where the others come from. */
interface Head {
  line: string;
  /** Those that were read, the next one last. */
  more: string[];
  part: AsyncGenerator<string[]>;
}

/** The least of the first lines of all parts, again and again. The parts are few. */
async function* merged(parts: readonly AsyncGenerator<string[]>[]): AsyncGenerator<string[]> {
  const heads = new Set<Head>();
  let lines: string[] = [];
  try {
    for (const part of parts) {
      const head = { line: '', more: [], part };
      if (await advance(head)) heads.add(head);
    }
    for (let least = leastOf(heads); least !== undefined; least = leastOf(heads)) {
      lines.push(least.line);
      if (lines.length >= AT_ONCE) {
        yield lines;
        lines = [];
      }
      const next = least.more.pop();
      if (next !== undefined) least.line = next;
      else if (!(await advance(least))) heads.delete(least);
    }
    if (lines.length > 0) yield lines;
  } finally {
    // Whoever has enough leaves files open.
    for (const part of parts) await part.return(undefined);
  }
}

/** Reads on; false at the end. */
async function advance(head: Head): Promise<boolean> {
  const next = await head.part.next();
  if (next.done === true) return false;
  head.more = next.value.toReversed();
  head.line = head.more.pop() ?? '';
  return true;
}

function leastOf(heads: Iterable<Head>): Head | undefined {
  let least: Head | undefined;
  for (const head of heads) if (least === undefined || head.line < least.line) least = head;
  return least;
}
