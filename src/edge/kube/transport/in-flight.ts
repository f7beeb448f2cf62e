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
  go: () => void;
}

/** How much the limit grows with each answer, as a part of what would add one to it in a round. */
const GROWTH = 1 / 4;

/**
 * How many requests are in flight to one server: as many as it takes. One that is turned away halves the number, each
 * answer adds a little, up to the most. Those that wait go in the order of their deadlines, so that the renewal of a
 * lease, which has seconds, does not stand behind the objects of a restore.
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

  /** Rejects with the reason of the deadline's signal. */
  async enter(deadline: Pick<Deadline, 'signal' | 'remainingMs'>): Promise<Turn> {
    if (this.#running < this.limit && this.#waiting.length === 0) this.#running += 1;
    else await this.#wait(deadline);
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

  #wait(deadline: Pick<Deadline, 'signal' | 'remainingMs'>): Promise<void> {
    const { signal } = deadline;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        endsAt: performance.now() + deadline.remainingMs(),
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
    while (this.#running < this.limit && this.#waiting.length > 0) {
      this.#running += 1;
      this.#waiting.shift()?.go();
    }
  }
}
