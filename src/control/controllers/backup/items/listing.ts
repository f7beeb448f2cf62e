import { isAppError, messageOf, type AppError } from '../../../../base/index.ts';
import type { PlannedList } from '../../../../core/backup/index.ts';
import type { Kube, Page, Target } from '../../../../edge/kube/index.ts';
import type { PatientCalls } from '../../../operation/index.ts';

/** One LIST. A planned list has several if it covers several namespaces or label selectors. */
export interface Query {
  list: PlannedList;
  target: Target;
  labelSelector: string;
  /** How many items it will give; undefined if the server does not say. */
  expected: number | undefined;
  /** The page that was read for counting, and the iterator for the rest. */
  opened?: { first: Page; rest: AsyncIterator<Page, undefined> };
  /** Why it could not even be counted. */
  failure?: AppError;
}

export interface ListingDeps {
  kube: Kube;
  api: PatientCalls;
  signal: AbortSignal;
}

const PAGE_ITEMS = 500;
const AT_ONCE = 6;
/** For first pages kept from counting to archiving; beyond it lists are only counted, and read later. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const PAGE_DEADLINE_MS = 60_000;

export function queriesOf(list: PlannedList): Query[] {
  const { type, scope, labelSelectors } = list;
  const targets: Target[] =
    scope.kind === 'namespaces' ? scope.namespaces.map((namespace) => ({ type, namespace })) : [{ type }];
  return targets.flatMap((target) =>
    labelSelectors.map((labelSelector) => ({ list, target, labelSelector, expected: undefined })),
  );
}

/** Reads what a plan lists: first how much there is, then everything, a few pages at a time. */
export class Listing {
  readonly #deps: ListingDeps;
  #room = MAX_KEPT_BYTES;

  constructor(deps: ListingDeps) {
    this.#deps = deps;
  }

  /** Reads the first page of every query, several in parallel. A failure is reported when the query is read. */
  async count(queries: readonly Query[], onCounted: (query: Query) => void): Promise<void> {
    const left = queries.values();
    const work = async (): Promise<void> => {
      for (const query of left) {
        try {
          await this.#deps.api.call(() => this.#open(query));
        } catch (error) {
          this.#deps.signal.throwIfAborted();
          if (isAppError(error, 'unreachable') || !isAppError(error)) throw error;
          query.failure = error;
        }
        onCounted(query);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /**
   * All items of a query, page by page; from the second page on, the next one is prefetched. A list that breaks starts
   * over, so an item may come twice.
   */
  async *pages(query: Query): AsyncGenerator<Page['items']> {
    if (query.failure !== undefined) throw query.failure;
    const { opened } = query;
    delete query.opened;
    let rest = opened?.rest ?? this.#list(query, PAGE_ITEMS);
    let next = this.#next(query, rest);
    try {
      if (opened !== undefined) {
        yield opened.first.items;
        opened.first.release?.();
      }
      for (;;) {
        const read: Read = await next;
        rest = read.rest;
        if (read.page === undefined) return;
        yield read.page.items;
        read.page.release?.();
        next = this.#next(query, rest);
      }
    } finally {
      await rest.return?.().catch(() => undefined);
    }
  }

  #next(query: Query, iterator: AsyncIterator<Page, undefined>): Promise<Read> {
    let rest = iterator;
    const read = this.#deps.api.call(async () => {
      try {
        const read: IteratorResult<Page, undefined> = await rest.next();
        return { page: read.value, rest };
      } catch (error) {
        // A list that threw has ended; the next attempt is a new one.
        rest = this.#list(query, PAGE_ITEMS);
        throw error;
      }
    });
    // It may fail while a page is being processed; the rejection is handled where it is awaited.
    read.catch(() => undefined);
    return read;
  }

  async #open(query: Query): Promise<void> {
    const limit = this.#room > 0 ? PAGE_ITEMS : 1;
    const rest = this.#list(query, limit);
    const { value: first } = await rest.next();
    if (first === undefined) return;
    query.expected = first.remaining === undefined ? undefined : first.items.length + first.remaining;
    const isEmpty = first.items.length === 0;
    if (!isEmpty) this.#room -= first.bytes ?? 0;
    const isKept = limit > 1 && this.#room >= 0;
    if (isEmpty || !isKept) first.release?.();
    if (isEmpty || isKept) query.opened = { first, rest };
    else await rest.return?.();
  }

  #list({ target, labelSelector }: Query, limit: number): AsyncIterator<Page, undefined> {
    const { kube, signal } = this.#deps;
    const selector = labelSelector === '' ? {} : { labelSelector };
    const pages = kube.list(target, {
      ...{ limit, signal, deadlineMs: PAGE_DEADLINE_MS, isLong: true },
      ...selector,
    });
    return pages[Symbol.asyncIterator]() as AsyncIterator<Page, undefined>;
  }
}

interface Read {
  page: Page | undefined;
  rest: AsyncIterator<Page, undefined>;
}

/** One line for the results. `isPartial`: some items were read before. */
export function queryProblem(query: Query, error: unknown, isPartial: boolean): string {
  const what = isPartial
    ? 'could be listed only in part, so some of them are not in the backup'
    : 'could not be listed and are not in the backup';
  return `${askedBy(query)} ${what}: ${messageOf(error)}`;
}

export function itemProblem(query: Query, error: unknown): string {
  return `one of ${askedBy(query)} cannot be read and is not in the backup: ${messageOf(error)}`;
}

function askedBy({ list, target, labelSelector }: Query): string {
  const where = target.namespace === undefined ? '' : ` in namespace ${target.namespace}`;
  const which = labelSelector === '' ? '' : ` with labels ${labelSelector}`;
  return `${list.groupResource}${where}${which}`;
}
