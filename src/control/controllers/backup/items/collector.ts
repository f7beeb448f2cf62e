import { isAppError, textsAt } from '../../../../base/index.ts';
import {
  reasonNotSelected,
  reasonToLeaveOut,
  reasonToLeaveOutNamespace,
  type BackupPlan,
  type ItemAction,
} from '../../../../core/backup/index.ts';
import { itemId, type ItemKey } from '../../../../core/progress/index.ts';
import { listedOn, parsedObject, type Kube, type KubeObject, type ListedObject } from '../../../../edge/kube/index.ts';
import type { Findings, PatientCalls, Selected } from '../../../operation/index.ts';
import { Additional, GETS_AT_ONCE } from './additional.ts';
import { aheadInOrder } from './ahead.ts';
import { Collected, type Postponed } from './collected.ts';
import { interleaved } from './interleaved.ts';
import { ItemActions } from './item-actions.ts';
import type { Listing } from './listing.ts';
import { isWanted, itemProblem, queryProblem, turnOf, type Query, type Turn } from './query.ts';
import { Tally } from './tally.ts';
import { type DiscoveredType, groupResourceOf, SelectorUse } from '../../../../core/selection/index.ts';

export interface CollectorDeps {
  kube: Kube;
  plan: BackupPlan;
  listing: Listing;
  /** In the order of the listing. */
  queries: readonly Query[];
  /** Objects that were read anyway, for items that others need. */
  known: ReadonlyMap<string, KubeObject>;
  actions: readonly ItemAction[];
  api: PatientCalls;
  findings: Findings;
  signal: AbortSignal;
  onLeftOut?: (key: ItemKey, reason: string) => void;
}

/** Objects of one type that were found together. */
interface Batch {
  type: DiscoveredType;
  objects: Iterable<ListedObject>;
  /** Undefined for those that other items need. */
  query: Query | undefined;
}

const NAMESPACES = 'namespaces';
const NOTHING: readonly ItemKey[] = [];
const GET_DEADLINE_MS = 30_000;
/** Each holds two pages at most: the one that is processed, and the next one. */
const LISTS_AT_ONCE = 3;

/**
 * Finds every item of a backup once: what the plan lists, then what those items need, then what was postponed, then
 * their namespaces. It holds the keys of everything seen, and at most a few pages of objects.
 */
export class Collector {
  readonly tally: Tally;
  readonly #deps: CollectorDeps;
  readonly #seen = new Set<string>();
  /** Items of orderedResources: each is read once, however many lists its type has. */
  readonly #asked = new Set<string>();
  readonly #additional: Additional;
  readonly #filledNamespaces = new Set<string>();
  readonly #actions: ItemActions;
  readonly #selectors: SelectorUse;
  #postponed: Postponed[] = [];
  #isAtPostponed = false;
  #isWhole = true;
  #isOver = false;

  constructor(deps: CollectorDeps) {
    this.#deps = deps;
    this.tally = new Tally(deps.queries);
    this.#actions = new ItemActions(deps.actions, deps.findings);
    const get = (key: ItemKey, type: DiscoveredType): Promise<KubeObject | undefined> => this.#get(key, type);
    this.#additional = new Additional({ ...deps, get });
    this.#selectors = new SelectorUse(deps.plan.fine === undefined ? deps.plan.spec : {}, 'the cluster');
  }

  /** Every name of the spec is known to match something, as far as it can; the rest of the items cannot change that. */
  get isSatisfied(): boolean {
    return this.#selectors.isSatisfied;
  }

  /** Everything else is archived: what is left waits for its turn, or follows what does. */
  get isAtPostponed(): boolean {
    return this.#isAtPostponed;
  }

