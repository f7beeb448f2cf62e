import { setTimeout as delay } from 'node:timers/promises';
import { ENDPOINT_SLICES, SERVICES } from '../../controllers/kinds/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';

/** Changes of services and of their pods come in crowds: one look is enough for all of them. */
export class ServiceChanges {
  readonly #gatherMs: number;
  readonly #look: () => Promise<void> | void;
  readonly #stops: (() => void)[];
  readonly #closed = new AbortController();
  #isGathering = false;

  constructor(client: ControlClient, gatherMs: number, look: () => Promise<void> | void) {
    this.#gatherMs = gatherMs;
    this.#look = look;
    const changed = (): void => void this.#gather();
    this.#stops = [client.subscribe(SERVICES, changed), client.subscribe(ENDPOINT_SLICES, changed)];
  }

  close(): void {
    this.#closed.abort();
    for (const stop of this.#stops) stop();
  }

  async #gather(): Promise<void> {
    if (this.#isGathering || this.#closed.signal.aborted) return;
    this.#isGathering = true;
    try {
      await delay(this.#gatherMs, undefined, { signal: this.#closed.signal, ref: false });
    } catch {
      return; // Closed.
    } finally {
      this.#isGathering = false;
    }
    await this.#look();
  }
}
