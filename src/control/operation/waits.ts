import type { AppError } from '../../base/index.ts';

/** One thing an operation waits for. */
export interface Wait {
  /** Updates the reason, if that has changed. */
  tell(cause: AppError): void;
  end(): void;
}

/** `away`: something outside does not answer. `slow`: it is working, but takes long. */
export type WaitKind = 'away' | 'slow';

export interface OpenWait {
  cause: AppError;
  kind: WaitKind;
  /** Milliseconds since 1970. */
  since: number;
}

/** Everything an operation waits for now. When one wait ends, the others stay. */
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

  /** Oldest first: it is the most likely cause of the others. */
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
