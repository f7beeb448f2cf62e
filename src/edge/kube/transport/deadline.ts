// Longer timers fire at once; nobody waits that long for an answer.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One time limit for a whole call, retries included, combined with the caller's own signal. */
export interface Deadline {
  /** Made when it is first asked for: most requests end without, and it costs more than the timer. */
  readonly signal: AbortSignal;
  /** True when time ran out; false when the caller aborted or nothing happened. */
  readonly expired: boolean;
  /** Time ran out, or the caller aborted; `signal.reason` says why. */
  readonly isOver: boolean;
  /** Called when it is over; for one listener at a time, which needs no signal. */
  onOver: (() => void) | undefined;
  remainingMs(): number;
  /** Must be called when the call ends, or its timer and listener leak. */
  clear(): void;
}

export function startDeadline(limitMs: number, caller: AbortSignal | undefined): Deadline {
  return new CallDeadline(limitMs, caller);
}

class CallDeadline implements Deadline {
  onOver: (() => void) | undefined;
  expired = false;
  readonly #endsAt: number;
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | undefined;

  constructor(limitMs: number, caller: AbortSignal | undefined) {
    this.#endsAt = performance.now() + limitMs;
    this.#caller = caller;
    this.#timer = setTimeout(this.#expire, Math.min(limitMs, LONGEST_TIMER_MS));
    if (caller?.aborted === true) this.#abort();
    else caller?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#made().signal;
  }

  get isOver(): boolean {
    return this.#controller?.signal.aborted === true;
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  readonly #expire = (): void => {
    this.expired = true;
    this.#end(undefined);
  };

  readonly #abort = (): void => {
    this.#end(this.#caller?.reason);
  };

  #end(reason: unknown): void {
    this.#made().abort(reason);
    this.onOver?.();
  }

  #made(): AbortController {
    return (this.#controller ??= new AbortController());
  }
}
