import type { Adapter } from '../core/operations/index.ts';
import type { ClusterPort } from './ports.ts';

/** The namespace in which all objects of a kind are; undefined for kinds that are in any. */
export function placeOf({ scope }: Adapter, { namespaces }: Pick<ClusterPort, 'namespaces'>): string | undefined {
  return scope === 'all' ? undefined : namespaces[scope];
}

/** In which namespaces of each cluster there are operations of kinds that may be anywhere, as they come and go. */
export class Places {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #listeners = new Set<() => void>();

  /** Namespaces of a cluster. */
  of(cluster: string): ReadonlySet<string> {
    return new Set(this.#counts.get(cluster)?.keys());
  }

  /** Whether one of them is not among those that are known. */
  hasMoreThan(cluster: string, known: ReadonlySet<string>): boolean {
    for (const namespace of this.#counts.get(cluster)?.keys() ?? []) if (!known.has(namespace)) return true;
    return false;
  }

  /** Told of every namespace in which something is seen for the first time. */
  onNew(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  add(cluster: string, namespace: string): void {
    const counts = this.#counts.get(cluster) ?? new Map<string, number>();
    this.#counts.set(cluster, counts);
    const before = counts.get(namespace) ?? 0;
    counts.set(namespace, before + 1);
    if (before === 0) for (const listener of this.#listeners) listener();
  }

  remove(cluster: string, namespace: string): void {
    const counts = this.#counts.get(cluster);
    const left = (counts?.get(namespace) ?? 0) - 1;
    if (left > 0) counts?.set(namespace, left);
    else counts?.delete(namespace);
  }
}
