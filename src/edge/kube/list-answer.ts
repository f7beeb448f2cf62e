import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/index.ts';
import { answerObject, badAnswer } from './answer-object.ts';
import { spansOf } from './list-spans.ts';
import { named, PageItems } from './page-items.ts';
import type { KubeObject, ListedObject, Page, Target } from './port.ts';
import type { Attempted } from './transport/attempted.ts';
import type { KubeBytes } from './transport/transport.ts';

export interface ListAnswer {
  /** Everything except the items. */
  head: JsonObject;
  items: Page['items'];
  listed?: Iterable<ListedObject>;
  /** Of the answer as it came. */
  length: number;
  /** Memory it holds. */
  bytes: number;
  release: () => void;
}

/** Takes ownership of the answer's memory. */
export function readListAnswer({ body, ...rest }: KubeBytes, attempted: Attempted, target: Target): ListAnswer {
  using stack = new DisposableStack();
  stack.use(body);
  const { bytes } = body;
  const spans = spansOf(bytes);
  const text = (start: number, end?: number): string => bytes.toString('utf8', start, end);
  const around = spans === undefined ? text(0) : `${text(0, spans.start)}[]${text(spans.end)}`;
  const head = answerObject(attempted, { ...rest, text: around });
  if (!Array.isArray(head['items']) && head['items'] !== null) {
    throw badAnswer(attempted, `expected a list, got kind ${textAt(head, 'kind') ?? 'unknown'} without items`);
  }
  const others = objectsAt(head, 'items');
  if (spans === undefined || others.length > 0) {
    // The list is written in an unusual way, or there is a second one, of which JSON takes the last.
    const items = others.map((item) => named(item, target) as KubeObject);
    return { head, items, length: bytes.length, bytes: bytes.length, release: () => undefined };
  }
  stack.move();
  const items = new PageItems({ bytes, spans, target, attempted });
  return {
    head,
    items,
    listed: items.listed,
    length: bytes.length,
    bytes: body.held,
    release: () => {
      items.release();
      body[Symbol.dispose]();
    },
  };
}

/** Reads all items, so that no memory of the answer is kept. */
export function wholePage(answer: ListAnswer, restarted: boolean): Page {
  try {
    const { length: _length, bytes: _bytes, release: _release, listed: _listed, ...page } = toPage(answer, restarted);
    return { ...page, items: [...page.items] };
  } finally {
    answer.release();
  }
}

export function toPage({ head, items, listed, length, bytes, release }: ListAnswer, restarted: boolean): Page {
  const metadata = objectAt(head, 'metadata');
  // On the last page the server omits the count, because nothing follows.
  const more = textAt(metadata, 'continue');
  const remaining = more === undefined ? 0 : metadata['remainingItemCount'];
  return {
    items,
    ...(listed === undefined ? {} : { listed }),
    resourceVersion: textAt(metadata, 'resourceVersion') ?? '',
    ...(typeof remaining === 'number' ? { remaining } : {}),
    ...(more === undefined ? {} : { more }),
    restarted,
    length,
    bytes,
    release,
  };
}
