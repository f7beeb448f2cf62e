import { itemId, type ItemCounting, type ItemKey, type Outcome } from '../progress/index.ts';
import type { ArchiveKey } from './actions/index.ts';
import { targetOf, type Collection, type RestoreResource } from './collect.ts';
import type { LeftOutReason, RestoreFilters } from './filters.ts';
import { HeldItems } from './held-items.ts';
import type { NamespaceMapping } from './namespace-mapping.ts';
import { NAMESPACES } from './priorities.ts';

export interface WorkItem {
  source: ArchiveKey;
  target: ItemKey;
}

/** What to do about an item that another one needs. */
export type Claim =
  /** Restore it now, before the one that needs it, and settle it. */
  | { kind: 'restore'; item: WorkItem }
  /** Another worker is restoring it: wait until it is settled. */
  | { kind: 'wait'; target: ItemKey }
  /** Nothing: the API has answered for it, or it is itself waiting for the one that needs it. */
  | { kind: 'done' }
  | { kind: 'leftOut'; reason: LeftOutReason }
  /** It is not in the archive. */
  | { kind: 'missing' };

export interface PlanInput {
  collection: Collection;
  namespaceMapping: NamespaceMapping;
  filters: RestoreFilters;
  inArchive(key: ArchiveKey): boolean;
  counting: ItemCounting;
  /** How many items are restored in parallel; those that they need are not counted, nor those that are held back. */
  parallel: number;
  /** Which items have to wait for something outside of the plan; none if absent. */
  holds?: Holds | undefined;
}

export interface Holds {
  /** Whether an item may ever have to wait. */
  concern(item: WorkItem): boolean;
  /**
   * Whether it has to wait now. `isLast`: nothing else comes any more, so that what has not begun by now never will.
   * It is asked again after `look`.
   */
  isHeld(item: WorkItem, isLast: boolean): boolean;
}

/**
 * Pass two of a restore: hands out items tier by tier, each once, however often it is requested. A tier begins when
 * everything in the one before is settled or held back. Like the counting it uses, it is changed in place.
 */
export class RestorePlan {
  readonly #input: PlanInput;
  readonly #tiers: Iterator<WorkItem>[];
  readonly #running = new Set<string>();
  /** Which item waits for which; entries of settled items are ignored. */
  readonly #waitsFor = new Map<string, ItemKey>();
  readonly #held = new HeldItems<WorkItem>();
  #tier = 0;
  #taken = 0;

  constructor(input: PlanInput) {
    this.#input = input;
    this.#tiers = input.collection.tiers.map((tier) => this.#itemsOf(tier));
  }

  /** Counts the collected items, one per step: a million take seconds. Must run before everything else. */
  *begin(): Generator<undefined> {
    const { collection, counting } = this.#input;
    for (const { target } of this.#itemsOf(collection.tiers.flat())) {
      counting.plan(target);
      yield;
    }
    for (const { target } of this.#itemsOf(collection.unserved)) {
      counting.settle(target, 'skipped');
      yield;
    }
  }

