export interface SlotLimits {
  /** In the whole cluster. */
  movers: number;
  moversPerNode: number;
}

interface Waiting {
  node: string;
  begin: () => void;
}

/** How many movers run at a time, in the cluster and on each node. First come, first served, where a node has room. */
export class MoverSlots {
  readonly #limits: SlotLimits;
  readonly #running = new Map<string, number>();
  readonly #queue: Waiting[] = [];

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Resolves when a mover may start there, with the function that ends its turn. */
  async take(node: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const turn = this.takeNow(node);
    if (turn !== undefined) return turn;
    await this.#wait(node, signal);
    return this.#turnOn(node);
  }

  /** Undefined where one would have to wait. */
  takeNow(node: string): (() => void) | undefined {
    if (!this.#hasRoom(node)) return undefined;
    this.#add(node, 1);
    return this.#turnOn(node);
  }

  #turnOn(node: string): () => void {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#add(node, -1);
      this.#next();
    };
  }

  #hasRoom(node: string): boolean {
    const total = this.#running.values().reduce((sum, count) => sum + count, 0);
    return total < this.#limits.movers && (this.#running.get(node) ?? 0) < this.#limits.moversPerNode;
  }

  async #wait(node: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const waiting: Waiting = {
      node,
      begin: () => {
        resolve(undefined);
      },
    };
    const leave = (): void => {
      const at = this.#queue.indexOf(waiting);
      if (at < 0) return;
      this.#queue.splice(at, 1);
      reject(signal.reason as Error);
    };
    this.#queue.push(waiting);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #next(): void {
    for (const waiting of [...this.#queue]) {
      if (!this.#hasRoom(waiting.node)) continue;
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      this.#add(waiting.node, 1);
      waiting.begin();
    }
  }

  #add(node: string, by: number): void {
    const count = (this.#running.get(node) ?? 0) + by;
    if (count === 0) this.#running.delete(node);
    else this.#running.set(node, count);
  }
}
