import { type Log, messageOf } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/port.ts';
import { objectKey } from './object-key.ts';

export type CacheChange =
  | { type: 'added'; key: string; object: KubeObject }
  | { type: 'updated'; key: string; object: KubeObject; previous: KubeObject }
  | { type: 'deleted'; key: string; object: KubeObject };
export type CacheListener = (change: CacheChange) => void;

/** What a reflector last saw of one kind. Objects in it are shared: nobody may change them. */
export class ObjectCache {
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<CacheListener>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<KubeObject> {
    return this.#objects.values();
  }

  /** The listener hears of everything that is there already as added, then of every change. Returns the way out. */
  subscribe(listener: CacheListener): () => void {
    this.#listeners.add(listener);
    for (const [key, object] of this.#objects) this.#tell(listener, { type: 'added', key, object });
    return () => {
      this.#listeners.delete(listener);
    };
  }

  put(object: KubeObject): string {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    // The same name with another uid is another object, and who followed the first must hear of its end.
    if (previous !== undefined && previous.metadata.uid !== object.metadata.uid) {
      this.delete(key, previous);
      return this.put(object);
    }
    this.#objects.set(key, object);
    if (previous === undefined) this.#emit({ type: 'added', key, object });
    else if (previous.metadata.resourceVersion !== object.metadata.resourceVersion) {
      this.#emit({ type: 'updated', key, object, previous });
    }
    return key;
  }

  /** `last` is the object's last state when the server told it. */
  delete(key: string, last?: KubeObject): void {
    const known = this.#objects.get(key);
    if (known === undefined) return;
    this.#objects.delete(key);
    this.#emit({ type: 'deleted', key, object: last ?? known });
  }

  /** Deletes everything else: a list that ended tells what is gone only by not naming it. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of [...this.#objects.keys()]) {
      if (!keys.has(key)) this.delete(key);
    }
  }

  #emit(change: CacheChange): void {
    for (const listener of [...this.#listeners]) this.#tell(listener, change);
  }

  #tell(listener: CacheListener, change: CacheChange): void {
    try {
      listener(change);
    } catch (error) {
      // One listener's bug must not cost the others their events, nor the reflector its place in the watch.
      this.#log.error('cache listener failed', { key: change.key, change: change.type, err: messageOf(error) });
    }
  }
}
