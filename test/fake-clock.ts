import type { CancelSignal, Clock } from '../src/base/index.ts';

interface Sleeper {
  at: number;
  wake: () => void;
}

/** A clock turned by hand. `advance` wakes sleepers in order and lets the code they wake run in between. */
export class FakeClock implements Clock {
  #now: number;
  /** What somebody set the wall clock forward (or back) by. */
  #setBy = 0;
  #sleepers: Sleeper[] = [];

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now + this.#setBy;
  }

  uptime(): number {
    return this.#now;
  }

  /** Only the wall clock moves; nothing that sleeps wakes earlier or later. */
  setForward(ms: number): void {
    this.#setBy += ms;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: CancelSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      await settle();
    }
    this.#now = end;
  }
}

/** Lets promise chains and immediates that are ready now run to their next wait. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
