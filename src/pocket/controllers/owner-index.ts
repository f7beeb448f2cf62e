import type { AnyChange, ControlClient } from '../apiserver/client/index.ts';
import type { KubeObject, OwnerReference } from './kinds/index.ts';

/** Where an object is; small, because there is one for every object with an owner. */
export interface Place {
  /** The table of the store, such as `deployments.apps`. */
  storage: string;
  namespace: string;
  name: string;
}

/** What controllers adopt when nobody owns it. */
const ADOPTABLE = new Set(['pods', 'replicasets.apps', 'controllerrevisions.apps']);

/** Who belongs to whom, kept up to date from the changes, so that nobody has to look through all objects. */
export class OwnerIndex {
  readonly #byOwner = new Map<string, Map<string, Place>>();
  readonly #orphans = new Map<string, Map<string, Place>>();
  readonly #stop: () => void;

  constructor(client: ControlClient) {
    this.#stop = client.subscribeAll((change) => {
      this.#follow(change);
    });
  }

  close(): void {
    this.#stop();
  }

  /** Everything with an owner reference to this uid. */
  dependents(uid: string): Place[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  /** What nobody controls, of one table and namespace. */
  orphans(storage: string, namespace: string): Place[] {
    return [...(this.#orphans.get(`${storage} ${namespace}`)?.values() ?? [])];
  }

  #follow(change: AnyChange): void {
    const isAdoptable = ADOPTABLE.has(change.storage);
    if (!isAdoptable && !change.mentions('"ownerReferences"')) return;
    const { storage, namespace, name, type } = change;
    const place = { storage, namespace, name };
    const before: KubeObject | undefined = change.previous;
    const now: KubeObject | undefined = type === 'DELETED' ? undefined : change.object;
    for (const { uid } of before?.metadata.ownerReferences ?? []) remove(this.#byOwner, uid, place);
    for (const { uid } of now?.metadata.ownerReferences ?? []) put(this.#byOwner, uid, place);
    if (!isAdoptable) return;
    const group = `${storage} ${namespace}`;
    if (now !== undefined && controllerOf(now) === undefined) put(this.#orphans, group, place);
    else remove(this.#orphans, group, place);
  }
}

function idOf({ storage, namespace, name }: Place): string {
  return `${storage} ${namespace}/${name}`;
}

function put(groups: Map<string, Map<string, Place>>, group: string, place: Place): void {
  const places = groups.get(group) ?? new Map<string, Place>();
  groups.set(group, places);
  places.set(idOf(place), place);
}

function remove(groups: Map<string, Map<string, Place>>, group: string, place: Place): void {
  const places = groups.get(group);
  if (places?.delete(idOf(place)) === true && places.size === 0) groups.delete(group);
}

export function controllerOf(object: { metadata: KubeObject['metadata'] }): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}
