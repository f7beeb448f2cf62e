import { seededRandom } from '../../test/faults/seeded-random.ts';

const WORDS = (
  'the service order cart payment invoice stock price user session token region replica cache queue worker batch ' +
  'report export import gateway policy limit timeout retry backoff enabled disabled default production staging ' +
  'internal external public private primary secondary healthy degraded version release channel stable canary'
).split(' ');
const BASE36 = 36;

/** Everything about a cluster that is left to chance, by a seed. */
export class Dice {
  readonly #random: () => number;

  /** The same seeds give the same throws; so each namespace can have dice of its own, whatever is made before it. */
  constructor(seed: number, ...more: number[]) {
    this.#random = seededRandom(more.reduce((mixed, one) => Math.imul(mixed, 1_000_003) + one, seed));
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  /** From `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  /** Small ones often and large ones seldom, as sizes of configuration are. */
  size(least: number, most: number): number {
    return Math.round(least * (most / least) ** (this.#random() ** 2));
  }

  /** Text that gzip makes smaller about as much as people's. */
  words(bytes: number): string {
    const parts: string[] = [];
    for (let length = 0; length < bytes; length += (parts.at(-1)?.length ?? 0) + 1) {
      parts.push(this.chance(0.2) ? this.letters(this.between(2, 9)) : this.pick(WORDS));
    }
    return parts.join(' ').slice(0, bytes);
  }

  letters(length: number): string {
    let text = '';
    while (text.length < length) text += Math.floor(this.#random() * BASE36 ** 6).toString(BASE36);
    return text.slice(0, length);
  }
}
