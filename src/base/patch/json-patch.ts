import { AppError, isAppError } from '../errors.ts';
import { isEqual, isObject, own, setOwn } from '../json-object.ts';
import { stringifyJson, type Json, type JsonObject } from '../lossless-json.ts';

const MAX_OPERATIONS = 10_000;
/** A few copies of copies would fill the memory; this is as much as a request may hold. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;
const INDEX = /^-?\d{1,9}$/;

type Container = JsonObject | Json[];

export interface JsonPatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  path: string;
  from?: string;
  value?: Json;
}

/** As it is read, before its kind is known. */
interface Operation {
  op: string;
  path: string;
  from: string | undefined;
  value: Json | undefined;
}

/** 422: the patch is well formed but does not fit the object. */
function unfit(message: string, details?: { failedTest: true }): AppError {
  return new AppError('invalid', message, details === undefined ? {} : { details });
}

function readOperation(item: unknown, index: number): Operation {
  const malformed = (what: string): AppError =>
    new AppError('usage', `error decoding patch: operation ${index}: ${what}`);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw malformed('expected an object');
  const { op, path, from, value } = item as Record<string, unknown>;
  if (typeof op !== 'string') throw malformed('expected a string in op');
  if (typeof path !== 'string') throw malformed('expected a string in path');
  if (from !== undefined && typeof from !== 'string') throw malformed('expected a string in from');
  return { op, path, from, value: value as Json | undefined };
}

/** The object while it is patched: a container is copied when it is first written to, so that the target stays as it was. */
class Document {
  root: JsonObject;
  readonly #copied = new WeakSet<Container>();
  #copiedBytes = 0;

  constructor(root: JsonObject) {
    this.root = root;
  }

  get(path: string): Json {
    const { container, key } = this.#find(path, false);
    return read(container, key, path) ?? null;
  }

  add(path: string, value: Json): void {
    const { container, key } = this.#find(path, true);
    if (!Array.isArray(container)) setOwn(container, key, value);
    else if (key === '-') container.push(value);
    else container.splice(arrayIndex(key, container.length + 1, path), 0, value);
  }

  replace(path: string, value: Json): void {
    if (path === '') {
      if (!isObject(value)) throw unfit('replace operation value must be an object');
      this.root = value;
      return;
    }
    const { container, key } = this.#find(path, true);
    if (Array.isArray(container)) container[arrayIndex(key, container.length, path)] = value;
    else setOwn(container, key, value);
  }

  remove(path: string): Json {
    const { container, key } = this.#find(path, true);
    const value = read(container, key, path);
    if (value === undefined) throw unfit(`unable to remove nonexistent key: ${JSON.stringify(path)}`);
    if (Array.isArray(container)) container.splice(arrayIndex(key, container.length, path), 1);
    else Reflect.deleteProperty(container, key);
    return value;
  }

  copy(from: string, path: string): void {
    const value = this.get(from);
    this.#copiedBytes += stringifyJson(value).length;
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      throw unfit(`Unable to complete the copy, the accumulated size increase of copy is over ${MAX_COPIED_BYTES}`);
    }
    // The copy shares its parts with the original; forgetting that they are ours makes the next write copy them.
    this.#share(value);
    this.add(path, value);
  }

  #share(value: Json): void {
    if (typeof value !== 'object' || value === null) return;
    this.#copied.delete(value);
    for (const item of Object.values(value)) this.#share(item ?? null);
  }

  #find(path: string, forWriting: boolean): { container: Container; key: string } {
    const [first, ...steps] = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = steps.pop();
    if (first !== '' || key === undefined) throw unfit(`doc is missing path: ${JSON.stringify(path)}`);
    if (forWriting) this.root = this.#writable(this.root);
    let container: Container = this.root;
    for (const step of steps) {
      const next = read(container, step, path);
      if (typeof next !== 'object' || next === null) throw unfit(`doc is missing path: ${JSON.stringify(path)}`);
      const child = forWriting ? this.#writable(next) : next;
      if (child !== next) {
        if (Array.isArray(container)) container[arrayIndex(step, container.length, path)] = child;
        else setOwn(container, step, child);
      }
      container = child;
    }
    return { container, key };
  }

  #writable(container: JsonObject): JsonObject;
  #writable(container: Container): Container;
  #writable(container: Container): Container {
    if (this.#copied.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#copied.add(copy);
    return copy;
  }
}

/** Counts from the end when negative, as the real server does. */
function arrayIndex(key: string, length: number, path: string): number {
  const given = INDEX.test(key) ? Number(key) : NaN;
  const index = given < 0 ? given + length : given;
  if (!(index >= 0 && index < length)) throw unfit(`${JSON.stringify(path)}: unable to access invalid index: ${key}`);
  return index;
}

/** A key that is not there reads as null, and may be replaced: the real server's library is that lenient. */
function read(container: Container, key: string, path: string): Json | undefined {
  return Array.isArray(container) ? container[arrayIndex(key, container.length, path)] : own(container, key);
}

function fromOf({ op, from }: Operation): string {
  if (from === undefined) throw unfit(`${op} operation failed to decode from: missing value`);
  return from;
}

function holds(document: Document, path: string, value: Json): boolean {
  try {
    return isEqual(path === '' ? document.root : document.get(path), value);
  } catch (error) {
    // There is no such place, so the value is not there.
    if (isAppError(error, 'invalid')) return false;
    throw error;
  }
}

function apply(document: Document, operation: Operation): void {
  const { op, path, value = null } = operation;
  switch (op) {
    case 'add':
      document.add(path, value);
      break;
    case 'remove':
      document.remove(path);
      break;
    case 'replace':
      document.replace(path, value);
      break;
    case 'move':
      document.add(path, document.remove(fromOf(operation)));
      break;
    case 'copy':
      document.copy(fromOf(operation), path);
      break;
    case 'test':
      if (!holds(document, path, value)) throw unfit(`testing value ${path} failed`, { failedTest: true });
      break;
    default:
      throw unfit(`Unexpected kind: ${op}`);
  }
}

/**
 * RFC 6902. `operations` is the parsed body, of any shape. Throws `usage` (400) for a malformed patch, `tooLarge` (413)
 * for too many operations and `invalid` (422) for a patch that does not fit the object; with `failedTest` in its
 * details if that is a test of the patch's own.
 */
export function applyJsonPatch(target: JsonObject, operations: unknown): JsonObject {
  if (!Array.isArray(operations)) throw new AppError('usage', 'error decoding patch: expected a list of operations');
  if (operations.length > MAX_OPERATIONS) {
    throw new AppError(
      'tooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    );
  }
  const document = new Document(target);
  for (const [index, item] of operations.entries()) apply(document, readOperation(item, index));
  return document.root;
}
