import { AppError, type Clock } from '../base/index.ts';
import type { LimitLog } from './http/limit-log.ts';

export interface TurnLimits {
  /** For everybody together, and for one caller. */
  atOnce: number;
  perCaller: number;
  /** So many may wait for their turn, for so long. */
  waiting: number;
  waitMs: number;
}

/** Who takes a turn: a person as the cluster knows them, and where they ask from. */
export interface TurnTaker {
  who: string;
  address: string;
}

interface Waiter {
  who: string;
  begin: () => void;
}

const COME_BACK_MS = 5000;

/** Lets costly work through a little at a time: a few callers wait, and everybody else is told to come back. */
export class Turns {
  readonly #what: string;
  readonly #limits: TurnLimits;
  readonly #deps: { clock: Clock; told: LimitLog };
  readonly #running = new Map<string, number>();
  #waiting: Waiter[] = [];

  constructor(what: string, limits: TurnLimits, deps: { clock: Clock; told: LimitLog }) {
    this.#what = what;
    this.#limits = limits;
    this.#deps = deps;
  }

  async run<T>({ who, address }: TurnTaker, act: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#isFree(who)) this.#begin(who);
    else await this.#wait({ who, address }, signal);
    try {
      return await act();
    } finally {
      this.#end(who);
    }
  }

  async #wait({ who, address }: TurnTaker, signal: AbortSignal): Promise<void> {
    const mine = this.#waiting.filter((each) => each.who === who).length;
    // One caller may fill half of the places, so that there is one left for somebody else.
    const isFull = this.#waiting.length >= this.#limits.waiting || mine >= this.#limits.waiting / 2;
    if (isFull) throw this.#busy(address);
    const turn = Promise.withResolvers<undefined>();
    const waiter: Waiter = {
      who,
      begin: () => {
        turn.resolve(undefined);
      },
    };
    this.#waiting.push(waiter);
    const isOver = new AbortController();
    const late = this.#deps.clock.sleep(this.#limits.waitMs, AbortSignal.any([signal, isOver.signal])).then(() => {
      throw this.#busy(address);
    });
    try {
      await Promise.race([turn.promise, late]);
    } catch (error) {
      if (this.#waiting.includes(waiter)) this.#waiting = this.#waiting.filter((each) => each !== waiter);
      // The turn came in the same moment, and nobody is there to take it.
      else this.#end(who);
      throw error;
    } finally {
      isOver.abort();
    }
  }

  #isFree(who: string): boolean {
    const { atOnce, perCaller } = this.#limits;
    const all = [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    return all < atOnce && (this.#running.get(who) ?? 0) < perCaller;
  }

  #begin(who: string): void {
    this.#running.set(who, (this.#running.get(who) ?? 0) + 1);
  }

  #end(who: string): void {
    const left = (this.#running.get(who) ?? 1) - 1;
    if (left > 0) this.#running.set(who, left);
    else this.#running.delete(who);
    const next = this.#waiting.find((each) => this.#isFree(each.who));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#begin(next.who);
    next.begin();
  }

  #busy(address: string): AppError {
    this.#deps.told.refused(this.#what, address);
    return new AppError('throttled', `${this.#what}: the server is busy with as many as it does at a time`, {
      retry: { afterMs: COME_BACK_MS },
      details: { hint: 'Try again in a moment' },
    });
  }
}
