import { AppError, isObject, messageOf, parseJson, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The object in an item's bytes. Throws, naming the entry, when it is not JSON or not the object its path promises. */
export function parseItem(bytes: Uint8Array, key: ItemKey, path: string): JsonObject {
  const object = parseObject(bytes, path);
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') {
    throw wrong(path, 'expected an object with apiVersion and kind');
  }
  const [resource = '', ...group] = key.groupResource.split('.');
  const ownGroup = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  if (ownGroup !== group.join('.')) {
    throw wrong(path, `expected ${resource} of group "${group.join('.')}", got ${kind} of "${ownGroup}"`);
  }
  const { name, namespace } = isObject(metadata) ? metadata : {};
  if (name !== key.name) throw wrong(path, `expected the name "${key.name}", got ${JSON.stringify(name)}`);
  if ((namespace ?? '') !== (key.namespace ?? '')) {
    throw wrong(path, `expected the namespace ${JSON.stringify(key.namespace)}, got ${JSON.stringify(namespace)}`);
  }
  return object;
}

function parseObject(bytes: Uint8Array, path: string): JsonObject {
  try {
    const value = parseJson(UTF8.decode(bytes));
    if (isObject(value)) return value;
  } catch (error) {
    throw wrong(path, `not JSON: ${messageOf(error)}`, error);
  }
  throw wrong(path, 'expected a JSON object');
}

/** All objects of one resource are of one kind. */
export class KindCheck {
  readonly #kinds = new Map<string, string>();
  readonly #known: (groupResource: string) => string | undefined;

  /** `known` is what the caller knows of the cluster; where it knows nothing, the first object decides. */
  constructor(known: (groupResource: string) => string | undefined) {
    this.#known = known;
  }

  check({ kind }: JsonObject, key: ItemKey, path: string): void {
    if (typeof kind !== 'string') throw wrong(path, 'expected an object with a kind');
    const expected = this.#kinds.get(key.groupResource) ?? this.#known(key.groupResource) ?? kind;
    this.#kinds.set(key.groupResource, expected);
    if (kind !== expected) throw wrong(path, `expected the kind ${expected} of ${key.groupResource}, got ${kind}`);
  }
}

function wrong(path: string, why: string, cause?: unknown): AppError {
  return new AppError('invalid', `read archive: entry ${JSON.stringify(path)}: ${why}`, { cause });
}
