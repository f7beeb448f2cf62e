import type { HeartbeatEvent, Operation } from '../../../src/core/operations/index.ts';
import { applyEvents, NO_OPERATIONS, type Operations, type OperationsEvent } from './operations.ts';

/** What the small light in the frame says. */
export type Light =
  | { kind: 'connecting' }
  | { kind: 'live' }
  /** By the server's clock, as every time that is shown. */
  | { kind: 'reconnecting'; since: number }
  /** The server answered, but not with events: there is no use in trying again without a person. */
  | { kind: 'refused'; code: 'unauthenticated' | 'forbidden'; message: string };

export interface LiveState {
  operations: Operations;
  /** Of everything on the server, also while a part is still arriving. */
  total: number;
  hasSnapshot: boolean;
  light: Light;
  /** By name, since when: clusters that the server cannot see, so that what is shown of them is old. */
  unseen: ReadonlyMap<string, number>;
  /** How far the server's clock is ahead of this one; its times are told by it. */
  aheadMs: number;
}

const EMPTY: LiveState = {
  operations: NO_OPERATIONS,
  total: 0,
  hasSnapshot: false,
  light: { kind: 'connecting' },
  unseen: new Map(),
  aheadMs: 0,
};
/** Less is the way of an event through the network, not a clock that is wrong. */
const SKEW_MS = 2000;

/** Holds what the event stream told; read by React through useSyncExternalStore. */
export class LiveStore {
  #state: LiveState = EMPTY;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): LiveState => this.#state;
  readonly operation = (id: string): Operation | undefined => this.#state.operations.byId.get(id);

  setLight(light: Light): void {
    this.#set({ light });
  }

  /** A server of another version, in the middle of an upgrade, may say less. */
  beat({ now: serverTime = '', unseen = [] }: Partial<HeartbeatEvent>, now: number): void {
    const ahead = Date.parse(serverTime) - now;
    const aheadMs = Math.abs(ahead) >= SKEW_MS ? ahead : 0;
    const before = this.#state;
    const isSame = unseen.length === before.unseen.size && unseen.every(({ cluster }) => before.unseen.has(cluster));
    // Every second nothing new: nobody need draw anything for that.
    if (isSame && Math.abs(aheadMs - before.aheadMs) < SKEW_MS) return;
    this.#set({
      aheadMs,
      unseen: isSame ? before.unseen : new Map(unseen.map(({ cluster, since }) => [cluster, Date.parse(since)])),
    });
  }

  apply(events: readonly OperationsEvent[]): void {
    if (events.length === 0) return;
    const operations = applyEvents(this.#state.operations, events);
    const snapshot = events.findLast((event) => event.type === 'snapshot');
    this.#set({
      operations,
      total: operations.arriving === undefined ? operations.byId.size : (snapshot?.answer.total ?? this.#state.total),
      hasSnapshot: this.#state.hasSnapshot || snapshot !== undefined,
    });
  }

  /** After a log-out nothing of what was seen may stay. */
  clear(): void {
    this.#set(EMPTY);
  }

  #set(change: Partial<LiveState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
