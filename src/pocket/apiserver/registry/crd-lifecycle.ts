import { isEqual, messageOf, objectAt, type Log } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import type { Stored, StoreEvent } from '../store/index.ts';
import { acceptNames, CRD_FINALIZER, CRD_STORAGE, isEstablished } from './crd-status.ts';
import { deleteObject } from './delete.ts';
import { timestamp, type RegistryDeps } from './deps.ts';
import type { Resource } from './resource.ts';
import { updateObject } from './update.ts';

/**
 * Follows CustomResourceDefinitions: accepts their names, serves them, and on deletion empties and releases them.
 * It acts on committed writes only, so what it serves survives a crash.
 */
export class CrdLifecycle {
  readonly #deps: RegistryDeps;
  readonly #log: Log;
  readonly #onRemoved: (storage: string) => void;

  constructor(deps: RegistryDeps, log: Log, onRemoved: (storage: string) => void) {
    this.#deps = deps;
    this.#log = log;
    this.#onRemoved = onRemoved;
  }

  /** Serves what the store holds, and goes on with what a crash interrupted. */
  start(): void {
    const { store } = this.#deps;
    for (const stored of store.list(CRD_STORAGE)) this.#follow(stored);
    store.onCommit((event) => {
      this.#onCommit(event);
    });
  }

  #onCommit(event: StoreEvent): void {
    const { object } = event;
    if (object.resource === CRD_STORAGE) {
      if (event.type !== 'DELETED') {
        this.#follow(object);
        return;
      }
      this.#deps.types.removeDefinition(object.name);
      this.#onRemoved(object.name);
      // A name that was taken may be free now.
      for (const other of this.#deps.store.list(CRD_STORAGE)) this.#follow(other);
      return;
    }
    if (event.type !== 'DELETED' || this.#deps.store.count(object.resource) > 0) return;
    const definition = this.#deps.store.get(CRD_STORAGE, '', object.resource);
    if (definition !== undefined) this.#follow(definition);
  }

  #follow(stored: Stored): void {
    const crd = stored.object;
    this.#deps.types.setDefinition(stored);
    const work = crd.metadata.deletionTimestamp === undefined ? this.#establish(crd) : this.#finish(crd);
    work?.catch((error: unknown) => {
      this.#log.error('following a custom resource definition failed', { name: stored.name, err: messageOf(error) });
    });
  }

  #establish(crd: Readonly<ApiObject>): Promise<unknown> | undefined {
    const { store, now } = this.#deps;
    const accepted = objectAt(crd, 'status', 'acceptedNames');
    if (isEstablished(crd) && isEqual(accepted, objectAt(crd, 'spec', 'names'))) return undefined;
    const others = store.list(CRD_STORAGE).filter((other) => other.name !== crd.metadata.name);
    const status = acceptNames(
      crd,
      others.map((other) => other.object),
      timestamp(now()),
    );
    return this.#updateStatus(crd, (current) => ({ ...current, status }));
  }

  async #finish(crd: Readonly<ApiObject>): Promise<void> {
    const { store, types } = this.#deps;
    const { name, finalizers = [] } = crd.metadata;
    if (!finalizers.includes(CRD_FINALIZER)) return;
    const resource = types.findStored(name);
    if (resource !== undefined && store.count(name) > 0) {
      await this.#deleteAll(resource, name);
      return;
    }
    await updateObject(
      this.#deps,
      this.#place(name),
      (current) => ({
        ...current,
        metadata: { ...current.metadata, finalizers: finalizers.filter((one) => one !== CRD_FINALIZER) },
      }),
      { isPatch: true },
    );
  }

  /** Those with finalizers of their own go later; the last one to go calls `#finish` again. */
  async #deleteAll(resource: Resource, storage: string): Promise<void> {
    for (const { namespace, name, object } of this.#deps.store.list(storage)) {
      if (object.metadata.deletionTimestamp === undefined)
        await deleteObject(this.#deps, { resource, namespace, name });
    }
  }

  async #updateStatus(crd: Readonly<ApiObject>, change: (current: ApiObject) => ApiObject): Promise<void> {
    if (this.#deps.store.get(CRD_STORAGE, '', crd.metadata.name) === undefined) return;
    await updateObject(this.#deps, this.#place(crd.metadata.name), change, { part: 'status', isPatch: true });
  }

  #place(name: string): { resource: Resource; namespace: string; name: string } {
    const resource = this.#deps.types.findStored(CRD_STORAGE);
    if (resource === undefined) throw new TypeError('the table of built-in kinds lacks CustomResourceDefinition');
    return { resource, namespace: '', name };
  }
}
