import { itemId, type ItemKey } from '../progress/index.ts';

interface Targeted {
  target: ItemKey;
}

interface Held<T> {
  item: T;
  /** Where it was met in the order of types. */
  tier: number;
}

/** What is held back in one namespace, in the order in which it was met. */
interface Line<T> {
  items: Held<T>[];
  at: number;
  /** Those that have begun, all of one tier. */
  begun: Set<string>;
  tier: number;
}

/**
 * Items that wait for something outside of the plan, such as the data of a claim. They hold up neither other items nor
 * later types of other namespaces; in their own namespace the order of types stays: a replica set that came before its
 * pods would start others.
 */
export class HeldItems<T extends Targeted> {
  readonly #lines = new Map<string, Line<T>>();
  #size = 0;
  #isLooking = true;

  /** How many have not begun. */
  get size(): number {
    return this.#size;
  }

  /** Something that was waited for may be there. */
  look(): void {
    this.#isLooking = true;
  }

  add(item: T, tier: number): void {
    const name = lineOf(item.target);
    const line = this.#lines.get(name) ?? { items: [], at: 0, begun: new Set(), tier };
    line.items.push({ item, tier });
    this.#lines.set(name, line);
    this.#size += 1;
    this.#isLooking = true;
  }

  /** Whether an item that is held back no longer would overtake one that is. Without a namespace it waits for all. */
  overtakes({ target }: T): boolean {
    return target.namespace === undefined ? this.#lines.size > 0 : this.#lines.has(target.namespace);
  }

  /** The next one that may begin; it costs nothing while nothing has changed. */
  next(isHeld: (item: T) => boolean): T | undefined {
    if (!this.#isLooking) return undefined;
    for (const line of this.#lines.values()) {
      const head = line.items[line.at];
      if (head === undefined || (line.begun.size > 0 && head.tier !== line.tier) || isHeld(head.item)) continue;
      line.at += 1;
      line.tier = head.tier;
      line.begun.add(itemId(head.item.target));
      this.#size -= 1;
      return head.item;
    }
    this.#isLooking = false;
    return undefined;
  }

  settled(target: ItemKey): void {
    const line = this.#lines.get(lineOf(target));
    if (line === undefined || !line.begun.delete(itemId(target)) || line.begun.size > 0) return;
    if (line.at >= line.items.length) this.#lines.delete(lineOf(target));
    this.#isLooking = true;
  }
}

function lineOf({ namespace = '' }: ItemKey): string {
  return namespace;
}
