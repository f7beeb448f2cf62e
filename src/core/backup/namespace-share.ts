/**
 * Which namespaces are wanted of a list over all of them, and how large their part of the rest of it may be. A list is
 * in the order of the keys in etcd, which have a slash after the namespace.
 */
export class NamespaceShare {
  readonly #wanted: ReadonlySet<string>;
  /** Of the namespaces from this one on, the part that is wanted. */
  readonly #from = new Map<string, number>();
  /** Of all of them. */
  readonly whole: number;

  constructor(wanted: readonly string[], existing: readonly string[]) {
    this.#wanted = new Set(wanted);
    let own = 0;
    let all = 0;
    for (const name of inListOrder(existing).reverse()) {
      all += 1;
      if (this.#wanted.has(name)) own += 1;
      this.#from.set(name, own / all);
    }
    this.whole = all === 0 ? 1 : own / all;
  }

  has(namespace: string | undefined): boolean {
    return namespace !== undefined && this.#wanted.has(namespace);
  }

  /** When the list has come to a namespace; undefined for one that was not there before. */
  from(namespace: string): number | undefined {
    return this.#from.get(namespace);
  }
}

function inListOrder(names: readonly string[]): string[] {
  return names
    .map((name) => `${name}/`)
    .sort()
    .map((key) => key.slice(0, -1));
}
