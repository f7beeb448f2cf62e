import { AppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { apiVersionOf } from '../../api/meta/resource-type.ts';
import { brokenJson } from './answer-object.ts';
import type { ListSpans } from './list-spans.ts';
import type { KubeObject, Target } from './port.ts';
import type { Attempted } from './transport/errors.ts';

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
    this.length = source.spans.items.length / 2;
  }

  /** Not a generator: a generator that threw has ended, but the items after a broken one can still be read. */
  [Symbol.iterator](): Iterator<KubeObject, undefined> {
    let at = 0;
    const next = (): IteratorResult<KubeObject, undefined> => {
      if (at === this.length) return { done: true, value: undefined };
      at += 1;
      return { done: false, value: this.#read(at - 1) };
    };
    return { next };
  }

  /** After this, the items cannot be read. */
  release(): void {
    this.#source = undefined;
  }

  #read(at: number): KubeObject {
    if (this.#source === undefined) throw new AppError('bug', 'an item of a page is read after the page was released');
    const { bytes, spans, target, attempted } = this.#source;
    const start = spans.items[2 * at] ?? 0;
    const text = bytes.toString('utf8', start, spans.items[2 * at + 1]);
    let item: unknown;
    try {
      item = spans.numbers.has(start) ? parseJson(text) : JSON.parse(text);
    } catch {
      throw brokenJson(attempted, text);
    }
    if (!isObject(item)) throw brokenJson(attempted, text);
    return named(item, target) as KubeObject;
  }
}

/** Inside a list, items of built-in kinds have neither kind nor apiVersion; elsewhere they do. */
export function named(item: JsonObject, { type }: Target): JsonObject {
  return 'kind' in item && 'apiVersion' in item ? item : { apiVersion: apiVersionOf(type), kind: type.kind, ...item };
}
