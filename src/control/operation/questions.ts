import { AppError, messageOf, type Clock, type Log } from '../../base/index.ts';
import { timeLimit } from '../runtime/index.ts';
import type { OpenWait, Waits } from './waits.ts';

export interface QuestionsDeps {
  clock: Clock;
  log: Log;
}

/** Nothing has advanced for so long: time to ask why. */
const QUIET_MS = 4_000;
const ASK_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 5_000;
/** An operation may wait for hundreds of pods; the oldest ones are asked about. */
const AT_ONCE = 4;

/** Asks the cluster what is in the way of an operation that does not advance. It never holds the operation up. */
export class Questions {
  readonly #waits: Waits;
  readonly #deps: QuestionsDeps;
  readonly #signal: AbortSignal;
  /** When each was asked about last; those that are being asked about too. */
  readonly #askedAt = new WeakMap<OpenWait, number>();
  #open = 0;

  constructor(waits: Waits, deps: QuestionsDeps, signal: AbortSignal) {
    this.#waits = waits;
    this.#deps = deps;
    this.#signal = signal;
  }

  /** To be called often; `lastProgressAt` in milliseconds since 1970. */
  tick(lastProgressAt: number, now: number): void {
    const isQuiet = now - lastProgressAt >= QUIET_MS;
    for (const wait of this.#waits.list()) {
      if (wait.ask === undefined) continue;
      // What was said while nothing advanced may not be true any more.
      if (!isQuiet) this.#waits.explain(wait, undefined);
      else if (this.#isDue(wait, now)) void this.#ask(wait, wait.ask, now);
    }
  }

  #isDue(wait: OpenWait, now: number): boolean {
    const askedAt = this.#askedAt.get(wait) ?? -Infinity;
    return this.#open < AT_ONCE && now - wait.since >= QUIET_MS && now - askedAt >= ASK_EVERY_MS;
  }

  async #ask(wait: OpenWait, ask: NonNullable<OpenWait['ask']>, now: number): Promise<void> {
    const { clock, log } = this.#deps;
    this.#askedAt.set(wait, now);
    this.#open += 1;
    const late = (): AppError => new AppError('timeout', 'the cluster took too long to say what is in the way');
    const limit = timeLimit(this.#signal, ANSWER_WITHIN_MS, { clock, late });
    try {
      this.#waits.explain(wait, await ask(limit.signal));
    } catch (error) {
      // The cause that is known anyway is still told.
      log.debug('no explanation', { wait: wait.cause.message, err: messageOf(error) });
    } finally {
      limit.end();
      this.#open -= 1;
    }
  }
}
