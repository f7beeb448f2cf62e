import type { Deadline } from './deadline.ts';

/** A request that is in flight, until it is disposed. */
export interface Turn extends Disposable {
  /** The server has answered it. */
  answered(): void;
  /** The server has turned it away because it has too many (429). */
  refused(): void;
}

interface Waiting {
  endsAt: number;
  isUrgent: boolean;
  go: () => void;
}

/** How much the limit grows with each answer, as a part of what would add one to it in a round. */
const GROWTH = 1 / 4;

/**
 * A request that had no more time than this from the start is urgent: leases, progress and events are. An object that is
 * written has 15 s, and must not take their place.
 */
const URGENT_MS = 12_000;
/** Urgent requests do not wait for slow ones: so many may be in flight beyond the limit. */
export const URGENT_BEYOND = 2;

/**
 * How many requests are in flight to one server: as many as it takes. One that is turned away halves the number, each
 * answer adds a little, up to the most. Those that wait go in the order of their deadlines, so that the renewal of a
 * lease, which has seconds, does not stand behind the objects of a restore; and if all that are in flight hang, it is
 * sent beside them.
 */
export class InFlight {
  readonly #most: number;
  #limit: number;
  #running = 0;
  /** Grows whenever the limit falls: requests that were sent before say nothing about the new one. */
  #falls = 0;
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** `limitMs` is the time that the request had when it was made. Rejects with the reason of the deadline's signal. */
  async enter(deadline: Pick<Deadline, 'signal' | 'remainingMs'>, limitMs: number): Promise<Turn> {
    const isUrgent = limitMs <= URGENT_MS;
    if (this.#hasRoom(isUrgent) && !this.#isBehind(isUrgent)) this.#running += 1;
    else await this.#wait(deadline, isUrgent);
    const falls = this.#falls;
    return {
      answered: () => {
        this.#limit = Math.min(this.#most, this.#limit + GROWTH / this.#limit);
      },
      refused: () => {
        // A server turns a whole burst away at once, which means the same as one of them.
        if (falls !== this.#falls) return;
        this.#falls += 1;
        this.#limit = Math.max(1, this.#limit / 2);
      },
      [Symbol.dispose]: () => {
        this.#running -= 1;
        this.#admit();
      },
    };
  }

  #hasRoom(isUrgent: boolean): boolean {
    return this.#running < this.limit + (isUrgent ? URGENT_BEYOND : 0);
  }

  /** Those that wait go first; an urgent one does not wait for others that have no room. */
  #isBehind(isUrgent: boolean): boolean {
    return this.#waiting.some((waiting) => !isUrgent || waiting.isUrgent);
  }

  #wait(deadline: Pick<Deadline, 'signal' | 'remainingMs'>, isUrgent: boolean): Promise<void> {
    const { signal } = deadline;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        endsAt: performance.now() + deadline.remainingMs(),
        isUrgent,
        go: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const later = this.#waiting.findIndex(({ endsAt }) => endsAt > waiting.endsAt);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, waiting);
    });
  }

  #admit(): void {
    for (;;) {
      // An urgent one may have room where the first in line has none.
      const at = this.#waiting.findIndex(({ isUrgent }) => this.#hasRoom(isUrgent));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#running += 1;
      next.go();
    }
  }
}
