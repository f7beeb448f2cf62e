import type { ApiObject } from '../object/index.ts';
import type { EventType, Stored, StoreEvent } from '../store/index.ts';

/** One committed write. Objects are shared and must not be changed; they are parsed when they are looked at. */
export interface Change<T extends ApiObject = ApiObject> {
  readonly type: EventType;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly object: T;
  readonly previous: T | undefined;
}

/** A change of an object of any kind. */
export interface AnyChange extends Change {
  /** The table of the store, such as `deployments.apps`. */
  readonly storage: string;
  /** Whether the text of the object, or of what it was before, has the word in it; cheap, and may be a false alarm. */
  mentions(word: string): boolean;
}

export class StoredChange implements AnyChange {
  readonly type: EventType;
  readonly #stored: Stored;
  readonly #previous: Stored | undefined;

  constructor(event: Pick<StoreEvent, 'type' | 'object' | 'previous'>) {
    this.type = event.type;
    this.#stored = event.object;
    this.#previous = event.previous;
  }

  get object(): ApiObject {
    return this.#stored.object;
  }

  get previous(): ApiObject | undefined {
    return this.#previous?.object;
  }

  get namespace(): string {
    return this.#stored.namespace;
  }

  get name(): string {
    return this.#stored.name;
  }

  get storage(): string {
    return this.#stored.resource;
  }

  mentions(word: string): boolean {
    return this.#stored.json.includes(word) || this.#previous?.json.includes(word) === true;
  }
}
