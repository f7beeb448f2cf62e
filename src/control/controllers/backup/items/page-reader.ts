import { AppError, isAppError } from '../../../../base/index.ts';
import type { Kube, Page, Target } from '../../../../edge/kube/index.ts';
import type { PatientCalls } from '../../../operation/index.ts';

export interface ReaderDeps {
  kube: Kube;
  api: PatientCalls;
  signal: AbortSignal;
}

export interface Reading {
  target: Target;
  labelSelector: string;
  /** Items on the first page; default as on any other. */
  firstLimit?: number;
  /** How long one of them is, if that is known: the first page must not be longer than others because its items are. */
  itemBytes?: number;
}

const PAGE_ITEMS = 500;
/** Large enough that requests do not count, small enough that a few pages in memory do not count either. */
export const PAGE_BYTES = 1024 * 1024;
const PAGE_DEADLINE_MS = 60_000;
/** So many passes that get no further than one before: the next one would not either. */
const MAX_VAIN_PASSES = 3;

/**
 * The pages of one list; each may be requested before it is needed. A list that breaks goes on where it broke. If the
 * server has given up that place, it starts over, so an item may come twice.
 */
export class PageReader {
  readonly #reading: Reading;
  readonly #deps: ReaderDeps;
  readonly #over = new AbortController();
  #pages: AsyncIterator<Page, undefined>;
  #ahead: Promise<Page | undefined> | undefined;
  /** Where the next page begins. */
  #from: string | undefined;
  /** Pages of this pass, and of the one that got furthest. */
  #pagesRead = 0;
  #mostRead = 0;
  #vainPasses = 0;

  constructor(reading: Reading, deps: ReaderDeps) {
    this.#reading = reading;
    this.#deps = deps;
    this.#pages = this.#list();
  }

  /** Undefined after the last page. Whoever gets a page releases it. */
  next(): Promise<Page | undefined> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead ?? this.#read();
  }

  /** Requests the next page now. */
  readAhead(): void {
    this.#ahead ??= this.#read();
    // It may fail while others are processed; the rejection is handled where it is awaited.
    this.#ahead.catch(() => undefined);
  }

  /** Drops what was requested and will not be read. */
  async end(): Promise<void> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    this.#over.abort(new AppError('canceled', 'the list is not read any more'));
    void ahead?.then(
      (page) => page?.release?.(),
      () => undefined,
    );
    await this.#pages.return?.().catch(() => undefined);
  }

  #read(): Promise<Page | undefined> {
    return this.#deps.api.call(async () => {
      this.#over.signal.throwIfAborted();
      try {
        const { value: page }: IteratorResult<Page, undefined> = await this.#pages.next();
        if (page?.restarted === true) this.#startOver();
        this.#from = page?.more;
        this.#pagesRead += 1;
        return page;
      } catch (error) {
        if (isAppError(error, 'gone')) this.#startOver();
        // A list that threw has ended; the next attempt is a new one.
        this.#pages = this.#list();
        if (this.#vainPasses < MAX_VAIN_PASSES || !isAppError(error)) throw error;
        throw new AppError(error.code, error.message, { cause: error, retry: 'never' });
      }
    });
  }

  #startOver(): void {
    this.#vainPasses = this.#pagesRead > this.#mostRead ? 0 : this.#vainPasses + 1;
    this.#mostRead = Math.max(this.#mostRead, this.#pagesRead);
    this.#pagesRead = 0;
    this.#from = undefined;
  }

  #list(): AsyncIterator<Page, undefined> {
    const { kube } = this.#deps;
    const signal = AbortSignal.any([this.#deps.signal, this.#over.signal]);
    const { target, labelSelector, itemBytes = 0, firstLimit = fitting(itemBytes) } = this.#reading;
    const pages = kube.list(target, {
      ...{ limit: PAGE_ITEMS, firstLimit, pageBytes: PAGE_BYTES, signal, deadlineMs: PAGE_DEADLINE_MS, isLong: true },
      ...(labelSelector === '' ? {} : { labelSelector }),
      ...(this.#from === undefined ? {} : { from: this.#from }),
    });
    return pages[Symbol.asyncIterator]() as AsyncIterator<Page, undefined>;
  }
}

/** Items on a page, if each is so long. */
export function fitting(itemBytes: number): number {
  return Math.max(1, Math.min(PAGE_ITEMS, Math.floor(PAGE_BYTES / itemBytes)));
}
