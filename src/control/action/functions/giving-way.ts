import { setImmediate } from 'node:timers/promises';

/** Some milliseconds of work. */
const SHARE_BYTES = 64 * 1024;

/** Who prints much and fast must not keep this process from its lease and from other sets. */
export class GivingWay {
  #bytes = 0;

  /** To be waited for before more is read. */
  async after(bytes: number): Promise<void> {
    this.#bytes += bytes;
    if (this.#bytes < SHARE_BYTES) return;
    this.#bytes = 0;
    await setImmediate();
  }
}
