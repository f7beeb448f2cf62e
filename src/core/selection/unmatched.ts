import type { LabelSelector } from '../../api/index.ts';
import { closestName } from './closest-name.ts';
import { globMatcher, isGlob } from './glob.ts';
import { formatSelector, matchesSelector } from './label-selector.ts';

/** A name or selector in a spec that matches nothing; most often it is misspelled. */
export interface Unmatched {
  /** Of the spec, such as `includedNamespaces`. */
  field: string;
  name: string;
  message: string;
}

/** More are not looked up; nobody misspells so many. */
const MAX_SUGGESTED = 20;

interface Sought {
  field: string;
  known: ReadonlySet<string>;
  /** What is said of a name that matches nothing: `the backup has no namespace "shpo"`. */
  saying: (name: string) => string;
  /** How a name is written among those that are known. */
  resolve?: (name: string) => string;
}

/** Those of a list that no known name matches. */
export function unmatchedNames(names: readonly string[] | null | undefined, sought: Sought): Unmatched[] {
  const { field, known, saying, resolve = (name) => name } = sought;
  const unmatched = [...new Set(names ?? [])].filter((name) => name !== '' && !isKnown(resolve(name), known));
  return unmatched.map((name, at) => {
    const closest = isGlob(name) || at >= MAX_SUGGESTED ? undefined : closestName(name, known);
    const message = closest === undefined ? saying(name) : `${saying(name)}; did you mean "${closest}"?`;
    return { field, name, message };
  });
}

function isKnown(name: string, known: ReadonlySet<string>): boolean {
  if (name === '*') return true;
  return isGlob(name) ? known.values().some(globMatcher(name)) : known.has(name);
}

interface Selecting {
  labelSelector?: LabelSelector | undefined;
  orLabelSelectors?: readonly LabelSelector[] | null | undefined;
}

/** Notes which selectors of a spec have selected something. */
export class SelectorUse {
  readonly #where: string;
  readonly #unused: { field: string; selector: LabelSelector }[];
  #hasSeen = false;

  constructor({ labelSelector, orLabelSelectors }: Selecting, where: string) {
    this.#where = where;
    this.#unused = [
      ...(labelSelector === undefined ? [] : [{ field: 'labelSelector', selector: labelSelector }]),
      ...(orLabelSelectors ?? []).map((selector) => ({ field: 'orLabelSelectors', selector })),
    ];
  }

  /** All of them have, or there are none. */
  get isSatisfied(): boolean {
    return this.#unused.length === 0;
  }

  /** Something was looked for by its labels, whether or not anything came. */
  ask(): void {
    this.#hasSeen = true;
  }

  see(labels: Readonly<Record<string, string>>): void {
    this.#hasSeen = true;
    const at = this.#unused.findIndex(({ selector }) => matchesSelector(selector, labels));
    if (at >= 0) this.#unused.splice(at, 1);
  }

  /** Empty while nothing was seen that they could have selected. */
  unmatched(): Unmatched[] {
    if (!this.#hasSeen) return [];
    return this.#unused.map(({ field, selector }) => {
      const name = formatSelector(selector);
      return { field, name, message: `nothing that is chosen in ${this.#where} has the labels ${name}` };
    });
  }
}

/** All that did not match as one sentence. */
export function unmatchedText(unmatched: readonly Unmatched[]): string {
  return unmatched.map(({ message }) => message).join('; ');
}
