import type { Clock } from '../../../base/index.ts';

export interface Mark {
  wallMs: number;
  uptimeMs: number;
}

/**
 * Time since a mark, when no single clock can be trusted: the wall clock may be set, and the uptime stands still
 * while a machine is suspended. Whoever must stop in time asks for the longest, whoever must wait for the shortest.
 */
export class Stopwatch {
  readonly #clock: Clock;
  readonly #uptimeMs: () => number;

  constructor(clock: Clock, uptimeMs: () => number) {
    this.#clock = clock;
    this.#uptimeMs = uptimeMs;
  }

  mark(): Mark {
    return { wallMs: this.#clock.now(), uptimeMs: this.#uptimeMs() };
  }

  longestSince(mark: Mark): number {
    return Math.max(this.#clock.now() - mark.wallMs, this.#uptimeMs() - mark.uptimeMs);
  }

  shortestSince(mark: Mark): number {
    return Math.min(this.#clock.now() - mark.wallMs, this.#uptimeMs() - mark.uptimeMs);
  }
}
