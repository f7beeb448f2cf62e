import type { KubeObject, OwnerReference } from '../kinds/index.ts';
import { isGoing } from '../pod-state.ts';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** An owner as its reference finds it; `unknown` when its kind is not served, and nobody can tell. */
export type Owner = KubeObject | 'absent' | 'unknown';

export interface GarbageView {
  owner(reference: OwnerReference): Owner;
  dependents(uid: string): KubeObject[];
}

export type Verdict =
  | { kind: 'keep' }
  /** Its owners' kinds are not served: look again when kinds change. */
  | { kind: 'wait' }
  | { kind: 'setOwners'; ownerReferences: OwnerReference[] }
  | { kind: 'delete'; propagation: 'Background' | 'Foreground' | 'Orphan' }
  /** Nothing keeps it any more. */
  | { kind: 'release'; finalizer: string }
  /** Its dependents lose their reference to it before it goes. */
  | { kind: 'orphan'; dependents: KubeObject[] };

/** What the garbage collector does with one object, whatever has happened to it or its owners. */
export function judge(item: KubeObject, view: GarbageView): Verdict {
  const { uid = '', finalizers = [], ownerReferences = [] } = item.metadata;
  if (isGoing(item)) {
    if (finalizers.includes(ORPHAN)) return { kind: 'orphan', dependents: view.dependents(uid) };
    if (!finalizers.includes(FOREGROUND)) return { kind: 'keep' };
    const isBlocked = view.dependents(uid).some((dependent) => blocks(dependent, uid));
    return isBlocked ? { kind: 'keep' } : { kind: 'release', finalizer: FOREGROUND };
  }
  if (ownerReferences.length === 0) return { kind: 'keep' };
  return judgeByOwners(item, view);
}

function judgeByOwners(item: KubeObject, view: GarbageView): Verdict {
  const { uid = '', ownerReferences = [], finalizers = [] } = item.metadata;
  const owners = ownerReferences.map((reference) => ({ reference, owner: view.owner(reference) }));
  if (owners.some(({ owner }) => owner === 'unknown')) return { kind: 'wait' };
  const isWaiting = (owner: Owner): boolean => typeof owner === 'object' && waitsForDependents(owner);
  const solid = owners.filter(({ owner }) => owner !== 'absent' && !isWaiting(owner));
  if (solid.length === owners.length) return { kind: 'keep' };
  if (solid.length > 0) return { kind: 'setOwners', ownerReferences: solid.map(({ reference }) => reference) };
  if (owners.some(({ owner }) => isWaiting(owner))) {
    const dependents = view.dependents(uid);
    // In a circle everybody would wait for everybody.
    const isCircle =
      dependents.some(waitsForDependents) && ownerReferences.some((one) => one.blockOwnerDeletion === true);
    if (isCircle) {
      const unblocked = ownerReferences.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
      return { kind: 'setOwners', ownerReferences: unblocked };
    }
    if (dependents.length > 0) return { kind: 'delete', propagation: 'Foreground' };
  }
  if (finalizers.includes(ORPHAN)) return { kind: 'delete', propagation: 'Orphan' };
  return { kind: 'delete', propagation: finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background' };
}

function blocks(dependent: KubeObject, uid: string): boolean {
  return (dependent.metadata.ownerReferences ?? []).some(
    (reference) => reference.uid === uid && reference.blockOwnerDeletion === true,
  );
}

export function waitsForDependents(object: KubeObject): boolean {
  return isGoing(object) && object.metadata.finalizers?.includes(FOREGROUND) === true;
}
