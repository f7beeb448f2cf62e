import { itemId, type ItemKey } from './item-key.ts';
import { exact, type Measure } from './measure.ts';

export interface Counts {
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}

export type Outcome = keyof Counts;

// Two workers may get an answer for the same item. The one that says more about the cluster wins, in whichever order
// they arrive, so that created + updated equals what is there (law 6).
const WEIGHT: Readonly<Record<Outcome, number>> = { failed: 0, skipped: 1, updated: 2, created: 3 };

/**
 * Counts a restore, serial or parallel: what is planned (collected, or added by an item action) and what is settled
 * (the API has answered for it). Keys are never removed, and a key that comes twice is one item. It is the only mutable
 * object in this folder: a million keys cannot be copied for every item.
 */
export class ItemCounting {
  readonly #outcomes = new Map<string, Outcome | undefined>();
  readonly #counts: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 };

  plan(item: ItemKey): void {
    const key = itemId(item);
    if (!this.#outcomes.has(key)) this.#outcomes.set(key, undefined);
  }

  /** Settling an unplanned item also plans it. */
  settle(item: ItemKey, outcome: Outcome): void {
    const key = itemId(item);
    const before = this.#outcomes.get(key);
    if (before !== undefined) {
      if (WEIGHT[outcome] <= WEIGHT[before]) return;
      this.#counts[before] -= 1;
    }
    this.#outcomes.set(key, outcome);
    this.#counts[outcome] += 1;
  }

  isSettled(item: ItemKey): boolean {
    return this.#outcomes.get(itemId(item)) !== undefined;
  }

  /** Exact once everything was collected; before that, give the meter an unknown total. */
  measure(): Measure {
    const { created, updated, skipped, failed } = this.#counts;
    return { unit: 'items', done: created + updated + skipped + failed, total: exact(this.#outcomes.size) };
  }

  counts(): Counts {
    return { ...this.#counts };
  }
}
