import type { AppError, JsonObject } from '../../../base/index.ts';
import type { Desired } from './status-writer.ts';

/** What must be stored before something is done. A field that is null is removed. */
export interface Commitment {
  status?: JsonObject;
  finalizer?: Desired['finalizer'];
}

interface Pending {
  signal: AbortSignal;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/** The committed fields, and the callers that wait until they are stored. */
export class Commits {
  #all: Desired = { status: {} };
  #pending = new Set<Pending>();

  /** Everything that was ever committed, with the newest value of each field. */
  get all(): Desired {
    return this.#all;
  }

  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  add({ status = {}, finalizer = this.#all.finalizer }: Commitment, signal: AbortSignal): Promise<void> {
    this.#all = { status: { ...this.#all.status, ...status }, finalizer };
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#pending.delete(pending);
        reject(signal.reason as Error);
      };
      const pending: Pending = {
        signal,
        resolve: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
        reject: (reason) => {
          signal.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      this.#pending.add(pending);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** The callers whose fields the next write contains. Callers that come during it wait for the one after it. */
  take(): { keep(): void; putBack(): void } {
    const taken = this.#pending;
    this.#pending = new Set();
    return {
      keep: () => {
        for (const { resolve } of taken) resolve();
      },
      putBack: () => {
        // A caller that was aborted in the meantime has been rejected.
        for (const pending of taken) if (!pending.signal.aborted) this.#pending.add(pending);
      },
    };
  }

  refuse(why: AppError): void {
    const refused = this.#pending;
    this.#pending = new Set();
    for (const { reject } of refused) reject(why);
  }
}