  /** What was collected and is not in the cluster because nobody got to it, or because its type is not served. */
  *unsettled(): Generator<ArchiveKey> {
    const { collection, counting } = this.#input;
    for (const { source, target } of this.#itemsOf(collection.tiers.flat())) {
      if (!counting.isSettled(target)) yield source;
    }
    for (const { source } of this.#itemsOf(collection.unserved)) yield source;
  }

  /** Items that are held back, and have not begun. */
  get held(): number {
    return this.#held.size;
  }

  /** Nothing is being restored: all that is left is held back. */
  get isHeldUp(): boolean {
    return this.#taken === 0 && this.#held.size > 0;
  }

  /** Something that items were held back for may be there. */
  look(): void {
    this.#held.look();
  }

  /** The next item to restore; `wait` until something is settled or may be there; undefined when all is done. */
  next(): WorkItem | 'wait' | undefined {
    if (this.#taken >= this.#input.parallel) return 'wait';
    const freed = this.#nextHeld();
    if (freed !== undefined) return this.#take(freed);
    for (let tier = this.#tiers[0]; tier !== undefined; tier = this.#tiers[0]) {
      for (let step = tier.next(); step.done !== true; step = tier.next()) {
        if (!this.#isFree(step.value.target)) continue;
        if (!this.#mustWait(step.value)) return this.#take(step.value);
        this.#held.add(step.value, this.#tier);
      }
      if (this.#taken > 0) return 'wait';
      this.#tiers.shift();
      this.#tier += 1;
    }
    if (this.#taken > 0) return 'wait';
    // What they wait for may never come now.
    this.#held.look();
    const last = this.#nextHeld();
    if (last !== undefined) return this.#take(last);
    return this.#held.size > 0 ? 'wait' : undefined;
  }

  /** Call it for every item that `by` needs, and for its namespace, before `by` itself is sent. */
  claim(source: ArchiveKey, by: ItemKey): Claim {
    const target = targetOf(source, this.#input.namespaceMapping);
    if (this.#input.counting.isSettled(target)) return { kind: 'done' };
    if (this.#running.has(itemId(target))) {
      if (this.#waitsInCircle(target, by)) return { kind: 'done' };
      this.#waitsFor.set(itemId(by), target);
      return { kind: 'wait', target };
    }
    const refusal = this.#refusal(source);
    if (refusal !== undefined) return refusal;
    this.#input.counting.plan(target);
    this.#running.add(itemId(target));
    this.#waitsFor.set(itemId(by), target);
    return { kind: 'restore', item: { source, target } };
  }

  /** For an item from `next`. */
  settle(target: ItemKey, outcome: Outcome): void {
    this.#taken -= 1;
    this.settleClaimed(target, outcome);
    this.#held.settled(target);
  }

  /** For an item from `claim`. */
  settleClaimed(target: ItemKey, outcome: Outcome): void {
    this.#running.delete(itemId(target));
    this.#waitsFor.delete(itemId(target));
    this.#input.counting.settle(target, outcome);
  }

  /**
   * A collected item is never refused: the rules for additional items are looser. A namespace that something goes into
   * is created even if the archive or the filters do not have it.
   */
  #refusal(source: ArchiveKey): Claim | undefined {
    if (source.groupResource === NAMESPACES) return undefined;
    const reason = this.#input.filters.leaveOutAdditional(source);
    if (reason !== undefined) return { kind: 'leftOut', reason };
    return this.#input.inArchive(source) ? undefined : { kind: 'missing' };
  }

  #take(item: WorkItem): WorkItem {
    this.#taken += 1;
    this.#running.add(itemId(item.target));
    return item;
  }

  #mustWait(item: WorkItem): boolean {
    const { holds } = this.#input;
    if (holds?.concern(item) !== true) return false;
    return holds.isHeld(item, false) || this.#held.overtakes(item);
  }

  #nextHeld(): WorkItem | undefined {
    const isLast = this.#tiers.length === 0 && this.#taken === 0;
    for (;;) {
      const item = this.#held.next((one) => this.#input.holds?.isHeld(one, isLast) === true);
      if (item === undefined || this.#isFree(item.target)) return item;
      // Somebody needed it, and did not wait for its turn.
      this.#held.settled(item.target);
    }
  }

  #isFree(target: ItemKey): boolean {
    return !this.#running.has(itemId(target)) && !this.#input.counting.isSettled(target);
  }

  #waitsInCircle(target: ItemKey, by: ItemKey): boolean {
    const end = itemId(by);
    for (let at: ItemKey | undefined = target; at !== undefined; at = this.#waitsFor.get(itemId(at))) {
      if (itemId(at) === end) return true;
      if (this.#input.counting.isSettled(at)) return false;
    }
    return false;
  }

  *#itemsOf(resources: readonly RestoreResource[]): Generator<WorkItem> {
    for (const { resource: groupResource, itemsByNamespace } of resources) {
      for (const [namespace, items] of itemsByNamespace) {
        for (const { name } of items) {
          const source = namespace === '' ? { groupResource, name } : { groupResource, namespace, name };
          yield { source, target: targetOf(source, this.#input.namespaceMapping) };
        }
      }
    }
  }
}
