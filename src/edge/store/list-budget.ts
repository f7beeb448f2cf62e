import { AppError } from '../../base/index.ts';

/** What one listing may cost. A Velero location has a folder per backup, with a few files in it. */
export interface ListLimits {
  pages: number;
  entries: number;
  /** Characters of names, which is what callers keep. */
  characters: number;
  /** Time spent waiting for the store; the caller's own work in between is not counted. */
  ms: number;
}

export const LIST_LIMITS: ListLimits = {
  pages: 2_000,
  entries: 100_000,
  characters: 16 * 1024 * 1024,
  ms: 10 * 60_000,
};

/** Ends a listing that exceeds its limits: a store can send pages forever, empty or full. */
export class ListBudget {
  readonly #what: string;
  readonly #limits: ListLimits;
  readonly #spent: ListLimits = { pages: 0, entries: 0, characters: 0, ms: 0 };

  constructor(what: string, limits: ListLimits) {
    this.#what = what;
    this.#limits = limits;
  }

  page(tookMs: number): void {
    this.#spend('pages', 1);
    this.#spend('ms', tookMs);
  }

  entry(...names: readonly string[]): void {
    this.#spend('entries', 1);
    for (const name of names) this.#spend('characters', name.length);
  }

  #spend(kind: keyof ListLimits, amount: number): void {
    this.#spent[kind] += amount;
    const limit = this.#limits[kind];
    if (this.#spent[kind] <= limit) return;
    const unit = kind === 'characters' ? 'characters of names' : kind;
    throw new AppError('tooLarge', `${this.#what}: the listing does not end, expected at most ${limit} ${unit}`);
  }
}
