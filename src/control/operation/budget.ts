import type { Clock } from '../../base/index.ts';

/**
 * An amount of time shared by several callers: it runs while at least one of them is inside, however many there are.
 */
export class Budget {
  readonly #limitMs: number;
  readonly #clock: Clock;
  #spentMs = 0;
  #inside = 0;
  #since = 0;

  constructor(limitMs: number, clock: Clock) {
    this.#limitMs = limitMs;
    this.#clock = clock;
  }

  get isSpent(): boolean {
    const running = this.#inside === 0 ? 0 : this.#clock.uptime() - this.#since;
    return this.#spentMs + running >= this.#limitMs;
  }

  enter(): void {
    if (this.#inside === 0) this.#since = this.#clock.uptime();
    this.#inside += 1;
  }

  leave(): void {
    this.#inside -= 1;
    if (this.#inside === 0) this.#spentMs += this.#clock.uptime() - this.#since;
  }
}
