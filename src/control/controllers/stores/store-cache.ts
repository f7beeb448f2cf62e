import { AppError } from '../../../base/index.ts';
import type { Store } from '../../../edge/store/index.ts';

/** A store in use. It stays open until all users have disposed of it, whatever happens to its source. */
export interface OpenStore extends Disposable {
  readonly store: Store;
  /** Aborted when the store's source is gone or has changed: for work that has no other reason to continue. */
  readonly changed: AbortSignal;
  /** One more use, for work that outlives this one. */
  share(): OpenStore;
}

/** What a store is opened from. */
export interface StoreSource {
  /** Whose store it is, such as `location default`; for each name only the newest is kept for later use. */
  name: string;
  /** Differs whenever another store would be opened. */
  fingerprint: string;
  open: () => Promise<Store>;
}

/** Keeps stores open between uses, one per name, and closes one only when it is no longer in use. */
export class StoreCache {
  readonly #entries = new Map<string, Entry>();
  #isClosed = false;

  async open({ name, fingerprint, open }: StoreSource): Promise<OpenStore> {
    const known = this.#find(name, fingerprint);
    if (known !== undefined) return known.use();
    // Even if the new one cannot be opened: work that began with the old one must not continue forever.
    this.forget(name);
    const store = await open();
    // Another caller may have opened the same store in the meantime, and nobody would ever close the second.
    const faster = this.#find(name, fingerprint);
    if (faster !== undefined) {
      store.close();
      return faster.use();
    }
    if (this.#isClosed) {
      store.close();
      throw new AppError('canceled', `open the store of ${name}: the server is stopping`);
    }
    this.forget(name);
    const entry = new Entry(name, fingerprint, store);
    this.#entries.set(name, entry);
    return entry.use();
  }

  /** Its source is gone or has changed. Current users may continue. */
  forget(name: string): void {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    entry?.retire();
  }

  close(): void {
    this.#isClosed = true;
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
