import { backoffMs, isAppError, type AppError, type Backoff, type Clock } from '../../base/index.ts';
import { Budget } from './budget.ts';
import type { ToldWait } from './waits.ts';

export interface PatienceOptions {
  clock: Clock;
  random: () => number;
  /** The server does not answer, and why. The wait ends when the last call continues. */
  onWaiting: (cause: AppError) => ToldWait;
  /** Whether the server answers anything at all; checked when a proxy in front of it says that it does not. */
  isAnswering: (signal: AbortSignal) => Promise<boolean>;
  /** How long to wait for an unreachable server. Default 10 min. */
  limitMs?: number;
}

/** Requests to the API server that wait while it is unreachable, until a signal ends them. */
export interface PatientCalls {
  call<T>(request: () => Promise<T>): Promise<T>;
  /** The server was unreachable for so long that calls no longer wait for it: the operation should end. */
  readonly isExhausted: boolean;
}

export interface CallLimits {
  /** How long a call waits for a server that turns it away; by default as long as for one that is away. */
  busyLimitMs?: number;
}

/**
 * For calls without which an operation fails, and for which nobody stands still: a server that turns us away works, and
 * slows an operation down without ending it.
 */
export const UNHURRIED: CallLimits = { busyLimitMs: 60 * 60_000 };

const BACKOFF: Backoff = { baseMs: 250, maxMs: 10_000 };
const LIMIT_MS = 10 * 60_000;
/** For all calls of an operation together: ten thousand items must not each wait the full time. */
const TOTAL_AWAY_MS = 30 * 60_000;
/** Of calls that are turned away only a single one gives up. */
const TOTAL_BUSY_MS = Infinity;
/** A server that answers with an error of its own may mean this one object or type; the others must not wait long. */
const ANSWERED_LIMIT_MS = 20_000;
const TRIES_AFTER_ANSWER = 6;
const TOTAL_ANSWERED_MS = 5 * 60_000;

/**
 * Repeats a request to the API server where the client itself has given up: a restarting server must not cost an
 * operation anything. Permanent errors are thrown at once. There is one instance per operation, so that the total
 * waiting time of all its calls is bounded too.
 */
export class Patience {
  readonly #options: PatienceOptions;
  readonly #limitMs: number;
  readonly #away: Budget;
  readonly #busy: Budget;
  readonly #answered: Budget;
  #wait: ToldWait | undefined;
  #waiting = 0;
  /** When the current outage began, as far as the calls have noticed. */
  #awaySince: number | undefined;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#limitMs = options.limitMs ?? LIMIT_MS;
    this.#away = new Budget(TOTAL_AWAY_MS, options.clock);
    this.#busy = new Budget(TOTAL_BUSY_MS, options.clock);
    this.#answered = new Budget(TOTAL_ANSWERED_MS, options.clock);
  }

  get isExhausted(): boolean {
    const since = this.#awaySince;
    return this.#away.isSpent || (since !== undefined && this.#options.clock.uptime() - since >= this.#limitMs);
  }

  until(signal: AbortSignal, { busyLimitMs = this.#limitMs }: CallLimits = {}): PatientCalls {
    const isExhausted = (): boolean => this.isExhausted;
    return {
      call: (request) => this.#call(request, signal, busyLimitMs),
      get isExhausted() {
        return isExhausted();
      },
    };
  }

  async #call<T>(request: () => Promise<T>, signal: AbortSignal, busyLimitMs: number): Promise<T> {
    const { clock, random } = this.#options;
    let inside: Budget | undefined;
    // Of the same kind of failure: whoever was turned away for long still has all its patience for an outage.
    let since = 0;
    let failures = 0;
    try {
      for (;;) {
        signal.throwIfAborted();
        try {
          const answer = await request();
          this.#awaySince = undefined;
          return answer;
        } catch (error) {
          signal.throwIfAborted();
          if (!isAppError(error) || error.retry === 'never') throw this.#refused(error);
          const budget = await this.#budgetFor(error, signal);
          if (budget !== inside) [since, failures] = [clock.uptime(), 0];
          if (!this.#mayWait(budget, { failures, waitedMs: clock.uptime() - since, busyLimitMs })) throw error;
          inside = this.#enter(inside, budget as Budget, error);
          await clock.sleep(backoffMs(failures, BACKOFF, random()), signal);
          failures += 1;
        }
      }
    } finally {
      if (inside !== undefined) this.#leave(inside);
    }
  }

  /** A refusal is an answer too, and ends an outage. */
  #refused(error: unknown): unknown {
    if (isAppError(error) && error.code !== 'unreachable') this.#awaySince = undefined;
    return error;
  }

  /** Undefined when a retry is pointless. */
  async #budgetFor(error: AppError, signal: AbortSignal): Promise<Budget | undefined> {
    if (isBusy(error)) {
      // It has answered; whoever waits in a queue of our own knows nothing of it.
      if (error.code === 'throttled') this.#awaySince = undefined;
      return this.#busy;
    }
    const isAway =
      isAppError(error, 'unreachable', 'timeout') ||
      // Is it a load balancer with no server behind it, or a proxy in front of one aggregated API? The server itself
      // can tell.
      (isOfProxy(error) && !(await this.#options.isAnswering(signal)));
    if (isAway) {
      this.#awaySince ??= this.#options.clock.uptime();
      return this.#away;
    }
    this.#awaySince = undefined;
    return isAppError(error, 'serverError', 'badAnswer', 'conflict', 'gone') ? this.#answered : undefined;
  }

  #mayWait(
    budget: Budget | undefined,
    { failures, waitedMs, busyLimitMs }: { failures: number; waitedMs: number; busyLimitMs: number },
  ): boolean {
    if (budget === undefined || budget.isSpent) return false;
    if (budget === this.#busy) return waitedMs < busyLimitMs;
    if (budget === this.#away) return waitedMs < this.#limitMs && !this.isExhausted;
    return failures < TRIES_AFTER_ANSWER && waitedMs < Math.min(this.#limitMs, ANSWERED_LIMIT_MS);
  }

  #enter(inside: Budget | undefined, budget: Budget, cause: AppError): Budget {
    if (inside === undefined) this.#waiting += 1;
    if (inside !== budget) {
      inside?.leave();
      budget.enter();
    }
    if (this.#wait === undefined) this.#wait = this.#options.onWaiting(cause);
    else this.#wait.tell(cause);
    return budget;
  }

  #leave(budget: Budget): void {
    budget.leave();
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#wait?.end();
    this.#wait = undefined;
  }
}

/** The server has turned it away, or so many others that its turn has not come. */
function isBusy(error: AppError): boolean {
  return error.code === 'throttled' || (error.code === 'timeout' && error.details?.['isQueued'] === true);
}

/** 502 and 503 without the API server's own Status. */
function isOfProxy(error: AppError): boolean {
  const { httpStatus, status } = error.details ?? {};
  return isAppError(error, 'serverError') && status === undefined && (httpStatus === 502 || httpStatus === 503);
}
