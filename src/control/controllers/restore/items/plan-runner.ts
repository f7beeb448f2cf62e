import { itemId, type ItemKey, type Outcome } from '../../../../core/progress/index.ts';
import type { ArchiveKey, Claim, RestorePlan, WorkItem } from '../../../../core/restore/index.ts';

/** Makes sure that an item exists before the one that needs it; says why if it will not. */
export type Need = (source: ArchiveKey, by: ItemKey) => Promise<Claim>;

export interface PlanWork {
  /** Resolves for every item, even one that fails; rejects only when the restore is stopped. */
  restore(item: WorkItem, need: Need): Promise<Outcome>;
  onSettled(item: WorkItem, outcome: Outcome): void;
}

/** Executes a plan: as many items in parallel as it allows, each once, and needed items before those that need them. */
export class PlanRunner {
  readonly #plan: RestorePlan;
  readonly #work: PlanWork;
  readonly #waiters = new Map<string, PromiseWithResolvers<undefined>>();
  #active = 0;
  #failure: { error: unknown } | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(plan: RestorePlan, work: PlanWork) {
    this.#plan = plan;
    this.#work = work;
  }

  /** Ends when nothing runs any more; rejects with the signal's reason if it was aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.#changed.resolve(undefined);
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted && this.#failure === undefined) {
        const item = this.#plan.next();
        if (item === undefined) break;
        if (item === 'wait') await this.#nextChange();
        else void this.#start(item);
      }
      while (this.#active > 0) await this.#nextChange();
    } finally {
      signal.removeEventListener('abort', stop);
    }
    signal.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Something that items are held back for may be there. */
  look(): void {
    this.#plan.look();
    this.#changed.resolve(undefined);
  }

  async #nextChange(): Promise<void> {
    await this.#changed.promise;
    this.#changed = Promise.withResolvers<undefined>();
  }

  async #start(item: WorkItem): Promise<void> {
    this.#active += 1;
    try {
      const outcome = await this.#work.restore(item, this.#need);
      this.#plan.settle(item.target, outcome);
      this.#work.onSettled(item, outcome);
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#active -= 1;
    this.#wake(item.target);
  }

  readonly #need: Need = async (source, by) => {
    const claim = this.#plan.claim(source, by);
    if (claim.kind === 'wait') await this.#settled(claim.target);
    if (claim.kind === 'restore') {
      try {
        const outcome = await this.#work.restore(claim.item, this.#need);
        this.#plan.settleClaimed(claim.item.target, outcome);
        this.#work.onSettled(claim.item, outcome);
      } finally {
        this.#wake(claim.item.target);
      }
    }
    return claim;
  };

  async #settled(target: ItemKey): Promise<void> {
    const key = itemId(target);
    const waiter = this.#waiters.get(key) ?? Promise.withResolvers<undefined>();
    this.#waiters.set(key, waiter);
    await waiter.promise;
  }

  #wake(target: ItemKey): void {
    const key = itemId(target);
    this.#waiters.get(key)?.resolve(undefined);
    this.#waiters.delete(key);
    this.#changed.resolve(undefined);
  }
}
