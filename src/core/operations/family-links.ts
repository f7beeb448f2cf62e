import { labelValue } from '../../base/index.ts';
import { formatOperationId, type OperationName } from './operation-id.ts';
import type { ParentRef } from './parent-ref.ts';

export interface Member extends OperationName {
  id: string;
  uid: string | undefined;
}

interface Known {
  member: Member;
  ref: ParentRef | undefined;
  parent: string | undefined;
}

/** Who is part of whom, in whichever order they come and go. A chain that would lead back to its beginning is cut. */
export class FamilyLinks {
  readonly #known = new Map<string, Known>();
  /** Members by their uid: clusters that were copied from one another have the same. */
  readonly #byUid = new Map<string, string[]>();
  /** Members with a name that is too long for a label, by the label that stands for it. */
  readonly #byLabel = new Map<string, string>();
  /** Those that name somebody as their parent, by the name, whether that one is there or not. */
  readonly #naming = new Map<string, Set<string>>();
  readonly #children = new Map<string, Set<string>>();
  /** Those that would close a circle; there are none unless somebody makes them. */
  readonly #cut = new Set<string>();

  parentOf(id: string): string | undefined {
    return this.#known.get(id)?.parent;
  }

  /** Ids of its parts, in no particular order. */
  childrenOf(id: string): ReadonlySet<string> {
    return this.#children.get(id) ?? NOBODY;
  }

  /** Whether one is part of the other, at whatever distance. */
  isWithin(id: string, ancestor: string): boolean {
    for (let at = this.parentOf(id); at !== undefined; at = this.parentOf(at)) if (at === ancestor) return true;
    return false;
  }

  /** Puts a member in, or its new state. Returns the others whose parent is another one now. */
  put(member: Member, ref: ParentRef | undefined): string[] {
    const { id } = member;
    const before = this.#known.get(id);
    const isSame = before !== undefined && before.member.uid === member.uid && isEqual(before.ref, ref);
    if (isSame) return [];
    const left = this.delete(id);
    const known: Known = { member, ref, parent: undefined };
    this.#known.set(id, known);
    if (member.uid !== undefined) this.#byUid.set(member.uid, [...(this.#byUid.get(member.uid) ?? []), id]);
    if (member.name.length > MAX_LABEL) this.#byLabel.set(nameKey(member, member.kind, labelValue(member.name)), id);
    if (ref !== undefined) add(this.#naming, keyOf(member, ref), id);
    this.#link(known);
    return [...new Set([...left, ...this.#relinkThoseNaming(member)])];
  }

  delete(id: string): string[] {
    const known = this.#known.get(id);
    if (known === undefined) return [];
    this.#known.delete(id);
    this.#cut.delete(id);
    this.#forget(known);
    return this.#relinkThoseNaming(known.member);
  }

  #forget({ member, ref, parent }: Known): void {
    const { id, uid, name, kind } = member;
    if (name.length > MAX_LABEL) this.#byLabel.delete(nameKey(member, kind, labelValue(name)));
    if (uid !== undefined) {
      const others = (this.#byUid.get(uid) ?? []).filter((each) => each !== id);
      if (others.length === 0) this.#byUid.delete(uid);
      else this.#byUid.set(uid, others);
    }
    if (ref !== undefined) remove(this.#naming, keyOf(member, ref), id);
    if (parent !== undefined) remove(this.#children, parent, id);
  }

  /** True when its parent is another one than before. */
  #link(known: Known): boolean {
    const { id } = known.member;
    const found = this.#find(known);
    // A chain that comes back is cut where it would close.
    const isCircle = found === id || (found !== undefined && this.isWithin(found, id));
    if (isCircle) this.#cut.add(id);
    else this.#cut.delete(id);
    const parent = isCircle ? undefined : found;
    if (parent === known.parent) return false;
    if (known.parent !== undefined) remove(this.#children, known.parent, id);
    if (parent !== undefined) add(this.#children, parent, id);
    known.parent = parent;
    return true;
  }

  #find({ member, ref }: Known): string | undefined {
    if (ref === undefined) return undefined;
    if ('name' in ref) {
      const { cluster, namespace } = member;
      const named = formatOperationId({ cluster, namespace, kind: ref.kind, name: ref.name });
      // A label holds no more than 63 characters: a longer name is cut there, and ends in a hash.
      return this.#known.has(named) ? named : this.#byLabel.get(nameKey(member, ref.kind, ref.name));
    }
    const isOfKind = (id: string): boolean => this.#known.get(id)?.member.kind === ref.kind;
    const found = (this.#byUid.get(ref.uid) ?? []).filter(isOfKind);
    // A part is near its parent, if there is a choice.
    return found.find((id) => this.#known.get(id)?.member.cluster === member.cluster) ?? found[0];
  }

  #relinkThoseNaming(member: Member): string[] {
    const names = [
      ...(member.uid === undefined ? [] : [uidKey(member.uid)]),
      nameKey(member, member.kind, labelValue(member.name)),
      ...(member.name.length > MAX_LABEL ? [nameKey(member, member.kind, member.name)] : []),
    ];
    const naming = names.flatMap((name) => [...(this.#naming.get(name) ?? [])]);
    const relinked = (ids: Iterable<string>): string[] =>
      [...ids].filter((id) => {
        const known = this.#known.get(id);
        return known !== undefined && id !== member.id && this.#link(known);
      });
    // What changed may have opened a circle.
    return [...relinked(naming), ...relinked(this.#cut)];
  }
}

const MAX_LABEL = 63;
const NOBODY: ReadonlySet<string> = new Set();

function uidKey(uid: string): string {
  return `uid ${uid}`;
}

function nameKey({ cluster, namespace }: Member, kind: string, name: string): string {
  return `name ${formatOperationId({ cluster, namespace, kind, name })}`;
}

function keyOf(member: Member, ref: ParentRef): string {
  return 'uid' in ref ? uidKey(ref.uid) : nameKey(member, ref.kind, ref.name);
}

function isEqual(a: ParentRef | undefined, b: ParentRef | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function add(sets: Map<string, Set<string>>, key: string, id: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([id]));
  else set.add(id);
}

function remove(sets: Map<string, Set<string>>, key: string, id: string): void {
  const set = sets.get(key);
  set?.delete(id);
  if (set?.size === 0) sets.delete(key);
}
