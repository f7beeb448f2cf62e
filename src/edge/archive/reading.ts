import { extract, type Extract } from 'tar-stream';
import { AppError, isAppError, messageOf } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { checkEntry, hostile } from './check-entry.ts';
import { KindCheck, parseItem } from './check-item.ts';
import { inflate, type InflateCounts } from './inflate.ts';
import type { ArchiveLayout } from './layout.ts';
import { DEFAULT_LIMITS, MAX_PROBLEMS, type ArchiveLimits } from './limits.ts';
import type { Span, Spool } from './spool.ts';

export interface ReadProgress extends InflateCounts {
  items: number;
}

export interface ReadOptions {
  layout: ArchiveLayout;
  limits?: Partial<ArchiveLimits>;
  /** The kind that the cluster has for a resource; undefined where it does not know. */
  kindOf?: (groupResource: string) => string | undefined;
  signal?: AbortSignal;
  /** Called for every chunk that was read; must not throw. */
  onProgress?: (progress: ReadProgress) => void;
}

/** An entry that is not the object its path promises. The rest of the archive is good. */
export interface ItemProblem {
  path: string;
  error: AppError;
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

export interface Located extends Span {
  key: ItemKey;
}

/** One pass over an archive: every entry is looked at, and the good items go into the spool file. */
export class Reading {
  readonly index = new Map<string, Located>();
  readonly problems: ItemProblem[] = [];
  readonly counts: ReadProgress = { archiveBytes: 0, tarBytes: 0, items: 0 };
  readonly #spool: Spool;
  readonly #options: ReadOptions;
  readonly #limits: ArchiveLimits;
  readonly #kinds: KindCheck;
  /** Paths of bad items too: a second entry at the same path is a duplicate all the same. */
  readonly #badKeys = new Set<string>();
  readonly #texts = new Map<string, string>();
  #passedOver = 0;
  #lastPath = '';

  constructor(spool: Spool, options: ReadOptions) {
    this.#spool = spool;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#kinds = new KindCheck(options.kindOf ?? (() => undefined));
  }

  async run(stream: AsyncIterable<Uint8Array>, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const tar = extract();
    const stop = new AbortController();
    const signal =
      this.#options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, this.#options.signal]);
    let feedError: Error | undefined;
    const feeding = this.#feed(
      tar,
      inflate(stream, { limits: this.#limits, counts: this.counts, onBytes, signal }),
    ).catch((error: unknown) => {
      feedError = error instanceof Error ? error : new Error(messageOf(error), { cause: error });
      tar.destroy(feedError);
    });
    try {
      for await (const entry of tar) await this.#take(entry);
      await feeding;
      if (feedError !== undefined) throw feedError;
    } catch (error) {
      throw this.#explain(error, feedError);
    } finally {
      stop.abort();
      tar.destroy(null);
      await feeding;
    }
  }

  async #feed(tar: Extract, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) {
      this.#options.onProgress?.({ ...this.counts });
      if (tar.destroying) return;
      if (!tar.write(chunk)) await drained(tar);
    }
    tar.end(null);
  }

  async #take(entry: Entry): Promise<void> {
    const { name, type, size } = entry.header;
    this.#lastPath = name;
    const path = checkEntry({ name, type, size });
    if (size > this.#limits.maxArchiveBytes) {
      throw new AppError(
        'tooLarge',
        `read archive: entry "${name}": expected at most ${this.#limits.maxArchiveBytes} bytes in all, it says ${size}`,
      );
    }
    const key = path === undefined ? undefined : this.#options.layout.itemAt(path);
    if (key === undefined || path === undefined) {
      this.#passedOver += 1;
      if (this.#passedOver > 2 * this.#limits.maxEntries) throw this.#tooMany();
      return skip(entry);
    }
    await this.#takeItem(entry, key, path);
  }

  async #takeItem(entry: Entry, key: ItemKey, path: string): Promise<void> {
    const id = idOf(key);
    if (this.index.has(id) || this.#badKeys.has(id)) throw hostile(path, 'it is there twice');
    this.counts.items += 1;
    if (this.counts.items > this.#limits.maxEntries) throw this.#tooMany();
    const size = entry.header.size;
    if (size > this.#limits.maxItemBytes) {
      await skip(entry);
      const why = `expected at most ${this.#limits.maxItemBytes} bytes, it has ${size}`;
      this.#reject(id, path, new AppError('tooLarge', `read archive: entry "${path}": ${why}`));
      return;
    }
    const bytes = await collect(entry);
    try {
      this.#kinds.check(parseItem(bytes, key, path), key, path);
    } catch (error) {
      if (!isAppError(error)) throw error;
      this.#reject(id, path, error);
      return;
    }
    const { offset, length } = await this.#spool.append(bytes);
    this.index.set(id, { key: this.#slim(key), offset, length });
  }

  /** Parts of a path keep the whole of it in memory; a million items have few different types and namespaces. */
  #slim({ groupResource, namespace, name }: ItemKey): ItemKey {
    const one = (text: string): string => {
      const known = this.#texts.get(text);
      if (known === undefined) this.#texts.set(text, text);
      return known ?? text;
    };
    const type = one(groupResource);
    return namespace === undefined
      ? { groupResource: type, name }
      : { groupResource: type, namespace: one(namespace), name };
  }

  #reject(id: string, path: string, error: AppError): void {
    this.#badKeys.add(id);
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

  /** What the source or the limits said comes first; anything else that tar-stream throws is about the tar. */
  #explain(error: unknown, feedError: Error | undefined): Error {
    const { signal } = this.#options;
    if (signal?.aborted === true) return new AppError('canceled', 'read archive: canceled', { cause: signal.reason });
    if (feedError !== undefined) return feedError;
    if (isAppError(error)) return error;
    const where = this.#lastPath === '' ? 'at its first entry' : `after entry ${JSON.stringify(this.#lastPath)}`;
    return new AppError('invalid', `read archive: cut off or corrupt ${where}: ${messageOf(error)}`, { cause: error });
  }
}

async function collect(entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

async function skip(entry: Entry): Promise<void> {
  for await (const _ of entry);
}

async function drained(tar: Extract): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      tar.off('drain', done);
      tar.off('close', done);
      resolve();
    };
    tar.on('drain', done);
    tar.on('close', done);
  });
}

// No part can hold a slash: all three are path segments.
export function idOf(key: ItemKey): string {
  return `${key.groupResource}/${key.namespace ?? ''}/${key.name}`;
}
