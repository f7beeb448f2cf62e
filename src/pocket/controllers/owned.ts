import { apiVersionOf } from '../../api/meta/resource-type.ts';
import type { KubeObject, OwnerReference } from './kinds/index.ts';
import { keyOf } from './loop.ts';
import { controllerOf, type Place } from './owner-index.ts';
import type { Change, ControllerDeps, TypeOf } from './ports.ts';

interface Family<Child extends KubeObject> {
  owner: KubeObject;
  ownerType: TypeOf;
  type: TypeOf<Child>;
  /** The store's table of the children. */
  storage: string;
  matches(child: Child): boolean;
}

/**
 * The children of an owner: those it controls and that still match its selector. Orphans that match are adopted, and
 * what no longer matches is let go.
 */
export async function ownedObjects<Child extends KubeObject>(
  { client, owners }: Pick<ControllerDeps, 'client' | 'owners'>,
  family: Family<Child>,
): Promise<Child[]> {
  const { owner, ownerType, type, storage } = family;
  const { namespace = '', uid = '' } = owner.metadata;
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  const read = ({ name }: Place): Child[] => {
    const child = client.get(type, namespace, name);
    return child === undefined ? [] : [child];
  };
  const children = owners.dependents(uid).filter((place) => place.storage === storage);
  const controlled = children.flatMap(read).filter((child) => controllerOf(child)?.uid === uid);
  const found = controlled.filter((child) => family.matches(child));
  if (isGoing) return found;
  for (const child of controlled) if (!family.matches(child)) await client.update(type, released(child, uid));
  for (const orphan of owners.orphans(storage, namespace).flatMap(read)) {
    const isFree = orphan.metadata.deletionTimestamp === undefined && controllerOf(orphan) === undefined;
    if (!isFree || !family.matches(orphan)) continue;
    found.push(await client.update(type, adopted(orphan, controllerReference(ownerType, owner))));
  }
  return found;
}

export function controllerReference(type: TypeOf, owner: KubeObject): OwnerReference {
  const { name, uid = '' } = owner.metadata;
  return { apiVersion: apiVersionOf(type), kind: type.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

function adopted<T extends KubeObject>(child: T, reference: OwnerReference): T {
  const ownerReferences = [...(child.metadata.ownerReferences ?? []), reference];
  return { ...child, metadata: { ...child.metadata, ownerReferences } };
}

function released<T extends KubeObject>(child: T, uid: string): T {
  const ownerReferences = (child.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid);
  return { ...child, metadata: { ...child.metadata, ownerReferences } };
}

/**
 * The keys of the owners a change of a child concerns: its controller, the one it had, and for an orphan everybody
 * who might adopt it.
 */
export function ownerKeys<Child extends KubeObject, Owner extends KubeObject>(
  { client }: Pick<ControllerDeps, 'client'>,
  ownerType: TypeOf<Owner>,
  mayAdopt?: (owner: Owner, child: Child) => boolean,
): (change: Change<Child>) => Iterable<string> {
  return ({ object, previous, type }) => {
    const namespace = object.metadata.namespace ?? '';
    const keys = new Set<string>();
    for (const one of previous === undefined ? [object] : [object, previous]) {
      const reference = controllerOf(one);
      if (reference?.kind === ownerType.kind && reference.apiVersion === apiVersionOf(ownerType)) {
        keys.add(keyOf({ namespace, name: reference.name }));
      }
    }
    if (mayAdopt === undefined || type === 'DELETED' || controllerOf(object) !== undefined) return keys;
    for (const owner of client.list(ownerType, namespace)) {
      if (mayAdopt(owner, object)) keys.add(keyOf(owner.metadata));
    }
    return keys;
  };
}
