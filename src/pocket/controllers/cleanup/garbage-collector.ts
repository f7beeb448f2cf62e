import { isAppError, messageOf } from '../../../base/index.ts';
import type { ResourceType } from '../../../api/meta/resource-type.ts';
import type { KubeObject, OwnerReference } from '../kinds/index.ts';
import type { Place } from '../owner-index.ts';
import { isGoing } from '../pod-state.ts';
import type { AnyChange, ControllerDeps, Running } from '../ports.ts';
import { WorkQueue } from '../work-queue.ts';
import { judge, ORPHAN, waitsForDependents, type Owner } from './garbage-plan.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
/** Many, short-lived, and never worth collecting before they expire. */
const IGNORED = 'events';

/** Deletes what lost its owners, and sees through deletions that wait for dependents or leave them behind. */
export function startGarbageCollector(deps: ControllerDeps): Running {
  const collector = new GarbageCollector(deps);
  return { close: () => collector.close() };
}

class GarbageCollector {
  readonly #deps: ControllerDeps;
  readonly #queue: WorkQueue;
  /** Objects whose owners are of kinds that are not served. */
  readonly #puzzling = new Set<string>();
  readonly #stop: () => void;

  constructor(deps: ControllerDeps) {
    this.#deps = deps;
    const log = deps.log.child({ controller: 'garbage-collector' });
    this.#queue = new WorkQueue({ clock: deps.clock, log, reconcile: (key) => this.#reconcile(key) });
    this.#stop = deps.client.subscribeAll((change) => {
      try {
        this.#follow(change);
      } catch (error) {
        // A commit tells its listeners one after the other; none may keep the others from hearing.
        log.error('following a change failed', { storage: change.storage, name: change.name, err: messageOf(error) });
      }
    });
  }

  close(): Promise<void> {
    this.#stop();
    return this.#queue.close();
  }

  #follow(change: AnyChange): void {
    if (change.storage === IGNORED) return;
    if (change.storage === DEFINITIONS) for (const key of this.#puzzling) this.#queue.add(key);
    if (change.type === 'DELETED') {
      this.#puzzling.delete(keyOf(change));
      const { metadata }: KubeObject = change.object;
      this.#addDependents(metadata.uid ?? '');
      this.#addOwners(change.namespace, metadata.ownerReferences ?? []);
      return;
    }
    if (change.mentions('"ownerReferences"')) {
      this.#queue.add(keyOf(change));
      const before: KubeObject | undefined = change.previous;
      this.#addOwners(change.namespace, before?.metadata.ownerReferences ?? []);
    }
    if (!change.mentions('"deletionTimestamp"')) return;
    this.#queue.add(keyOf(change));
    if (isGoing(change.object)) this.#addDependents(change.object.metadata.uid ?? '');
  }

  #addDependents(uid: string): void {
    for (const place of this.#deps.owners.dependents(uid)) this.#queue.add(keyOf(place));
  }

  #addOwners(namespace: string, references: readonly OwnerReference[]): void {
    for (const reference of references) {
      const owner = this.#ownerOf(namespace, reference);
      if (typeof owner !== 'object' || !waitsForDependents(owner.object)) continue;
      this.#queue.add(keyOf(owner.place));
    }
  }

  async #reconcile(key: string): Promise<undefined> {
    const { client } = this.#deps;
    const place = placeOf(key);
    const type = client.typeOfStorage(place.storage);
    const item = type === undefined ? undefined : client.get<KubeObject>(type, place.namespace, place.name);
    this.#puzzling.delete(key);
    if (type === undefined || item === undefined) return;
    const verdict = judge(item, {
      owner: (reference) => this.#look(place.namespace, reference),
      dependents: (uid) => this.#dependents(uid),
    });
    const { uid = '', resourceVersion = '' } = item.metadata;
    switch (verdict.kind) {
      case 'keep':
        break;
      case 'wait':
        this.#puzzling.add(key);
        break;
      case 'setOwners':
        await client.update(type, withOwners(item, verdict.ownerReferences));
        break;
      case 'delete': {
        const preconditions = { uid, resourceVersion };
        await client.delete(type, place.namespace, place.name, { propagation: verdict.propagation, preconditions });
        break;
      }
      case 'release':
        await client.update(type, withoutFinalizer(item, verdict.finalizer));
        break;
      case 'orphan':
        await Promise.all(verdict.dependents.map((dependent) => this.#orphan(dependent, uid)));
        await client.update(type, withoutFinalizer(item, ORPHAN));
    }
  }

  async #orphan(dependent: KubeObject, uid: string): Promise<void> {
    const { client } = this.#deps;
    const type = client.typeOf(dependent.apiVersion, dependent.kind);
    if (type === undefined) return;
    const rest = (dependent.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
    try {
      await client.update(type, withOwners(dependent, rest));
    } catch (error) {
      // Somebody deleted it meanwhile, which is no worse.
      if (!isAppError(error, 'notFound')) throw error;
    }
  }

  #dependents(uid: string): KubeObject[] {
    const { client, owners } = this.#deps;
    return owners.dependents(uid).flatMap(({ storage, namespace, name }) => {
      const type = client.typeOfStorage(storage);
      const object = type === undefined ? undefined : client.get<KubeObject>(type, namespace, name);
      return object === undefined ? [] : [object];
    });
  }

  #look(namespace: string, reference: OwnerReference): Owner {
    const owner = this.#ownerOf(namespace, reference);
    return typeof owner === 'object' ? owner.object : owner;
  }

  #ownerOf(
    namespace: string,
    { apiVersion, kind, name, uid }: OwnerReference,
  ): { place: Place; object: KubeObject } | 'absent' | 'unknown' {
    const { client } = this.#deps;
    const type = client.typeOf(apiVersion, kind);
    // What belongs to no namespace cannot have an owner in one.
    if (type === undefined || (type.namespaced && namespace === '')) return 'unknown';
    const place = { storage: storageOf(type), namespace: type.namespaced ? namespace : '', name };
    const object = client.get<KubeObject>(type, place.namespace, name);
    return object?.metadata.uid === uid && object !== undefined ? { place, object } : 'absent';
  }
}

function keyOf({ storage, namespace, name }: Place): string {
  return `${storage} ${namespace}/${name}`;
}

function placeOf(key: string): Place {
  const space = key.indexOf(' ');
  const slash = key.indexOf('/');
  return { storage: key.slice(0, space), namespace: key.slice(space + 1, slash), name: key.slice(slash + 1) };
}

function storageOf({ group, plural }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function withOwners(object: KubeObject, ownerReferences: OwnerReference[]): KubeObject {
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function withoutFinalizer(object: KubeObject, finalizer: string): KubeObject {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  return { ...object, metadata: { ...object.metadata, finalizers } };
}
