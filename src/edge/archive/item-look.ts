import { isUtf8 } from 'node:buffer';
import type { ItemNames } from './check-item.ts';
import { END, IN_ORDER, JsonScan, NODE, VALUE } from './json-scan.ts';
import { BACKSLASH, OPEN_LIST, QUOTE } from './json-signs.ts';
import { MAX_ITEM_VALUES } from './limits.ts';
import type { Span } from './spool.ts';

const NOWHERE = -1;
const EMPTY: Span = { offset: 0, length: 0 };
/** The nodes of an item and of its metadata are needed. */
const LEVELS = 2;

/** As Go writes it. In a text the quotes would be escaped. */
const APPLIED = Buffer.from('"operation":"Apply"');

/** What a look at an item's bytes has shown. */
export interface Looked extends ItemNames {
  /** Where the value of its managedFields is; empty if somebody has applied something there, or if there are none. */
  unapplied: Span;
}

/** Sees that an item is JSON, and what it says about itself, without parsing it. */
export class ItemLook {
  readonly #scan = new JsonScan();

  /** Undefined if it is no JSON, or is not written as Go does: then it has to be parsed. */
  lookAt(bytes: Buffer): Looked | undefined {
    // Shorter ones cannot have too many values.
    if (bytes.length > 2 * MAX_ITEM_VALUES || !isUtf8(bytes)) return undefined;
    const root = this.#scan.read(bytes, { levels: LEVELS, isSorted: true });
    if (root === undefined) return undefined;
    const metadata = this.#nodeAt(root, 'metadata');
    const names = {
      apiVersion: this.#textAt(root, 'apiVersion'),
      kind: this.#textAt(root, 'kind'),
      name: this.#textAt(metadata, 'name'),
      namespace: this.#textAt(metadata, 'namespace'),
      unapplied: this.#unappliedIn(metadata),
    };
    // An item of the cluster has no namespace; whatever else is missing, or is no text, parsing says what is wrong.
    const isUsual = [names.apiVersion, names.kind, names.name].every((name) => name !== undefined);
    return isUsual && (names.namespace !== undefined || this.#scan.find(metadata, 'namespace') === undefined)
      ? names
      : undefined;
  }

  #unappliedIn(metadata: number): Span {
    const { bytes, nodes } = this.#scan;
    const member = this.#scan.find(metadata, 'managedFields') ?? NOWHERE;
    const start = nodes[member + VALUE] ?? 0;
    const end = nodes[member + END] ?? 0;
    if (member === NOWHERE || bytes[start] !== OPEN_LIST) return EMPTY;
    return bytes.subarray(start, end).includes(APPLIED) ? EMPTY : { offset: start, length: end - start };
  }

  #nodeAt(node: number, key: string): number {
    const member = this.#scan.find(node, key);
    return member === undefined ? IN_ORDER : (this.#scan.nodes[member + NODE] ?? IN_ORDER);
  }

  /** A text without escapes. */
  #textAt(node: number, key: string): string | undefined {
    const { bytes, nodes } = this.#scan;
    const member = this.#scan.find(node, key);
    if (member === undefined) return undefined;
    const start = (nodes[member + VALUE] ?? 0) + 1;
    const end = (nodes[member + END] ?? 0) - 1;
    if (bytes[start - 1] !== QUOTE) return undefined;
    for (let at = start; at < end; at += 1) if (bytes[at] === BACKSLASH) return undefined;
    return bytes.toString('utf8', start, end);
  }
}