  /** What the names in the spec came to; of the selectors it is known when there are no more items. */
  get selected(): Selected {
    const total = this.tally.total();
    return {
      unmatched: [...this.#deps.plan.unmatched, ...this.#selectors.unmatched()],
      // What could not be read may have been selected.
      isNothing: this.#isWhole && total.kind === 'exact' && total.value === 0,
    };
  }

  /** When the next item is requested, the previous one has been processed. */
  async *items(): AsyncGenerator<Collected> {
    // One generator for all items: each nested one would cost every item some promises.
    for await (const batch of this.#batches()) {
      if ('item' in batch) {
        if (batch.item.isPostponed) yield batch.item;
        this.#settle(batch.item, batch.additional, 'postponed');
        continue;
      }
      for (const object of this.#read(batch)) {
        const item = this.#admit(batch.type, object, batch.query);
        if (item === undefined) {
          if (batch.query === undefined) this.tally.dropNeeded();
          continue;
        }
        // What others need is in whatever its labels are.
        if (batch.query !== undefined && !this.#selectors.isSatisfied) {
          this.#selectors.see(textsAt(object.metadata, 'labels'));
        }
        const additional = this.#actions.concern(item) ? await this.#actions.run(item) : NOTHING;
        if (!item.isRefused) yield item;
        if (item.isPostponed) this.#postpone({ item, additional }, batch.query);
        else this.#settle(item, additional, batch.query);
        if (this.#postponed.length > 0) this.#settlePostponed();
      }
    }
    this.#tellNotAsked();
    this.tally.end();
  }

  async *#batches(): AsyncGenerator<Batch | Postponed> {
    const { queries, listing } = this.#deps;
    const having = (turn: Turn): Query[] => queries.filter((query) => turnOf(query) === turn);
    try {
      for (const query of having('in turn')) yield* this.#listed(query);
      // One list gives one page at a time, and we are faster than that; several keep us busy.
      yield* interleaved(this.#each(having('any')), LISTS_AT_ONCE);
      yield* this.#needed();
      while (this.#postponed.length > 0) {
        this.#isAtPostponed = true;
        for (let next = this.#postponed.shift(); next !== undefined; next = this.#postponed.shift()) yield next;
        // What those need, which may be postponed as well.
        yield* this.#needed();
      }
      this.#isAtPostponed = false;
      for (const query of having('last')) yield* this.#listed(query);
    } finally {
      this.#isOver = true;
      await listing.end();
    }
  }

  *#each(queries: readonly Query[]): Generator<AsyncGenerator<Batch>> {
    for (const query of queries) yield this.#listed(query);
  }

  async *#needed(): AsyncGenerator<Batch> {
    for await (const { type, object } of this.#additional.found()) {
      if (type && object) yield { type, objects: [object], query: undefined };
      else this.tally.dropNeeded();
    }
  }

  /** Reports items of orderedResources in namespaces that no list covered. */
  #tellNotAsked(): void {
    const { plan, findings } = this.#deps;
    for (const { groupResource, order } of plan.lists) {
      for (const key of order.map((name) => keyNamed(groupResource, name))) {
        if (this.#asked.has(itemId(key))) continue;
        findings.warn(key, 'orderedResources names it, but its namespace is not in the backup');
      }
    }
  }

  async *#listed(query: Query): AsyncGenerator<Batch> {
    const { type } = query.list;
    yield* this.#ordered(query);
    let isPartial = false;
    try {
      for await (const page of this.#deps.listing.pages(query)) {
        isPartial ||= page.items.length > 0;
        this.tally.page(query, page);
        yield { type, objects: listedOn(page), query };
      }
    } catch (error) {
      this.#notListed(query, error, isPartial);
    }
    if (this.#isOver) return;
    if (query.labelSelector !== '') this.#selectors.ask();
    this.tally.ended(query);
  }

  /** The wanted ones. Each is looked at in the server's answer only now, and may turn out to be broken. */
  *#read({ objects, query }: Batch): Generator<ListedObject> {
    const reading = objects[Symbol.iterator]();
    for (;;) {
      let read: IteratorResult<ListedObject, undefined>;
      try {
        read = reading.next();
      } catch (error) {
        if (query === undefined || !isAppError(error, 'badAnswer')) throw error;
        this.#deps.findings.error(aboutOf(query), itemProblem(query, error));
        this.tally.passedOver(query);
        this.tally.failed();
        continue;
      }
      if (read.done === true) return;
      const { namespace } = read.value.metadata;
      // Nobody asks why an object of another namespace is not in the backup.
      if (query !== undefined && !isWanted(query, namespace)) this.tally.passedOver(query, namespace);
      else yield read.value;
    }
  }

  #notListed(query: Query, error: unknown, isPartial: boolean): void {
    const { findings, signal } = this.#deps;
    // Nobody wants it any more, and that may be why it failed.
    if (this.#isOver) return;
    signal.throwIfAborted();
    // Without a cluster there is no backup at all; a type deleted since discovery simply has no items.
    if (isAppError(error, 'unreachable') || !isAppError(error)) throw error;
    if (error.code === 'notFound') return;
    this.#isWhole = false;
    findings.error(aboutOf(query), queryProblem(query, error, isPartial));
  }

