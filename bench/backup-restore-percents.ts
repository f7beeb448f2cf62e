import { objectAt, textAt, type JsonObject } from '../src/base/index.ts';

/** What a watcher sees of the percent of one operation. */
export class Percents {
  /** When the first one was seen while the operation ran; undefined if it ended without one. */
  firstSeconds: number | undefined;
  /** The same for the first one above zero. */
  firstAboveSeconds: number | undefined;
  /** How often one was smaller than the one before it, or gone. */
  falls = 0;
  /** How often items were archived of which nobody knew how many there are, or more than there are. */
  unknowns = 0;
  #last = -1;
  readonly #began: number;

  constructor(began: number) {
    this.#began = began;
  }

  see(status: JsonObject): void {
    const { percent, totalItems, itemsBackedUp } = objectAt(status, 'progress');
    const isRunning = textAt(status, 'phase') === 'InProgress';
    const isTold = typeof totalItems === 'number' && typeof itemsBackedUp === 'number' && itemsBackedUp <= totalItems;
    if (isRunning && itemsBackedUp !== undefined && !isTold) this.unknowns += 1;
    const now = typeof percent === 'number' ? percent : -1;
    if (now < this.#last) this.falls += 1;
    this.#last = Math.max(this.#last, now);
    if (!isRunning || now < 0) return;
    const seconds = (performance.now() - this.#began) / 1000;
    this.firstSeconds ??= seconds;
    if (now > 0) this.firstAboveSeconds ??= seconds;
  }
}
