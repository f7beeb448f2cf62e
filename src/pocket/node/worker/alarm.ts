import type { Clock } from '../../../base/index.ts';

/** Timers hold no more than 24 days. */
const LONGEST_MS = 3_600_000;

/** Rings once, at the earliest of the times it was set to. */
export class Alarm {
  readonly #clock: Clock;
  readonly #ring: () => void;
  #set: { at: number; stop: AbortController } | undefined;

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  setIn(ms: number): void {
    const at = this.#clock.now() + Math.max(1, Math.min(ms, LONGEST_MS));
    if (this.#set !== undefined && this.#set.at <= at) return;
    this.clear();
    const set = { at, stop: new AbortController() };
    this.#set = set;
    this.#clock.sleep(at - this.#clock.now(), set.stop.signal).then(
      () => {
        if (this.#set !== set) return;
        this.#set = undefined;
        this.#ring();
      },
      () => undefined, // Only `clear` ends the sleep early.
    );
  }

  clear(): void {
    this.#set?.stop.abort();
    this.#set = undefined;
  }
}
