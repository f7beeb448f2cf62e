import { checkDepth, isObject, own, setOwn } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { copyJson } from './copy-json.ts';
import { lastStep, shown, type Pointer } from './pointer.ts';
import { unfit } from './unfit.ts';
import { withoutNulls } from './without-nulls.ts';

type Container = JsonObject | Json[];

/** A few copies of copies would fill the memory; this is as much as a request may hold. */
const MAX_COPIED = 3 * 1024 * 1024;
const INDEX = /^-?\d{1,9}$/;

/**
 * An object while patches change it. A container is copied when it is first written to, once however many patches
 * follow, so that the target stays unchanged; a failed attempt can be undone.
 */
export class Draft {
  #root: JsonObject;
  readonly #copied = new WeakSet<Container>();
  #copiedSize = 0;
  /** Functions that undo the changes of an attempt, newest last. */
  readonly #undo: (() => void)[] = [];

  constructor(target: JsonObject) {
    this.#root = target;
  }

  get root(): JsonObject {
    return this.#root;
  }

  set root(root: JsonObject) {
    const before = this.#root;
    this.#undo.push(() => (this.#root = before));
    this.#root = root;
  }

  /** Applies all of the steps or, if one throws, none of them. */
  *attempt(steps: Iterable<undefined>): Generator<undefined, void> {
    this.#undo.length = 0;
    try {
      yield* steps;
    } catch (error) {
      for (const undo of this.#undo.toReversed()) undo();
      throw error;
    }
  }

  /** A missing key reads as null: Kubernetes' library is that lenient. */
  get(pointer: Pointer): Json {
    if (pointer.text === '') return this.#root;
    const { way, key } = lastStep(pointer);
    let container: Container = this.#root;
    for (const step of way) container = childOf(container, step, pointer);
    return read(container, key, pointer) ?? null;
  }

  add(pointer: Pointer, value: Json): void {
    const { container, key } = this.#writableAt(pointer);
    if (!Array.isArray(container)) this.#set(container, key, value);
    else this.#splice(container, key === '-' ? container.length : indexIn(container, key, pointer, 1), 0, value);
  }

  replace(pointer: Pointer, value: Json): void {
    if (pointer.text === '') {
      if (!isObject(value)) throw unfit('replace operation value must be an object');
      this.root = value;
      return;
    }
    const { container, key } = this.#writableAt(pointer);
    if (Array.isArray(container)) this.#splice(container, indexIn(container, key, pointer), 1, value);
    else this.#set(container, key, value);
  }

  remove(pointer: Pointer): Json {
    const { container, key } = this.#writableAt(pointer);
    const value = read(container, key, pointer);
    if (value === undefined) throw unfit(`unable to remove nonexistent key: ${shown(pointer.text)}`);
    if (Array.isArray(container)) this.#splice(container, indexIn(container, key, pointer), 1);
    else this.#delete(container, key);
    return value;
  }

  copy(from: Pointer, to: Pointer): void {
    const { value, size } = copyJson(this.get(from), MAX_COPIED - this.#copiedSize);
    this.#copiedSize += size;
    if (this.#copiedSize > MAX_COPIED) {
      throw unfit(`Unable to complete the copy, the accumulated size increase of copy is over ${MAX_COPIED}`);
    }
    this.add(to, value);
  }

  /** RFC 7386: objects merge, null deletes, everything else replaces. */
  merge(patch: JsonObject): void {
    this.#merge(this.#writableRoot(), patch, 0);
  }

  #merge(container: JsonObject, patch: JsonObject, depth: number): void {
    checkDepth(depth);
    for (const [key, value] of Object.entries(patch)) {
      const current = own(container, key);
      if (value === null || value === undefined) this.#delete(container, key);
      else if (!isObject(current)) this.#set(container, key, withoutNulls(value, depth + 1));
      else if (isObject(value)) this.#merge(this.#writableChild(container, key, current), value, depth + 1);
      else this.#set(container, key, value);
    }
  }

  #writableAt(pointer: Pointer): { container: Container; key: string } {
    const { way, key } = lastStep(pointer);
    let container: Container = this.#writableRoot();
    for (const step of way) {
      const child = childOf(container, step, pointer);
      const at: string | number = Array.isArray(container) ? indexIn(container, step, pointer) : step;
      container = this.#writableChild(container, at, child);
    }
    return { container, key };
  }

  #writableRoot(): JsonObject {
    return (this.#root = this.#writable(this.#root));
  }

  /** Needs no undo: the copy is equal to what it replaces. */
  #writableChild<C extends Container>(container: Container, at: string | number, child: C): C {
    const copy = this.#writable(child);
    if (Array.isArray(container)) container[Number(at)] = copy;
    else setOwn(container, String(at), copy);
    return copy;
  }

  #writable<C extends Container>(container: C): C;
  #writable(container: Container): Container {
    if (this.#copied.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#copied.add(copy);
    return copy;
  }

  #set(container: JsonObject, key: string, value: Json): void {
    const before = own(container, key);
    this.#undo.push(() => {
      if (before === undefined) Reflect.deleteProperty(container, key);
      else setOwn(container, key, before);
    });
    setOwn(container, key, value);
  }

  #delete(container: JsonObject, key: string): void {
    const before = own(container, key);
    if (before !== undefined)
      this.#undo.push(() => {
        setOwn(container, key, before);
      });
    Reflect.deleteProperty(container, key);
  }

  #splice(list: Json[], index: number, count: number, ...values: Json[]): void {
    const before = list.splice(index, count, ...values);
    this.#undo.push(() => list.splice(index, values.length, ...before));
  }
}

function childOf(container: Container, step: string, pointer: Pointer): Container {
  const child = read(container, step, pointer);
  if (typeof child === 'object' && child !== null) return child;
  throw unfit(`doc is missing path: ${shown(pointer.text)}`);
}

function read(container: Container, key: string, pointer: Pointer): Json | undefined {
  return Array.isArray(container) ? container[indexIn(container, key, pointer)] : own(container, key);
}

/** Counts from the end when negative, as the real server does; `beyond` is how far past the end it may be. */
function indexIn(list: readonly Json[], key: string, pointer: Pointer, beyond = 0): number {
  const length = list.length + beyond;
  const given = INDEX.test(key) ? Number(key) : NaN;
  const index = given < 0 ? given + length : given;
  if (index >= 0 && index < length) return index;
  throw unfit(`${shown(pointer.text)}: unable to access invalid index: ${key}`);
}
