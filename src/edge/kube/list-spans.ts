/**
 * Where the items of a list begin and end in its JSON. Finding that takes a third of the time of parsing them, and then
 * each item can be parsed when it is needed: the parsed objects of a whole page would outlive the young generation and
 * make the garbage collector traverse everything.
 */
export interface ListSpans {
  /** The span of the list itself, brackets included. */
  start: number;
  end: number;
  /** Of each item that is an object: its span, and those of its metadata and of the long parts of that; NOWHERE if it has none. */
  items: number[];
  /** Starts of the items that contain a number JSON.parse might not preserve. */
  numbers: Set<number>;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;
const NUMBER_PARTS = new Set(Buffer.from('+-.eE0123456789'));
/** Every integer up to 2^53 is shorter. */
const LONG_NUMBER = 16;
/** Calling indexOf costs as much as scanning this many bytes. */
const SHORT_TEXT = 24;
const KEY = Buffer.from('items');
const METADATA = Buffer.from('metadata');
const ANNOTATIONS = Buffer.from('annotations');
const MANAGED = Buffer.from('managedFields');
/** Items of the list are two levels down: `{"items":[{`. */
const IN_ITEM = 3;
const IN_METADATA = IN_ITEM + 1;
/** Instead of a place. */
export const NOWHERE = -1;
/** Numbers of `items` for one item: four spans. */
export const ITEM = 8;

/** Undefined if the bytes are not a complete object with such a list; JSON.parse can then say what is wrong. */
export function spansOf(bytes: Buffer): ListSpans | undefined {
  const scan = new Scan(bytes);
  let at = 0;
  while (at >= 0 && at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = scan.text(at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) at = scan.open(at, byte);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) at = scan.close(at);
    else if (byte >= ZERO && byte <= NINE) at = scan.number(at);
    else at += 1;
  }
  return at >= 0 && scan.depth === 0 && scan.spans.end >= 0 ? scan.spans : undefined;
}

/** Each method takes the position where something begins, and returns the position where the next thing may begin. */
class Scan {
  readonly spans: ListSpans = { start: -1, end: -1, items: [], numbers: new Set() };
  depth = 0;
  readonly #bytes: Buffer;
  /** Start of the current item; NOWHERE between items. */
  #itemStart = NOWHERE;
  readonly #metadata = new Part(METADATA, OPEN_OBJECT);
  readonly #annotations = new Part(ANNOTATIONS, OPEN_OBJECT);
  readonly #managed = new Part(MANAGED, OPEN_LIST);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** -1 if it has no end. */
  text(at: number): number {
    const end = endOfText(this.#bytes, at + 1);
    if (end < 0) return -1;
    if (this.depth === IN_METADATA) this.#lookInMetadata(at + 1, end);
    else if (this.depth === IN_ITEM) {
      // If it is there twice, the last one counts, as for JSON.parse.
      if (this.#metadata.look(this.#bytes, at + 1, end)) this.#forgetParts();
    } else if (this.depth === 1 && this.spans.start < 0) {
      this.spans.start = valueAfterKey(this.#bytes, { key: KEY, first: OPEN_LIST }, at + 1, end);
    }
    return end + 1;
  }

  #lookInMetadata(start: number, end: number): void {
    if (!this.#metadata.isOpen || this.#annotations.look(this.#bytes, start, end)) return;
    this.#managed.look(this.#bytes, start, end);
  }

  #forgetParts(): void {
    this.#annotations.forget();
    this.#managed.forget();
  }

  open(at: number, byte: number): number {
    this.depth += 1;
    if (this.depth === IN_ITEM && byte === OPEN_OBJECT && this.#isInList()) {
      this.#itemStart = at;
      this.#metadata.forget();
      this.#forgetParts();
    }
    return at + 1;
  }

  close(at: number): number {
    this.depth -= 1;
    if (this.depth === IN_METADATA) {
      this.#annotations.close(at + 1);
      this.#managed.close(at + 1);
    } else if (this.depth === IN_ITEM) this.#metadata.close(at + 1);
    else if (this.depth === IN_ITEM - 1 && this.#itemStart >= 0) {
      const [metadata, annotations, managed] = [this.#metadata, this.#annotations, this.#managed];
      this.spans.items.push(this.#itemStart, at + 1, metadata.start, metadata.end);
      this.spans.items.push(annotations.start, annotations.end, managed.start, managed.end);
      this.#itemStart = NOWHERE;
    } else if (this.depth === 1 && this.#isInList()) this.spans.end = at + 1;
    return at + 1;
  }

  number(at: number): number {
    const end = endOfNumber(this.#bytes, at);
    if (this.#itemStart >= 0 && isOddNumber(this.#bytes, at, end)) this.spans.numbers.add(this.#itemStart);
    return end;
  }

  #isInList(): boolean {
    return this.spans.start >= 0 && this.spans.end < 0;
  }
}

/** A member that is looked for, and its value's span once it was found. */
class Part {
  start = NOWHERE;
  end = NOWHERE;
  readonly #wanted: { key: Buffer; first: number };

  constructor(key: Buffer, first: number) {
    this.#wanted = { key, first };
  }

  /** It has begun and not ended. */
  get isOpen(): boolean {
    return this.start !== NOWHERE && this.end === NOWHERE;
  }

  /** True if this text is its key. */
  look(bytes: Buffer, start: number, end: number): boolean {
    const value = valueAfterKey(bytes, this.#wanted, start, end);
    if (value === NOWHERE) return false;
    this.start = value;
    this.end = NOWHERE;
    return true;
  }

  /** Something on its level has ended: it, if it was open. */
  close(end: number): void {
    if (this.isOpen) this.end = end;
  }

  forget(): void {
    this.start = NOWHERE;
    this.end = NOWHERE;
  }
}

/** The start of the value, if this text is its key and it begins as it should. */
function valueAfterKey(
  bytes: Buffer,
  { key, first }: { key: Buffer; first: number },
  start: number,
  end: number,
): number {
  if (end - start !== key.length || bytes[start] !== key[0] || key.compare(bytes, start, end) !== 0) return NOWHERE;
  const colon = afterSpace(bytes, end + 1);
  if (bytes[colon] !== COLON) return NOWHERE;
  const value = afterSpace(bytes, colon + 1);
  return bytes[value] === first ? value : NOWHERE;
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  return at;
}

/** The position of the closing quote. */
function endOfText(bytes: Buffer, from: number): number {
  const near = Math.min(from + SHORT_TEXT, bytes.length);
  for (let at = from; at < near; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) return endOfLongText(bytes, at);
  }
  return endOfLongText(bytes, near);
}

function endOfLongText(bytes: Buffer, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let first = quote;
    while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
    // An even number of backslashes escape each other, not the quote.
    if ((quote - first) % 2 === 0) return quote;
  }
  return -1;
}

function endOfNumber(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && NUMBER_PARTS.has(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Long, or with an exponent. */
function isOddNumber(bytes: Buffer, start: number, end: number): boolean {
  if (end - start >= LONG_NUMBER) return true;
  for (let at = start; at < end; at += 1) if (((bytes[at] ?? 0) | 0x20) === 0x65) return true;
  return false;
}
