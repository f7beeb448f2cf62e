import type { JsonObject } from '../../../base/index.ts';
import { apiVersionOf, type ResourceType } from '../../../api/meta/resource-type.ts';
import type { ApiServer } from '../api-server.ts';
import { unknownResource } from '../errors/index.ts';
import type { ApiObject } from '../object/index.ts';
import {
  createObject,
  deleteObject,
  updateObject,
  type DeleteOptions,
  type Resource,
  type UpdateOptions,
} from '../registry/index.ts';
import { StoredChange, type AnyChange, type Change } from './change.ts';

/** A kind whose objects look like T. The API server has checked them against their Go types. */
export interface TypeOf<T extends ApiObject = ApiObject> extends ResourceType {
  /** Never there; it only carries the type. */
  readonly objects?: T;
}

/**
 * The cluster for controllers in the same process. Reads are from memory, at once, and of what is on the disk; objects
 * are shared and must not be changed. Writes resolve when they are on the disk, and every rule of the API applies.
 */
export interface ControlClient {
  /** `namespace` is empty for cluster-scoped kinds. */
  get<T extends ApiObject>(type: TypeOf<T>, namespace: string, name: string): T | undefined;
  list<T extends ApiObject>(type: TypeOf<T>, namespace?: string): T[];
  /** Calls the listener at once for everything there is, then for every change. It must not throw. */
  subscribe<T extends ApiObject>(type: TypeOf<T>, listener: (change: Change<T>) => void): () => void;
  /** The same for every kind there is and will be. */
  subscribeAll(listener: (change: AnyChange) => void): () => void;
  create<T extends ApiObject>(type: TypeOf<T>, object: JsonObject): Promise<T>;
  /** Refused as a conflict when somebody else was faster than what `object` was made from. */
  update<T extends ApiObject>(type: TypeOf<T>, object: T, part?: UpdateOptions['part']): Promise<T>;
  delete(type: TypeOf, namespace: string, name: string, options?: DeleteOptions): Promise<void>;
  /** Every kind that is served now and can be stored, one version of each. */
  types(): ResourceType[];
  typeOf(apiVersion: string, kind: string): ResourceType | undefined;
  /** By the table of the store, such as `deployments.apps`. */
  typeOfStorage(storage: string): ResourceType | undefined;
}

export function createControlClient(server: ApiServer): ControlClient {
  const { store, registry } = server;
  const find = ({ group, version, plural }: ResourceType): Resource => {
    const resource = server.types.find(group, version, plural);
    if (resource === undefined) throw unknownResource();
    return resource;
  };
  const listeners = new Listeners(server);
  return {
    get: <T extends ApiObject>(type: TypeOf<T>, namespace: string, name: string) =>
      store.read(find(type).storage, namespace, name)?.object as T | undefined,
    list: <T extends ApiObject>(type: TypeOf<T>, namespace?: string) => read<T>(server, find(type).storage, namespace),
    subscribe: <T extends ApiObject>(type: TypeOf<T>, listener: (change: Change<T>) => void) =>
      listeners.add(find(type).storage, listener as unknown as Listener),
    subscribeAll: (listener) => listeners.addToAll(listener),
    create: async <T extends ApiObject>(type: TypeOf<T>, object: JsonObject) => {
      const { namespace = '' } = (object['metadata'] ?? {}) as { namespace?: string };
      // The registry completes what it is given, and templates are shared.
      const stored = await createObject(registry, { resource: find(type), namespace }, structuredClone(object));
      return stored.object as T;
    },
    update: async <T extends ApiObject>(type: TypeOf<T>, object: T, part?: UpdateOptions['part']) => {
      const { namespace = '', name } = object.metadata;
      const body = structuredClone(object);
      const options = { ...(part === undefined ? {} : { part }) };
      const stored = await updateObject(registry, { resource: find(type), namespace, name }, () => body, options);
      return stored.object as T;
    },
    delete: async (type, namespace, name, options = {}) => {
      await deleteObject(registry, { resource: find(type), namespace, name }, options);
    },
    types: () => server.types.all.filter(isTheOne),
    typeOf: (apiVersion, kind) =>
      server.types.all.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion),
    typeOfStorage: (storage) => server.types.findStored(storage),
  };

  function isTheOne(resource: Resource): boolean {
    return resource.verbs.includes('list') && server.types.findStored(resource.storage) === resource;
  }
}

function read<T extends ApiObject>(server: ApiServer, storage: string, namespace?: string): T[] {
  const snapshot = server.store.snapshot(storage);
  const found: T[] = [];
  for (const key of snapshot?.keys(namespace) ?? []) {
    const stored = snapshot?.get(key);
    if (stored !== undefined) found.push(stored.object as T);
  }
  return found;
}

type Listener = (change: AnyChange) => void;

class Listeners {
  readonly #server: ApiServer;
  readonly #byStorage = new Map<string, Set<Listener>>();
  readonly #toAll = new Set<Listener>();

  constructor(server: ApiServer) {
    this.#server = server;
    server.store.onCommit((event) => {
      const listeners = this.#byStorage.get(event.object.resource);
      if (listeners === undefined && this.#toAll.size === 0) return;
      const change = new StoredChange(event);
      for (const listener of listeners ?? []) listener(change);
      for (const listener of this.#toAll) listener(change);
    });
  }

  add(storage: string, listener: Listener): () => void {
    this.#replay(storage, listener);
    const listeners = this.#byStorage.get(storage) ?? new Set();
    this.#byStorage.set(storage, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  addToAll(listener: Listener): () => void {
    const storages = new Set(this.#server.types.all.map((resource) => resource.storage));
    for (const storage of storages) this.#replay(storage, listener);
    this.#toAll.add(listener);
    return () => {
      this.#toAll.delete(listener);
    };
  }

  #replay(storage: string, listener: Listener): void {
    const snapshot = this.#server.store.snapshot(storage);
    for (const key of snapshot?.keys() ?? []) {
      const object = snapshot?.get(key);
      if (object !== undefined) listener(new StoredChange({ type: 'ADDED', object, previous: undefined }));
    }
  }
}
