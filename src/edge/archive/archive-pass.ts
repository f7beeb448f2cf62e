import { AppError, isAppError } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { checkEntry, hostile } from './check-entry.ts';
import { checkNames, KindCheck, parseItem } from './check-item.ts';
import { inflate, type InflateCounts } from './inflate.ts';
import { ItemIndex, NOT_KEPT } from './item-index.ts';
import { ItemLook } from './item-look.ts';
import type { ArchiveLayout } from './layout.ts';
import { DEFAULT_LIMITS, MAX_PROBLEMS, MAX_TYPES, MAX_VERSION_BYTES, type ArchiveLimits } from './limits.ts';
import type { Spool } from './spool.ts';
import type { TarEntry } from './tar-decode.ts';
import { TarReader, type TarFound } from './tar-reader.ts';

export interface ReadProgress extends InflateCounts {
  items: number;
}

export interface ReadOptions {
  layout: ArchiveLayout;
  limits?: Partial<ArchiveLimits>;
  /** The kind that the cluster has for a resource; undefined if unknown. */
  kindOf?: (groupResource: string) => string | undefined;
  /** Types of which only the names are kept, unchecked, because nobody is going to read their items. */
  onlyNames?: (groupResource: string) => boolean;
  signal?: AbortSignal;
  /** Called for every chunk read; must not throw. */
  onProgress?: (progress: ReadProgress) => void;
}

/** An entry that is not the object its path names. The rest of the archive is good. */
export interface ItemProblem {
  path: string;
  error: AppError;
}

/** An item whose bytes follow, or the format version. */
type Wanted = { path: string; key: ItemKey; number: number } | 'version';

/** One pass over an archive: every entry is checked that anybody will read, and the good items go into the spool file. */
export class ArchivePass {
  readonly index: ItemIndex;
  readonly problems: ItemProblem[] = [];
  readonly counts: ReadProgress = { archiveBytes: 0, tarBytes: 0, items: 0 };
  /** About the archive as a whole. */
  readonly warnings: string[] = [];
  readonly #spool: Spool;
  readonly #options: ReadOptions;
  readonly #limits: ArchiveLimits;
  readonly #kinds: KindCheck;
  readonly #look = new ItemLook();
  #hasVersion = false;
  #passedOver = 0;

  constructor(spool: Spool, options: ReadOptions) {
    this.#spool = spool;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#kinds = new KindCheck(options.kindOf ?? (() => undefined));
    this.index = new ItemIndex(this.#limits.maxNameBytes);
  }

  async run(stream: AsyncIterable<Uint8Array>, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const signal = this.#options.signal ?? new AbortController().signal;
    const tar = new TarReader((entry) => this.#want(entry));
    try {
      for await (const part of inflate(stream, { limits: this.#limits, counts: this.counts, onBytes, signal })) {
        this.#options.onProgress?.({ ...this.counts });
        for (const found of tar.push(part)) await this.#take(found);
      }
      tar.end();
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new AppError('canceled', 'read archive: canceled', { cause: signal.reason });
    }
  }

  #want(entry: TarEntry): Wanted | undefined {
    const { name, size } = entry;
    const path = checkEntry(entry);
    if (size > this.#limits.maxArchiveBytes) {
      throw new AppError(
        'tooLarge',
        `read archive: entry "${name}": expected at most ${this.#limits.maxArchiveBytes} bytes in all, it says ${size}`,
      );
    }
    if (path === this.#options.layout.version.path) return this.#wantVersion(path, size);
    const key = path === undefined ? undefined : this.#options.layout.itemAt(path);
    if (key !== undefined && path !== undefined) return this.#wantItem(path, key, size);
    this.#passedOver += 1;
    if (this.#passedOver > 2 * this.#limits.maxEntries) throw this.#tooMany();
    return undefined;
  }

  #wantVersion(path: string, size: number): Wanted {
    if (this.#hasVersion) throw hostile(path, 'it is there twice');
    if (size > MAX_VERSION_BYTES) throw hostile(path, `expected at most ${MAX_VERSION_BYTES} bytes, it has ${size}`);
    return 'version';
  }

  #wantItem(path: string, key: ItemKey, size: number): Wanted | undefined {
    this.counts.items += 1;
    if (this.counts.items > this.#limits.maxEntries) throw this.#tooMany();
    // Bad items are added too, so that a second entry at the same path still counts as a duplicate.
    const number = this.index.add(key);
    if (number === undefined) throw hostile(path, 'it is there twice');
    if (this.#options.onlyNames?.(key.groupResource) === true) {
      this.index.place(number, NOT_KEPT);
      return undefined;
    }
    if (size <= this.#limits.maxItemBytes) return { path, key, number };
    const why = `expected at most ${this.#limits.maxItemBytes} bytes, it has ${size}`;
    this.#reject(path, new AppError('tooLarge', `read archive: entry "${path}": ${why}`));
    return undefined;
  }

  async #take({ wanted, bytes }: TarFound<Wanted>): Promise<void> {
    if (wanted === 'version') {
      this.#takeVersion(bytes.toString('utf8').trim());
      return;
    }
    const { path, key, number } = wanted;
    const looked = this.#look.lookAt(bytes);
    try {
      if (looked !== undefined) checkNames(looked, key, path);
      this.#kinds.check(looked ?? (await parseItem(bytes, key, path)), key, path);
    } catch (error) {
      if (!isAppError(error)) throw error;
      this.#reject(path, error);
      return;
    }
    if (this.#kinds.types > MAX_TYPES) {
      throw new AppError('tooLarge', `read archive: expected items of at most ${MAX_TYPES} types, there are more`);
    }
    this.index.place(number, await this.#spool.append(bytes), looked?.unapplied);
  }

  #takeVersion(version: string): void {
    this.#hasVersion = true;
    const { problem, warning } = this.#options.layout.version.check(version);
    if (problem !== undefined) throw new AppError('unsupported', `read archive: ${problem}`);
    if (warning !== undefined) this.warnings.push(warning);
  }

  #reject(path: string, error: AppError): void {
    this.problems.push({ path, error });
    if (this.problems.length > MAX_PROBLEMS) {
      throw new AppError(
        'invalid',
        `read archive: more than ${MAX_PROBLEMS} bad entries, the first: ${this.problems[0]?.error.message ?? ''}`,
      );
    }
  }

  #tooMany(): AppError {
    return new AppError(
      'tooLarge',
      `read archive: expected at most ${this.#limits.maxEntries} entries, there are more`,
    );
  }
}
