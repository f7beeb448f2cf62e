import { AppError } from '../../base/index.ts';
import type { LimitLog } from '../http/limit-log.ts';

export interface SeatLimits {
  /** Open streams of everybody, of one caller and of one address. */
  streams: number;
  streamsPerCaller: number;
  streamsPerAddress: number;
  /** Different questions among them. Streams with the same question share what is sent, so these are what costs memory. */
  viewsPerCaller: number;
  viewsPerAddress: number;
}

export interface Seat {
  who: string;
  address: string;
  /** Equal for streams that are sent the same. */
  view: string;
}

/** How many open streams there are for each view of one caller, or of one address. */
class Holder {
  readonly views = new Map<string, number>();

  get streams(): number {
    return [...this.views.values()].reduce((sum, count) => sum + count, 0);
  }

  add(view: string): void {
    this.views.set(view, (this.views.get(view) ?? 0) + 1);
  }

  remove(view: string): void {
    const left = (this.views.get(view) ?? 1) - 1;
    if (left > 0) this.views.set(view, left);
    else this.views.delete(view);
  }
}

/** Who has how many event streams open; one over the limit is refused. */
export class StreamSeats {
  readonly #limits: SeatLimits;
  readonly #told: LimitLog;
  readonly #holders = new Map<string, Holder>();
  #streams = 0;

  constructor(limits: SeatLimits, told: LimitLog) {
    this.#limits = limits;
    this.#told = told;
  }

  /** Returns the way out. */
  take(seat: Seat): () => void {
    const { streams, streamsPerCaller, streamsPerAddress, viewsPerCaller, viewsPerAddress } = this.#limits;
    const [caller, address] = [`caller ${seat.who}`, `address ${seat.address}`];
    if (this.#streams >= streams) throw this.#full(seat, `the server has ${String(streams)} open already`);
    const limits = [
      [caller, 'you have', streamsPerCaller, viewsPerCaller],
      [address, 'your address has', streamsPerAddress, viewsPerAddress],
    ] as const;
    for (const [key, has, most, views] of limits) this.#check(seat, this.#holder(key), { has, streams: most, views });
    this.#streams += 1;
    for (const key of [caller, address]) this.#enter(key, seat.view);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#streams -= 1;
      for (const key of [caller, address]) this.#leave(key, seat.view);
    };
  }

  #holder(key: string): Holder {
    return this.#holders.get(key) ?? new Holder();
  }

  #enter(key: string, view: string): void {
    const holder = this.#holder(key);
    holder.add(view);
    this.#holders.set(key, holder);
  }

  #leave(key: string, view: string): void {
    const holder = this.#holder(key);
    holder.remove(view);
    if (holder.views.size === 0) this.#holders.delete(key);
  }

  #check(seat: Seat, holder: Holder, limit: { has: string; streams: number; views: number }): void {
    const { has, streams, views } = limit;
    if (holder.streams >= streams) throw this.#full(seat, `${has} ${String(streams)} open already`);
    if (holder.views.has(seat.view) || holder.views.size < views) return;
    throw this.#full(seat, `${has} streams with ${String(views)} different questions open already`);
  }

  #full(seat: Seat, why: string): AppError {
    this.#told.refused('event streams', seat.address);
    return new AppError('throttled', `open an event stream: ${why}`, {
      retry: { afterMs: 5000 },
      details: { hint: 'Close another page or program that follows operations here' },
    });
  }
}
