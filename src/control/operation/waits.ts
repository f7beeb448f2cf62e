import type { AppError } from '../../base/index.ts';
import type { Diagnosis } from '../../core/progress/index.ts';

/** What the cluster says is in the way, with one word for a condition. */
export interface Explanation extends Diagnosis {
  reason: string;
}

/** Asks the cluster; undefined when it says nothing is in the way. */
export type Explain = (signal: AbortSignal) => Promise<Explanation | undefined>;

/** One thing somebody waits for. */
export interface ToldWait {
  /** Updates the reason, if that has changed. */
  tell(cause: AppError): void;
  end(): void;
}

/** One thing an operation waits for. */
export interface Wait extends ToldWait {
  /** For one who has asked the cluster already; undefined when nothing is in the way any more. */
  explain(why: Explanation | undefined): void;
  /** How to ask the cluster what is in the way; it is asked while nothing advances. */
  explainWith(ask: Explain): void;
}

const nothing = (): void => undefined;

/** A wait that nobody hears of. */
export const NO_WAIT: Wait = { tell: nothing, explain: nothing, explainWith: nothing, end: nothing };

/** `away`: something outside does not answer. `slow`: it is working, but takes long. */
export type WaitKind = 'away' | 'slow';

export interface OpenWait {
  cause: AppError;
  kind: WaitKind;
  /** Milliseconds since 1970. */
  since: number;
  /** Shown in place of the cause. */
  explanation?: Explanation | undefined;
  ask?: Explain;
}

/** Everything an operation waits for now. When one wait ends, the others stay. */
export class Waits {
  readonly #open = new Map<Wait, OpenWait>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  begin(cause: AppError, kind: WaitKind, now: number): Wait {
    const open: OpenWait = { cause, kind, since: now };
    const wait: Wait = {
      tell: (next) => {
        open.cause = next;
      },
      explain: (why) => {
        this.explain(open, why);
      },
      explainWith: (ask) => {
        open.ask = ask;
      },
      end: () => {
        if (this.#open.delete(wait)) this.#onChange();
      },
    };
    this.#open.set(wait, open);
    this.#onChange();
    return wait;
  }

  explain(open: OpenWait, why: Explanation | undefined): void {
    const isNews = (open.explanation === undefined) !== (why === undefined);
    open.explanation = why;
    if (isNews) this.#onChange();
  }

  /** Oldest first: it is the most likely cause of the others. */
  list(): readonly OpenWait[] {
    return [...this.#open.values()];
  }

  /** What to name as the cause: something that the cluster has explained, or else the oldest. */
  get foremost(): OpenWait | undefined {
    const all = this.list();
    return all.find(({ explanation }) => explanation !== undefined) ?? all[0];
  }

  get isAway(): boolean {
    return this.list().some(({ kind }) => kind === 'away');
  }

  get isExplained(): boolean {
    return this.list().some(({ explanation }) => explanation !== undefined);
  }

  clear(): void {
    this.#open.clear();
  }
}
