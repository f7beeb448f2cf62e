import { objectAt, textAt, type JsonObject } from '../src/base/index.ts';

/** What a watcher sees of the percent of one operation. */
export class Percents {
  /** When the first one was seen; undefined if it ended without one. */
  firstSeconds: number | undefined;
  /** How often one was smaller than the one before it. */
  falls = 0;
  /** How often items were archived of which nobody knew how many there are. */
  unknowns = 0;
  #last = 0;
  readonly #began: number;

  constructor(began: number) {
    this.#began = began;
  }

  see(status: JsonObject): void {
    const { percent, totalItems, itemsBackedUp } = objectAt(status, 'progress');
    const isRunning = textAt(status, 'phase') === 'InProgress';
    if (isRunning && typeof itemsBackedUp === 'number' && totalItems === undefined) this.unknowns += 1;
    if (typeof percent !== 'number') return;
    this.firstSeconds ??= (performance.now() - this.#began) / 1000;
    if (percent < this.#last) this.falls += 1;
    this.#last = percent;
  }
}
