import { setImmediate } from 'node:timers/promises';
import { AppError, isObject, JsonReader, messageOf, parseJson, type Json, type JsonObject } from '../../base/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import { MAX_ITEM_VALUES, MAX_KIND_LENGTH } from './limits.ts';
import type { Span } from './spool.ts';

/** JSON.parse handles this many bytes in a few milliseconds, whatever they contain. */
const SMALL = 32 * 1024;
const MAX_SHOWN = 100;
const TOKENS_IN_A_TURN = 5000;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the object in an item's bytes. Throws, naming the entry, if it is not JSON or not the object that its path
 * names.
 */
export async function parseItem(bytes: Uint8Array, key: ItemKey, path: string): Promise<JsonObject> {
  const object = await parseObject(bytes, path);
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  checkNames({ apiVersion, kind, name, namespace }, key, path);
  return object;
}

/** What an item says about itself. */
export interface ItemNames {
  apiVersion: Json | undefined;
  kind: Json | undefined;
  name: Json | undefined;
  namespace: Json | undefined;
}

/** Throws, naming the entry, if it is not the object that its path names. */
export function checkNames({ apiVersion, kind, name, namespace }: ItemNames, key: ItemKey, path: string): void {
  if (!isWord(apiVersion) || !isWord(kind)) {
    throw wrong(path, 'expected an object with apiVersion and kind');
  }
  const { groupResource } = key;
  const dot = groupResource.indexOf('.');
  const group = dot < 0 ? '' : groupResource.slice(dot + 1);
  const ownGroup = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  if (ownGroup !== group) {
    const resource = dot < 0 ? groupResource : groupResource.slice(0, dot);
    throw wrong(path, `expected ${resource} of group "${group}", got ${kind} of "${ownGroup}"`);
  }
  if (name !== key.name) throw wrong(path, `expected the name "${key.name}", got ${shown(name)}`);
  if ((namespace ?? '') !== (key.namespace ?? '')) {
    throw wrong(path, `expected the namespace ${JSON.stringify(key.namespace)}, got ${shown(namespace)}`);
  }
}

function isWord(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_KIND_LENGTH;
}

/** Up to a thousand problems are kept, each with such a value in its message. */
function shown(value: Json | undefined): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : `a value of type ${typeof value}`;
}

async function parseObject(bytes: Uint8Array, path: string): Promise<JsonObject> {
  try {
    const text = UTF8.decode(bytes);
    const value = text.length <= SMALL ? parseJson(text) : await parseLarge(text);
    if (isObject(value)) return value;
  } catch (error) {
    // Without the cause, which would keep the whole text in memory.
    throw wrong(path, `not JSON: ${messageOf(error)}`);
  }
  throw wrong(path, 'expected a JSON object');
}

/** Of an item that was looked at: it is UTF-8 and JSON, has the right names, and none of its numbers is a large one. */
export async function parseLean(bytes: Buffer, cut: Span, path: string): Promise<JsonObject> {
  const text =
    cut.length === 0
      ? bytes.toString('utf8')
      : `${bytes.toString('utf8', 0, cut.offset)}[]${bytes.toString('utf8', cut.offset + cut.length)}`;
  const value = text.length <= SMALL ? (JSON.parse(text) as Json) : await parseLarge(text);
  if (isObject(value)) return value;
  throw wrong(path, 'expected a JSON object');
}

async function parseLarge(text: string): Promise<Json> {
  const reader = new JsonReader({ maxValues: MAX_ITEM_VALUES, maxTextLength: text.length });
  reader.push(text);
  while (reader.read(TOKENS_IN_A_TURN)) await setImmediate();
  return reader.end();
}

/** Checks that all objects of one resource have the same kind. */
export class KindCheck {
  readonly #kinds = new Map<string, string>();
  readonly #known: (groupResource: string) => string | undefined;

  /** `known` is what the caller knows about the cluster; for unknown resources, the first object decides. */
  constructor(known: (groupResource: string) => string | undefined) {
    this.#known = known;
  }

  get types(): number {
    return this.#kinds.size;
  }

  check({ kind }: { kind?: Json | undefined }, key: ItemKey, path: string): void {
    if (typeof kind !== 'string') throw wrong(path, 'expected an object with a kind');
    const expected = this.#kinds.get(key.groupResource) ?? this.#known(key.groupResource) ?? kind;
    this.#kinds.set(key.groupResource, expected);
    if (kind !== expected) throw wrong(path, `expected the kind ${expected} of ${key.groupResource}, got ${kind}`);
  }
}

function wrong(path: string, why: string): AppError {
  return new AppError('invalid', `read archive: entry ${JSON.stringify(path)}: ${why}`);
}
