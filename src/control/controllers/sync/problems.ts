import { cleanText } from '../../../base/index.ts';

const SHOWN = 5;
const MAX_LENGTH = 300;

/** The problems in a location: their number and the first few, the same ones at every pass. */
export class Problems {
  count = 0;
  #shown: string[] = [];

  add(problem: string): void {
    this.count += 1;
    this.#shown = [...this.#shown, cleanText(problem, MAX_LENGTH)].toSorted().slice(0, SHOWN);
  }

  toString(): string {
    const more = this.count - this.#shown.length;
    return `${this.#shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  }
}
