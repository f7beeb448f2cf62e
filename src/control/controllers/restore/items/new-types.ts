import { isAppError } from '../../../../base/index.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { RestoreContext } from '../context.ts';

const LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 200;

/** Types whose definitions were restored. It takes a moment until discovery lists an established one. */
export class NewTypes {
  readonly #context: RestoreContext;
  readonly #types: ServedTypes;
  readonly #expected = new Set<string>();
  #asking: Promise<void> | undefined;

  constructor(context: RestoreContext, types: ServedTypes) {
    this.#context = context;
    this.#types = types;
  }

  add(groupResource: string): void {
    this.#expected.add(groupResource);
  }

  /**
   * Called before an item of the type is sent. The first caller asks the server, the others wait for the same answer.
   */
  async learn(groupResource: string): Promise<void> {
    if (this.#types.serves(groupResource) || !this.#expected.has(groupResource)) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  /** False if the server cannot say what it serves, which must not cost the items of other types. */
  async #refresh(): Promise<boolean> {
    const { api, signal, log } = this.#context;
    try {
      await api.call(() => this.#types.refresh());
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      log.debug('what the cluster serves is not known', { err: error.message });
      return false;
    }
  }

  async #ask(): Promise<void> {
    const { deps, signal, log } = this.#context;
    const endsAt = deps.clock.uptime() + LIMIT_MS;
    for (;;) {
      const isKnown = await this.#refresh();
      const missing = [...this.#expected].filter((name) => !this.#types.serves(name));
      if (missing.length === 0 || !isKnown || deps.clock.uptime() >= endsAt) {
        this.#expected.clear();
        // Their items fail one by one, each with its own line; the rest of the restore continues.
        if (missing.length > 0) log.warn('types of restored definitions are not served', { types: missing });
        return;
      }
      await deps.clock.sleep(LOOK_EVERY_MS, signal);
    }
  }
}
