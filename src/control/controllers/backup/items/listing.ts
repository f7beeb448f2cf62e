import type { Page } from '../../../../edge/kube/index.ts';
import { PageReader, type ReaderDeps } from './page-reader.ts';
import type { Query } from './query.ts';

/** How many lists are read ahead of those whose items are processed; each holds a page at most. */
const AHEAD = 2;

/** Reads the queries of a plan, and the next ones in their order ahead, so that nobody waits for a page. */
export class Listing {
  readonly #queries: readonly Query[];
  readonly #deps: ReaderDeps;
  /** The first one that was not looked at yet. */
  #next = 0;
  readonly #ahead = new Set<Query>();
  readonly #begun = new Set<Query>();

  constructor(queries: readonly Query[], deps: ReaderDeps) {
    this.#queries = queries;
    this.#deps = deps;
  }

  /** All pages of a query; each is released when the next one is requested. */
  async *pages(query: Query): AsyncGenerator<Page> {
    if (query.failure !== undefined) throw query.failure;
    const reader = this.#readerOf(query);
    this.#begun.add(query);
    this.#ahead.delete(query);
    this.#readAhead();
    try {
      let page = query.first ?? (await reader.next());
      delete query.first;
      while (page !== undefined) {
        if (page.remaining !== 0) reader.readAhead();
        try {
          yield page;
        } finally {
          page.release?.();
        }
        page = await reader.next();
      }
    } finally {
      delete query.reader;
      await reader.end();
    }
  }

  /** Frees the memory of what nobody will read any more. */
  async end(): Promise<void> {
    this.#next = this.#queries.length;
    for (const query of this.#queries) {
      query.first?.release?.();
      delete query.first;
      await query.reader?.end();
      delete query.reader;
    }
  }

  #readAhead(): void {
    while (this.#ahead.size < AHEAD && this.#next < this.#queries.length) {
      const query = this.#queries[this.#next];
      this.#next += 1;
      if (query === undefined || this.#begun.has(query) || query.failure !== undefined) continue;
      if (query.first?.remaining === 0) continue;
      this.#ahead.add(query);
      this.#readerOf(query).readAhead();
    }
  }

  #readerOf(query: Query): PageReader {
    query.reader ??= new PageReader(query, this.#deps);
    return query.reader;
  }
}
