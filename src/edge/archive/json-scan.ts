import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-signs.ts';
import { beginsNumber, compareKeys, endOfKey, endOfNumber, endOfText, endOfWord, UNKNOWN } from './json-token.ts';

/** Deeper than objects are; others are left to somebody who does not use the stack. */
const MAX_DEPTH = 100;
/** Go's maps come in order, however long they are. The fields of its structs do not, and there are fewer. */
const MAX_UNSORTED = 64;
const FIRST_NUMBERS = 1024;
const USUAL_NUMBERS = 64 * 1024;

/** Instead of a node: a value whose keys are in order, which can be taken as it is. */
export const IN_ORDER = -1;
/** What a node has before its members: their number, and 1 for an object. */
export const HEAD = 2;
/** The numbers of a member: where it begins, ... */
export const MEMBER = 4;
/** ... where its value begins ... */
export const VALUE = 1;
/** ... and ends, ... */
export const END = 2;
/** ... and the value's node. */
export const NODE = 3;

/**
 * Reads an object from JSON in bytes without making it: where its values are, and in which order their keys. To parse
 * items only in order to sort their keys took half of a backup's time, and left most of its garbage. Objects and lists
 * that are not in order, or have something in them that is not, get a node with their members in order.
 */
export class JsonScan {
  bytes: Buffer = Buffer.alloc(0);
  nodes: Int32Array = new Int32Array(FIRST_NUMBERS);
  #size = 0;
  /** Members of the objects and lists that are being read. */
  #stack: Int32Array = new Int32Array(FIRST_NUMBERS);
  #top = 0;
  #depth = 0;
  #kept = 0;
  #maxUnsorted = MAX_UNSORTED;
  /** Of the value that was read last. */
  #node = IN_ORDER;

  /**
   * Its node, valid until the next call. Undefined if the bytes, which must be UTF-8, are not one object, or not as Go
   * writes one; then it has to be parsed. `levels`: how many levels of objects get nodes in any case. `isSorted`: what
   * is not in order is none of Go's, either, and nobody spends time on sorting it.
   */
  read(bytes: Buffer, { levels, isSorted }: { levels: number; isSorted: boolean }): number | undefined {
    // One large object must not hold its memory for all that follow.
    if (this.nodes.length > USUAL_NUMBERS) this.nodes = new Int32Array(FIRST_NUMBERS);
    if (this.#stack.length > USUAL_NUMBERS) this.#stack = new Int32Array(FIRST_NUMBERS);
    this.bytes = bytes;
    this.#maxUnsorted = isSorted ? 0 : MAX_UNSORTED;
    this.#size = 0;
    this.#top = 0;
    this.#depth = 0;
    this.#kept = levels;
    return bytes[0] === OPEN_OBJECT && this.#object(0) === bytes.length ? this.#node : undefined;
  }

  /** Where an object's node has its member with this key; undefined if it has none. */
  find(node: number, key: string): number | undefined {
    const { nodes } = this;
    if (node === IN_ORDER) return undefined;
    const end = node + HEAD + (nodes[node] ?? 0) * MEMBER;
    for (let at = node + HEAD; at < end; at += MEMBER) {
      const from = (nodes[at] ?? 0) + 1;
      // The value begins behind a quote and a colon.
      if (
        (nodes[at + VALUE] ?? 0) - 2 - from === key.length &&
        this.bytes.toString('latin1', from, from + key.length) === key
      ) {
        return at;
      }
    }
    return undefined;
  }

  #value(at: number): number {
    const first = this.bytes[at] ?? 0;
    if (first === OPEN_OBJECT) return this.#object(at);
    if (first === OPEN_LIST) return this.#list(at);
    this.#node = IN_ORDER;
    if (first === QUOTE) return endOfText(this.bytes, at);
    return beginsNumber(first) ? endOfNumber(this.bytes, at) : endOfWord(this.bytes, at);
  }