  /** Items that orderedResources names come first, in its order; the list gives the others. */
  async *#ordered(query: Query): AsyncGenerator<Batch> {
    const { findings, plan } = this.#deps;
    const { type } = query.list;
    const read = (key: ItemKey): Promise<KubeObject | undefined> => this.#get(key, type);
    for await (const [key, object] of aheadInOrder(this.#named(query), GETS_AT_ONCE, read)) {
      if (object === undefined) {
        findings.warn(key, 'orderedResources names it, but the cluster does not have it');
        continue;
      }
      // The list selects by label on the server; an item read by name must be checked here.
      const reason = reasonNotSelected(plan, type, object);
      if (reason === undefined) yield { type, objects: [parsedObject(object)], query };
      else findings.warn(key, `orderedResources names it, but ${reason}`);
    }
  }

  /** Those of a query that were not read yet. */
  *#named(query: Query): Generator<ItemKey> {
    const { list, target } = query;
    for (const name of list.order) {
      const key = keyNamed(list.groupResource, name);
      if (target.namespace !== undefined && key.namespace !== target.namespace) continue;
      if (!isWanted(query, key.namespace) || this.#asked.has(itemId(key))) continue;
      this.#asked.add(itemId(key));
      yield key;
    }
  }

  #postpone(postponed: Postponed, query: Query | undefined): void {
    this.#postponed.push(postponed);
    this.tally.postponed(postponed.item, query);
  }

  /** The turn of the first ones has come meanwhile. */
  #settlePostponed(): void {
    for (let [first] = this.#postponed; first?.item.isPostponed === false; [first] = this.#postponed) {
      this.#postponed.shift();
      this.#settle(first.item, first.additional, 'postponed');
    }
  }

  #settle(item: Collected, additional: readonly ItemKey[], query: Query | 'postponed' | undefined): void {
    this.tally.settled(item, query);
    if (item.isRefused) return;
    if (item.key.namespace !== undefined) this.#filledNamespaces.add(item.key.namespace);
    for (const key of additional) this.#need(key);
  }

  #need(key: ItemKey): void {
    const id = itemId(key);
    if (!this.#seen.has(id) && this.#additional.add(id, key)) this.tally.addNeeded();
  }

  #admit(type: DiscoveredType, listed: ListedObject, query?: Query): Collected | undefined {
    const { plan, onLeftOut } = this.#deps;
    const { metadata } = listed;
    const { name, namespace } = metadata;
    const groupResource = query?.list.groupResource ?? groupResourceOf(type);
    const key = namespace === undefined ? { groupResource, name } : { groupResource, namespace, name };
    const id = itemId(key);
    if (this.#seen.has(id)) {
      this.tally.passedOver(query);
      return undefined;
    }
    const reason =
      groupResource === NAMESPACES
        ? reasonToLeaveOutNamespace(plan, { metadata }, this.#filledNamespaces.has(name))
        : reasonToLeaveOut(plan, type, { metadata });
    const notSelected =
      reason === undefined && query?.list.isSelectedHere === true
        ? reasonNotSelected(plan, type, { metadata })
        : undefined;
    if (notSelected !== undefined) {
      // It is not marked as seen: another item may still need it.
      this.tally.passedOver(query);
      onLeftOut?.(key, notSelected);
      return undefined;
    }
    this.#seen.add(id);
    if (this.#additional.delete(id)) this.tally.dropNeeded();
    if (reason === undefined) return new Collected(listed, { key, id, type });
    this.tally.passedOver(query);
    onLeftOut?.(key, reason);
    return undefined;
  }

  /** Undefined when it does not exist, or could not be read, which is then reported. */
  async #get(key: ItemKey, type: DiscoveredType): Promise<KubeObject | undefined> {
    const { kube, signal, findings, api } = this.#deps;
    const target = key.namespace === undefined ? { type } : { type, namespace: key.namespace };
    const options = { signal, deadlineMs: GET_DEADLINE_MS };
    try {
      return await api.call(() => kube.get({ ...target, name: key.name }, options));
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error, 'notFound')) return undefined;
      if (isAppError(error, 'unreachable') || !isAppError(error)) throw error;
      findings.error(key, `it could not be read and is not in the backup: ${error.message}`);
      this.tally.failed();
      return undefined;
    }
  }
}

function aboutOf({ target }: Query): 'cluster' | 'operation' | { namespace: string } {
  if (target.namespace !== undefined) return { namespace: target.namespace };
  return target.type.namespaced ? 'operation' : 'cluster';
}

function keyNamed(groupResource: string, text: string): ItemKey {
  const slash = text.indexOf('/');
  if (slash < 0) return { groupResource, name: text };
  return { groupResource, namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
