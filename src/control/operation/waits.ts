import type { AppError } from '../../base/index.ts';

/** One thing an operation waits for. */
export interface Wait {
  /** Why it still waits, when that has changed. */
  tell(cause: AppError): void;
  end(): void;
}

/** `away`: something outside does not answer. `slow`: it was told to work, and takes its time. */
export type WaitKind = 'away' | 'slow';

export interface OpenWait {
  cause: AppError;
  kind: WaitKind;
  /** Milliseconds since 1970. */
  since: number;
}

/** Everything an operation waits for at this moment. One that ends leaves the others as they are. */
export class Waits {
  readonly #open = new Map<Wait, OpenWait>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  begin(cause: AppError, kind: WaitKind, now: number): Wait {
    const wait: Wait = {
      tell: (next) => {
        const known = this.#open.get(wait);
        if (known !== undefined) known.cause = next;
      },
      end: () => {
        if (this.#open.delete(wait)) this.#onChange();
      },
    };
    this.#open.set(wait, { cause, kind, since: now });
    this.#onChange();
    return wait;
  }

  /** The oldest first: it is the likeliest reason for the others. */
  list(): readonly OpenWait[] {
    return [...this.#open.values()];
  }

  get isAway(): boolean {
    return this.list().some(({ kind }) => kind === 'away');
  }

  clear(): void {
    this.#open.clear();
  }
}