  #object(start: number): number {
    const { bytes } = this;
    const base = this.#top;
    const isKept = this.#depth < this.#kept;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return UNKNOWN;
    let isSorted = true;
    let hasNodes = false;
    let before = UNKNOWN;
    let at = start + 1;
    if (bytes[at] === CLOSE_OBJECT) at += 1;
    else {
      for (let isMore = true; isMore; at += 1) {
        const end = this.#member(at);
        if (end === UNKNOWN) return UNKNOWN;
        if (this.#node !== IN_ORDER) hasNodes = true;
        if (before !== UNKNOWN && compareKeys(bytes, before, bytes, at) >= 0) isSorted = false;
        before = at;
        at = end;
        isMore = bytes[at] === COMMA;
      }
      if (bytes[at - 1] !== CLOSE_OBJECT) return UNKNOWN;
    }
    this.#depth -= 1;
    if (!isSorted && !this.#sort(base)) return UNKNOWN;
    this.#settle(base, isKept || hasNodes || !isSorted, 1);
    return at;
  }

  /** A key and its value. */
  #member(at: number): number {
    const { bytes } = this;
    const keyEnd = bytes[at] === QUOTE ? endOfKey(bytes, at) : UNKNOWN;
    if (keyEnd === UNKNOWN || bytes[keyEnd] !== COLON) return UNKNOWN;
    const end = this.#value(keyEnd + 1);
    if (end !== UNKNOWN) this.#push(at, keyEnd + 1, end);
    return end;
  }

  #list(start: number): number {
    const { bytes } = this;
    const base = this.#top;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) return UNKNOWN;
    let hasNodes = false;
    let at = start + 1;
    if (bytes[at] === CLOSE_LIST) at += 1;
    else {
      for (let isMore = true; isMore; at += 1) {
        const end = this.#value(at);
        if (end === UNKNOWN) return UNKNOWN;
        if (this.#node !== IN_ORDER) hasNodes = true;
        this.#push(at, at, end);
        at = end;
        isMore = bytes[at] === COMMA;
      }
      if (bytes[at - 1] !== CLOSE_LIST) return UNKNOWN;
    }
    this.#depth -= 1;
    this.#settle(base, hasNodes, 0);
    return at;
  }

  #push(from: number, start: number, end: number): void {
    if (this.#top + MEMBER > this.#stack.length) this.#stack = grown(this.#stack);
    const top = this.#top;
    this.#stack[top] = from;
    this.#stack[top + VALUE] = start;
    this.#stack[top + END] = end;
    this.#stack[top + NODE] = this.#node;
    this.#top = top + MEMBER;
  }

  /** Takes the members since `base` from the stack, into a node if there is to be one. */
  #settle(base: number, isNode: boolean, isObject: 0 | 1): void {
    const length = this.#top - base;
    this.#top = base;
    this.#node = IN_ORDER;
    if (!isNode) return;
    const node = this.#size;
    this.#size += HEAD + length;
    while (this.#size > this.nodes.length) this.nodes = grown(this.nodes);
    this.nodes[node] = length / MEMBER;
    this.nodes[node + 1] = isObject;
    for (let at = 0; at < length; at += 1) this.nodes[node + HEAD + at] = this.#stack[base + at] ?? 0;
    this.#node = node;
  }

  /** By insertion. False if there are too many, or if a key is there twice. */
  #sort(base: number): boolean {
    const stack = this.#stack;
    if (this.#top - base > this.#maxUnsorted * MEMBER) return false;
    for (let next = base + MEMBER; next < this.#top; next += MEMBER) {
      const from = stack[next] ?? 0;
      let at = next;
      for (; at > base; at -= MEMBER) {
        const order = compareKeys(this.bytes, stack[at - MEMBER] ?? 0, this.bytes, from);
        if (order === 0) return false;
        if (order < 0) break;
      }
      moveTo(stack, at, next);
    }
    return true;
  }
}

/** Takes the member at `from` to `to`, before those that stand between. */
function moveTo(stack: Int32Array, to: number, from: number): void {
  if (to === from) return;
  // Not as a slice, which would be garbage for each member that moves.
  const begin = stack[from] ?? 0;
  const value = stack[from + VALUE] ?? 0;
  const end = stack[from + END] ?? 0;
  const node = stack[from + NODE] ?? 0;
  stack.copyWithin(to + MEMBER, to, from);
  stack[to] = begin;
  stack[to + VALUE] = value;
  stack[to + END] = end;
  stack[to + NODE] = node;
}

function grown(memory: Int32Array): Int32Array {
  const larger = new Int32Array(2 * memory.length);
  larger.set(memory);
  return larger;
}
