import { type Log, messageOf } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/port.ts';
import { objectKey } from './object-key.ts';

export type CacheChange =
  | { type: 'added'; key: string; object: KubeObject }
  | { type: 'updated'; key: string; object: KubeObject; previous: KubeObject }
  | { type: 'deleted'; key: string; object: KubeObject };
export type CacheListener = (change: CacheChange) => void;

/** The last known state of one kind, kept by a reflector. The objects are shared: nobody may modify them. */
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

  /**
   * The listener first gets everything that is already there as added, then every change. Returns a function to
   * unsubscribe.
   */
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
    // The same name with another uid is another object, so listeners must see the first one deleted.
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

  /** `last` is the object's last state, if the server sent it. */
  delete(key: string, last?: KubeObject): void {
    const known = this.#objects.get(key);
    if (known === undefined) return;
    this.#objects.delete(key);
    this.#emit({ type: 'deleted', key, object: last ?? known });
  }

  /** Deletes everything else: a complete list shows that an object is gone only by not containing it. */
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
      // One listener's bug must not cost the others their events, or the reflector its place in the watch.
      this.#log.error('cache listener failed', { key: change.key, change: change.type, err: messageOf(error) });
    }
  }
}
