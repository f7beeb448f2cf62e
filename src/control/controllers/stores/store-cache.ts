import { AppError } from '../../../base/index.ts';
import type { Store } from '../../../edge/store/index.ts';

/** A store that somebody uses. It stays open until all who use it have let it go, whatever happens to what named it. */
export interface OpenStore extends Disposable {
  readonly store: Store;
  /** Aborted when what named the store is gone or says something else: for work that has no other reason to go on. */
  readonly changed: AbortSignal;
  /** One use more, for work that outlives this one. */
  share(): OpenStore;
}

/** What a store is opened from. */
export interface StoreSource {
  /** Whose store it is, such as `location default`; of one name the newest is kept for whoever comes next. */
  name: string;
  /** Differs whenever another store would be opened. */
  fingerprint: string;
  open: () => Promise<Store>;
}

/** Keeps stores open between uses, one for each name, and closes one only when nobody uses it any more. */
export class StoreCache {
  readonly #entries = new Map<string, Entry>();

  async open({ name, fingerprint, open }: StoreSource): Promise<OpenStore> {
    const known = this.#find(name, fingerprint);
    if (known !== undefined) return known.use();
    // Also when the new one cannot be opened: what was begun with the old one is not to go on for ever.
    this.forget(name);
    const store = await open();
    // Another one may have asked for the same meanwhile, and nobody would ever close the second.
    const faster = this.#find(name, fingerprint);
    if (faster !== undefined) {
      store.close();
      return faster.use();
    }
    this.forget(name);
    const entry = new Entry(name, fingerprint, store);
    this.#entries.set(name, entry);
    return entry.use();
  }

  /** What it was opened from is gone, or is another one now. Who uses it may go on. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    entry?.retire();
  }

  close(): void {
    for (const name of [...this.#entries.keys()]) this.forget(name);
  }

  #find(name: string, fingerprint: string): Entry | undefined {
    const entry = this.#entries.get(name);
    return entry?.fingerprint === fingerprint ? entry : undefined;
  }
}

class Entry {
  readonly fingerprint: string;
  readonly #name: string;
  readonly #store: Store;
  readonly #changed = new AbortController();
  #users = 0;
  #isRetired = false;

  constructor(name: string, fingerprint: string, store: Store) {
    this.#name = name;
    this.fingerprint = fingerprint;
    this.#store = store;
  }

  use(): OpenStore {
    this.#users += 1;
    let isUsed = true;
    return {
      store: this.#store,
      changed: this.#changed.signal,
      share: () => this.use(),
      [Symbol.dispose]: () => {
        if (!isUsed) return;
        isUsed = false;
        this.#users -= 1;
        this.#closeUnused();
      },
    };
  }

  retire(): void {
    this.#isRetired = true;
    this.#changed.abort(new AppError('canceled', `${this.#name} was changed or deleted meanwhile`));
    this.#closeUnused();
  }

  #closeUnused(): void {
    if (this.#isRetired && this.#users === 0) this.#store.close();
  }
}
