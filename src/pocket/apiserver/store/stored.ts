import { parseJson, stringifyJson } from '../../../base/index.ts';
import type { ApiObject } from '../object/api-object.ts';

/**
 * One version of one object. The text is kept and the parsed form is not: text is a fifth of the memory and is what
 * answers and watch events are made of; the parsed form is remembered for as long as the collector lets it live.
 */
export class Stored {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly rv: number;
  readonly json: string;
  #parsed: WeakRef<ApiObject> | undefined;

  constructor(resource: string, identity: { namespace: string; name: string; rv: number }, json: string) {
    this.resource = resource;
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.rv = identity.rv;
    this.json = json;
  }

  get key(): string {
    return `${this.namespace}/${this.name}`;
  }

  /** Shared by all readers, who must not change it; `copy` is for those who do. */
  get object(): Readonly<ApiObject> {
    let object = this.#parsed?.deref();
    if (object === undefined) {
      object = this.copy();
      this.#parsed = new WeakRef(object);
    }
    return object;
  }

  copy(): ApiObject {
    return parseJson(this.json) as ApiObject;
  }

  /** The same object in another version that was never stored. */
  as(object: ApiObject, rv: number): Stored {
    const { resource, namespace, name } = this;
    return new Stored(resource, { namespace, name, rv }, stringifyJson(object));
  }
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One committed write. A deletion carries the last state under a resourceVersion of its own. */
export interface StoreEvent {
  readonly type: EventType;
  readonly rv: number;
  readonly object: Stored;
  readonly previous: Stored | undefined;
}
