import { boundedText } from '../../../runtime/objects/index.ts';

const MAX_TOLD = 100;

/** Problems as they are found: the first ones are kept, the others counted. */
export class Problems {
  readonly #first: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(problem: string): void {
    this.#count += 1;
    if (this.#count <= MAX_TOLD) this.#first.push(boundedText(problem));
  }

  told(): string[] {
    return this.#count <= MAX_TOLD ? [...this.#first] : [...this.#first, `and ${this.#count - MAX_TOLD} more`];
  }
}
