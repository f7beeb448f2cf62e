import type { Stored, StoreEvent } from './stored.ts';

export interface ChangeLogLimits {
  events: number;
  characters: number;
}

/**
 * The latest writes, for watches that resume and pages of one list. It lives in memory: after a restart a watcher
 * with an older resourceVersion is told 410 and lists again, as with a real API server whose watch cache is new.
 */
export class ChangeLog {
  readonly #limits: ChangeLogLimits;
  #events: StoreEvent[] = [];
  #head = 0;
  #characters = 0;
  #floor: number;

  constructor(floor: number, limits: ChangeLogLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  /** Writes after this resourceVersion are known. */
  get floor(): number {
    return this.#floor;
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
    this.#characters += event.object.json.length;
    while (this.#events.length - this.#head > this.#limits.events || this.#characters > this.#limits.characters) {
      const oldest = this.#events[this.#head];
      if (oldest === undefined) break;
      this.#head += 1;
      this.#floor = oldest.rv;
      this.#characters -= oldest.object.json.length;
    }
    if (this.#head > this.#limits.events) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Writes of one resource after `rv` in order, or undefined when the log no longer reaches back that far. */
  since(rv: number, resource: string): StoreEvent[] | undefined {
    if (rv < this.#floor) return undefined;
    const found: StoreEvent[] = [];
    for (let i = this.#firstAfter(rv); i < this.#events.length; i += 1) {
      const event = this.#events[i];
      if (event?.object.resource === resource) found.push(event);
    }
    return found;
  }

  /** What each key changed since `rv` held at that time: undefined where it did not exist. */
  stateBefore(rv: number, resource: string): Map<string, Stored | undefined> | undefined {
    const later = this.since(rv, resource);
    if (later === undefined) return undefined;
    const before = new Map<string, Stored | undefined>();
    for (const event of later.toReversed()) before.set(event.object.key, event.previous);
    return before;
  }

  #firstAfter(rv: number): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.rv ?? 0) <= rv) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
