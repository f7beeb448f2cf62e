import { isAppError } from '../../../../base/index.ts';
import {
  cheaperWay,
  expectedItems,
  NamespaceShare,
  type BackupPlan,
  type FirstPage,
  type PlannedList,
} from '../../../../core/backup/index.ts';
import type { Page } from '../../../../edge/kube/index.ts';
import { inParallel } from '../../../runtime/objects/index.ts';
import { PageReader, type ReaderDeps } from './page-reader.ts';
import type { Query } from './query.ts';

export interface OpeningDeps extends ReaderDeps {
  plan: Pick<BackupPlan, 'namespaces'>;
  /** A query was counted. */
  onOpened: (query: Query) => void;
}

/** The lists of one kind for one label selector: one over all namespaces, or one for each. */
type Kind = Query[];

const AT_ONCE = 12;
/** Answers that labels have made small: waiting for them is all they cost. */
const SELECTED_AT_ONCE = 32;
/** Most kinds have fewer objects, so that one request is all they need. */
const FIRST_ITEMS = 30;
/** A server goes through the whole kind for what labels select, and would do so again for a second page. */
const FIRST_SELECTED = 100;
/** For first pages kept from counting to archiving; beyond it lists are only counted, and read later. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Reads the first page of every kind: it tells how much there is, and which lists are the cheapest for the rest. */
export class Opening {
  readonly #deps: OpeningDeps;
  readonly #shares = new Map<readonly string[], NamespaceShare>();
  #room = MAX_KEPT_BYTES;
  /** A page did not fit any more, and none was given back since. */
  #isFull = false;

  constructor(deps: OpeningDeps) {
    this.#deps = deps;
  }

  /** The queries of a plan, in its order. A failure is reported when its query is read. */
  async open(lists: readonly PlannedList[]): Promise<Query[]> {
    const kinds = lists.flatMap((list) => list.labelSelectors.map((selector) => this.#begin(list, selector)));
    const atOnce = kinds.every(([query]) => isSelected(query)) ? SELECTED_AT_ONCE : AT_ONCE;
    await inParallel([...kinds.entries()], atOnce, async ([at, kind]) => {
      const [query] = kind;
      const first = query && (await this.#count(query));
      if (query?.wanted !== undefined && first !== undefined) kinds[at] = await this.#choose(query, first);
    });
    for (const [at, kind] of kinds.entries()) kinds[at] = await this.#withoutForbidden(kind);
    return kinds.flat();
  }

  #begin(list: PlannedList, labelSelector: string): Kind {
    const { scope, type } = list;
    const query: Query = { list, target: { type }, labelSelector, expected: undefined };
    if (scope.kind !== 'namespaces') return [query];
    // For one namespace, a list over all of them cannot be cheaper.
    if (scope.namespaces.length <= 1) return inEach(query, scope.namespaces);
    return [{ ...query, wanted: this.#shareOf(scope.namespaces) }];
  }

  /** Sorting the namespaces of a large cluster once for each of its kinds would take a second. */
  #shareOf(namespaces: readonly string[]): NamespaceShare {
    const share = this.#shares.get(namespaces) ?? new NamespaceShare(namespaces, this.#deps.plan.namespaces.existing);
    this.#shares.set(namespaces, share);
    return share;
  }

  /** Undefined if it cannot be listed. */
  async #count(query: Query): Promise<FirstPage | undefined> {
    const { signal, onOpened } = this.#deps;
    try {
      return await this.#read(query);
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error, 'unreachable') || !isAppError(error)) throw error;
      query.failure = error;
      query.expected = 0;
      return undefined;
    } finally {
      onOpened(query);
    }
  }

  async #read(query: Query): Promise<FirstPage | undefined> {
    const firstItems = query.labelSelector === '' ? FIRST_ITEMS : FIRST_SELECTED;
    const firstLimit = this.#isFull ? 1 : firstItems;
    const reader = new PageReader({ ...query, firstLimit }, this.#deps);
    const page = await reader.next();
    if (page === undefined) return undefined;
    const { length: items } = page.items;
    const first = { items, bytes: page.length ?? 0, remaining: page.remaining };
    // A server counts only what is not selected by labels.
    const isUnknown = page.remaining === undefined && query.labelSelector !== '';
    query.expected = isUnknown ? undefined : expectedItems(first);
    if (items > 0) query.itemBytes = first.bytes / items;
    await this.#keep(query, page, reader, firstLimit > 1);
    return first;
  }

  /** The page, if there is room for it: then it is not asked for again. An empty one takes none. */
  async #keep(query: Query, page: Page, reader: PageReader, isWhole: boolean): Promise<void> {
    const { bytes = 0, items } = page;
    if (items.length === 0) page.release?.();
    else if (isWhole && bytes <= this.#room) this.#room -= bytes;
    else {
      // One that is longer than all the room says nothing about how much is left.
      this.#isFull ||= bytes <= MAX_KEPT_BYTES;
      page.release?.();
      await reader.end();
      return;
    }
    Object.assign(query, { first: page, reader });
  }

  /** After the first page over all namespaces: to go on with it, or to ask each namespace. */
  async #choose(query: Query, first: FirstPage): Promise<Kind> {
    const namespaces = this.#namespacesOf(query);
    const counts = { wanted: namespaces.length, existing: this.#deps.plan.namespaces.existing.length };
    if (cheaperWay(first, counts) === 'over') return [query];
    const { first: page, reader, wanted, expected, ...rest } = query;
    if (page !== undefined) this.#giveBack(page);
    await reader?.end();
    const each = expected === undefined ? undefined : (expected * (wanted?.whole ?? 1)) / namespaces.length;
    return inEach({ ...rest, expected: each }, namespaces);
  }

  #giveBack(page: Page): void {
    this.#room += page.bytes ?? 0;
    this.#isFull = false;
    page.release?.();
  }

  /** Who may not list a kind over all namespaces may still list it in some. */
  async #withoutForbidden(kind: Kind): Promise<Kind> {
    const [query] = kind;
    if (query?.failure?.code !== 'forbidden') return kind;
    if (query.target.namespace !== undefined || !query.target.type.namespaced) return kind;
    const { failure: _failure, wanted: _wanted, ...rest } = query;
    const each = inEach({ ...rest, expected: undefined }, this.#namespacesOf(query));
    await inParallel(each, AT_ONCE, async (one) => {
      await this.#count(one);
    });
    // One line says it all.
    return each.every(({ failure }) => failure?.code === 'forbidden') ? kind : each;
  }

  #namespacesOf({ list: { scope } }: Query): readonly string[] {
    return scope.kind === 'namespaces' ? scope.namespaces : this.#deps.plan.namespaces.chosen;
  }
}

/** Namespaces are listed whole, whatever labels select: what is in them is what counts. */
function isSelected(query: Query | undefined): boolean {
  return query?.labelSelector !== '' || query.list.groupResource === 'namespaces';
}

function inEach(query: Query, namespaces: readonly string[]): Kind {
  const { type } = query.target;
  return namespaces.map((namespace) => ({ ...query, target: { type, namespace } }));
}
