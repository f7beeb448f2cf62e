import type { Clock, Log } from '../../base/index.ts';

const EVERY_MS = 10_000;

interface Told {
  at: number;
  /** Refusals that no line was written for. */
  silent: number;
}

/** Says that a limit turned somebody away: one line for each limit in ten seconds, however many it turns away. */
export class LimitLog {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #told = new Map<string, Told>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** `limit` is one of our own few names, never text of a caller. */
  refused(limit: string, address: string): void {
    const now = this.#clock.now();
    const last = this.#told.get(limit);
    if (last !== undefined && now - last.at < EVERY_MS) {
      last.silent += 1;
      return;
    }
    this.#told.set(limit, { at: now, silent: 0 });
    this.#log.warn('limit reached', { limit, address, refusedSinceLastLine: (last?.silent ?? 0) + 1 });
  }
}
