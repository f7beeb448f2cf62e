import { AppError, type Clock } from '../../../base/index.ts';
import { stopOf } from '../../operation/index.ts';
import { childAbort, type ChildAbort } from '../../runtime/index.ts';
import type { PhaseSignals } from './phase-runner.ts';

/** Who cancels or deletes a set waits for its deferPhases so long at most. */
const AFTER_STOP_MS = 10 * 60_000;

/**
 * The context of deferPhases: neither a cancel nor an edit ends them, only that this process has to stop, and after a
 * cancel a time that is long enough to clean up.
 */
export class DeferSignals implements PhaseSignals {
  readonly #own: ChildAbort;
  readonly #ending = new AbortController();
  readonly #over = new AbortController();
  readonly #work: AbortSignal;
  readonly #clock: Clock;
  readonly #follow = (): void => {
    if (stopOf(this.#work) === undefined) this.#own.abort(this.#work.reason);
    else this.#limit();
  };

  /** Beside work that may be told to stop. */
  constructor(work: AbortSignal, lasting: AbortSignal, clock: Clock) {
    this.#work = work;
    this.#clock = clock;
    this.#own = childAbort(lasting);
    if (work.aborted) this.#follow();
    else work.addEventListener('abort', this.#follow, { once: true });
  }

  /** For work that was stopped already. */
  static limited(lasting: AbortSignal, clock: Clock): DeferSignals {
    const signals = new DeferSignals(lasting, lasting, clock);
    signals.#limit();
    return signals;
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Must be called when the work ends. */
  end(): void {
    this.#work.removeEventListener('abort', this.#follow);
    this.#own.unlink();
    this.#over.abort();
  }

  #limit(): void {
    this.#clock.sleep(AFTER_STOP_MS, this.#over.signal).then(
      () => {
        const minutes = String(AFTER_STOP_MS / 60_000);
        this.#ending.abort(new AppError('timeout', `the set was stopped, and ${minutes} minutes later this still ran`));
      },
      // It ended in time.
      () => undefined,
    );
  }
}
