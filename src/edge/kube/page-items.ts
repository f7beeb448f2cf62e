import { AppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { apiVersionOf } from '../../api/meta/resource-type.ts';
import { badAnswer, brokenJson } from './answer-object.ts';
import { ITEM, NOWHERE, type ListSpans } from './list-spans.ts';
import type { KubeMeta, KubeObject, ListedObject, Page, Target } from './port.ts';
import type { Attempted } from './transport/attempted.ts';

interface Source {
  bytes: Buffer;
  spans: ListSpans;
  target: Target;
  attempted: Attempted;
}

/** The items of one page, each parsed when it is reached. */
export class PageItems implements Iterable<KubeObject> {
  readonly length: number;
  #source: Source | undefined;

  constructor(source: Source) {
    this.#source = source;
    this.length = source.spans.items.length / ITEM;
  }

  [Symbol.iterator](): Iterator<KubeObject, undefined> {
    return this.#each((at) => this.#parse(at));
  }

  /** The same items, parsed only as far as somebody asks for it. */
  get listed(): Iterable<ListedObject> {
    return { [Symbol.iterator]: () => this.#each((at) => this.#look(at)) };
  }

  /** After this, the items cannot be read. */
  release(): void {
    this.#source = undefined;
  }

  /** Not a generator: a generator that threw has ended, but the items after a broken one can still be read. */
  #each<T>(read: (at: number) => T): Iterator<T, undefined> {
    let at = 0;
    const next = (): IteratorResult<T, undefined> => {
      if (at === this.length) return { done: true, value: undefined };
      at += 1;
      return { done: false, value: read(at - 1) };
    };
    return { next };
  }

  #parse(at: number): KubeObject {
    const { bytes, spans, target } = this.#held();
    const start = spans.items[ITEM * at] ?? 0;
    const text = bytes.toString('utf8', start, spans.items[ITEM * at + 1]);
    return named(this.#read(text, spans.numbers.has(start)), target) as KubeObject;
  }

  #look(at: number): ListedObject {
    const { spans } = this.#held();
    const item = ITEM * at;
    const start = spans.items[item] ?? 0;
    const end = spans.items[item + 1] ?? 0;
    if ((spans.items[item + 3] ?? NOWHERE) === NOWHERE) return this.#whole(at);
    const metadata = this.#named(this.#metadata(item + 2));
    return {
      metadata,
      json: () => this.#source?.bytes.subarray(start, end),
      parse: () => this.#parseSame(at, metadata),
    };
  }

  /** By a key that is there twice, or written in an odd way, it could become another object than it was taken for. */
  #parseSame(at: number, { name, namespace }: KubeMeta): KubeObject {
    const object = this.#parse(at);
    const found = isObject(object.metadata) ? object.metadata : undefined;
    if (found?.name === name && found.namespace === namespace) return object;
    throw badAnswer(this.#held().attempted, `expected one name in the object ${name}, it has several`);
  }

  #whole(at: number): ListedObject {
    const object = this.#parse(at);
    this.#named(object.metadata);
    return parsedObject(object);
  }

  #named(metadata: unknown): KubeMeta {
    const { name, namespace = '' }: JsonObject = isObject(metadata) ? metadata : {};
    if (typeof name === 'string' && typeof namespace === 'string') return metadata as KubeMeta;
    throw badAnswer(this.#held().attempted, 'expected objects with names, got one without');
  }

  /** With nothing in its long parts, in whichever order they stand. */
  #metadata(at: number): JsonObject {
    const { bytes, spans } = this.#held();
    const [from = 0, to = 0, annotations = NOWHERE, afterAnnotations = 0, managed = NOWHERE, afterManaged = 0] =
      spans.items.slice(at, at + ITEM - 2);
    const cuts = [
      { from: annotations, to: afterAnnotations, text: '{}' },
      { from: managed, to: afterManaged, text: '[]' },
    ].filter((cut) => cut.from !== NOWHERE);
    if (managed < annotations) cuts.reverse();
    let text = '';
    let next = from;
    for (const cut of cuts) {
      text += bytes.toString('utf8', next, cut.from) + cut.text;
      next = cut.to;
    }
    return this.#read(text + bytes.toString('utf8', next, to), false);
  }

  #read(text: string, isOdd: boolean): JsonObject {
    const { attempted } = this.#held();
    let object: unknown;
    try {
      object = isOdd ? parseJson(text) : JSON.parse(text);
    } catch {
      throw brokenJson(attempted, text);
    }
    if (!isObject(object)) throw brokenJson(attempted, text);
    return object;
  }

  #held(): Source {
    if (this.#source === undefined) throw new AppError('bug', 'an item of a page is read after the page was released');
    return this.#source;
  }
}

/** What a page has, also if its items are parsed anyway: it is a short one, or written in an unusual way. */
export function listedOn({ listed, items }: Page): Iterable<ListedObject> {
  if (listed !== undefined) return listed;
  const parsed = (): Iterator<ListedObject, undefined> => {
    const each = items[Symbol.iterator]();
    const next = (): IteratorResult<ListedObject, undefined> => {
      const given = each.next();
      return given.done === true ? { done: true, value: undefined } : { done: false, value: parsedObject(given.value) };
    };
    return { next };
  };
  return { [Symbol.iterator]: parsed };
}

export function parsedObject(object: KubeObject): ListedObject {
  return { metadata: object.metadata, json: () => undefined, parse: () => object };
}

/** Inside a list, items of built-in kinds have neither kind nor apiVersion; elsewhere they do. */
export function named(item: JsonObject, { type }: Target): JsonObject {
  return 'kind' in item && 'apiVersion' in item ? item : { apiVersion: apiVersionOf(type), kind: type.kind, ...item };
}
