/** How many files a sentence names. */
const MAX_NAMED = 5;

/** Counts files, and remembers the first few by name. */
export class NameList {
  readonly #named: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(name: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(name);
  }

  /** `a, b and 3 more`. */
  toString(): string {
    const more = this.#count - this.#named.length;
    return `${this.#named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  }
}
