import type { Store } from '../src/edge/store/index.ts';
import type { OpenStore } from '../src/server/ports.ts';

/** A store that knows how many use it at the moment. */
export class LeasedStore {
  users = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  open(): OpenStore {
    this.users += 1;
    return {
      store: this.#store,
      share: () => this.open(),
      [Symbol.dispose]: () => {
        this.users -= 1;
      },
    };
  }
}
