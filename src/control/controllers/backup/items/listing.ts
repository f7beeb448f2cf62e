import type { Page } from '../../../../edge/kube/index.ts';
import { fitting, PAGE_BYTES, PageReader, type ReaderDeps } from './page-reader.ts';
import type { Query } from './query.ts';

/** How many pages are read ahead of those whose items are processed; of each list one at most. */
const PAGES_AHEAD = 2;
/** Of lists that are expected to be short, so many take the place of one page: all they cost is waiting for them. */
const SHORT_LISTS = 8;
/** How many more items than expected are asked for at once: an expectation is an average. */
const MORE_TIMES = 2;
const MORE = 8;

/** Reads the queries of a plan, and the next ones in their order ahead, so that nobody waits for a page. */
export class Listing {
  readonly #queries: readonly Query[];
  readonly #deps: ReaderDeps;
  /** The first one that was not looked at yet. */
  #next = 0;
  readonly #ahead = new Map<Query, number>();
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
    const room = (): number => PAGES_AHEAD - this.#ahead.values().reduce((sum, pages) => sum + pages, 0);
    while (room() > 0 && this.#next < this.#queries.length) {
      const query = this.#queries[this.#next];
      this.#next += 1;
      if (query === undefined || this.#begun.has(query) || query.failure !== undefined) continue;
      if (query.first?.remaining === 0) continue;
      this.#ahead.set(query, pagesOf(query));
      this.#readerOf(query).readAhead();
    }
  }

  #readerOf(query: Query): PageReader {
    query.reader ??= new PageReader({ ...query, ...firstOf(query) }, this.#deps);
    return query.reader;
  }
}

/** How much of a page the next one of a list is expected to be. */
function pagesOf({ expected, itemBytes }: Query): number {
  if (expected === undefined || itemBytes === undefined) return 1;
  return Math.min(1, Math.max(1 / SHORT_LISTS, (expected * itemBytes) / PAGE_BYTES));
}

/** What is expected to be short must not turn out to be a whole page, of which many more would be in memory. */
function firstOf(query: Query): { firstLimit?: number } {
  const { expected = 0, itemBytes = 0 } = query;
  if (pagesOf(query) === 1) return {};
  return { firstLimit: Math.min(fitting(itemBytes), MORE_TIMES * Math.ceil(expected) + MORE) };
}
