import type { Clock } from '../../../base/index.ts';

export interface Mark {
  wallMs: number;
  uptimeMs: number;
}

/**
 * Time since a mark, when no single clock can be trusted: the wall clock may be set, and the uptime stops while a
 * machine is suspended. Code that must stop in time uses the longest. Code that must wait uses what has certainly
 * passed, which is the uptime: a wall clock set forward would end the wait, and one set back would extend it by hours.
 */
export class Stopwatch {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mark(): Mark {
    return { wallMs: this.#clock.now(), uptimeMs: this.#clock.uptime() };
  }

  longestSince(mark: Mark): number {
    return Math.max(this.#clock.now() - mark.wallMs, this.certainSince(mark));
  }

  certainSince(mark: Mark): number {
    return this.#clock.uptime() - mark.uptimeMs;
  }
}
