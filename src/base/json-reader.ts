import { AppError } from './errors.ts';
import { setOwn } from './json-object.ts';
import { parseJson, type Json, type JsonObject } from './lossless-json.ts';

export interface JsonLimits {
  /** Values at all depths together; every key of an object has one. */
  maxValues: number;
  /** Length of one string or number. */
  maxTextLength: number;
}

type Container = Json[] | JsonObject;
/** What the grammar allows next. `first…` is the position before the first member, where a container may also end. */
type Next = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'more' | 'nothing';

const MAX_DEPTH = 1000;
const SPACE = /[ \t\n\r]*/y;
const WORD = /[-+.\w]+/y;

/**
 * Reads JSON in small steps, even while it is still arriving, and gives the same values as `parseJson`. A caller that
 * reads untrusted documents can yield in between: JSON.parse can take seconds for a few crafted megabytes.
 */
export class JsonReader {
  readonly #limits: JsonLimits;
  readonly #stack: Container[] = [];
  readonly #keys: string[] = [];
  #next: Next = 'value';
  #root: Json | undefined;
  #values = 0;
  /** Pushed but not yet readable: at most the beginning of one string or number. */
  #rest = '';
  #at = 0;
  /** Where to resume the search for the end of the string that `#rest` begins with. */
  #searchFrom = 0;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  push(text: string): void {
    this.#rest = this.#rest.slice(this.#at) + text;
    this.#searchFrom -= this.#at;
    this.#at = 0;
  }

  /**
   * Reads at most this many tokens. Returns false when nothing more can be read before the next part arrives. Throws
   * SyntaxError, or `tooLarge` when a limit is exceeded.
   */
  read(maxTokens: number): boolean {
    for (let done = 0; done < maxTokens; done += 1) if (!this.#step(false)) return false;
    return true;
  }

  /** The document, once everything was read. Throws SyntaxError if it is incomplete. */
  end(): Json {
    this.#step(true);
    const isWhole = this.#next === 'nothing' && this.#at === this.#rest.length;
    if (!isWhole || this.#root === undefined) throw new SyntaxError('Unexpected end of JSON input');
    return this.#root;
  }

  /** What was read so far of a document that may never be complete; its last values may lack members. */
  soFar(): Json | undefined {
    return this.#root;
  }

  /** Takes one token. Returns false when there is none, or only the beginning of one. */
  #step(isLast: boolean): boolean {
    this.#skipSpace();
    const first = this.#rest[this.#at];
    if (first === undefined) return false;
    if (first === '"') return this.#takeString();
    if (first === ',' || first === ':') return this.#takeSeparator(first);
    if (first === '{' || first === '[') return this.#open(first === '{' ? {} : []);
    if (first === '}' || first === ']') return this.#close(first === '}');
    return this.#takeWord(isLast);
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.test(this.#rest);
    this.#at = SPACE.lastIndex;
  }

  #takeString(): boolean {
    const end = endOfString(this.#rest, Math.max(this.#at + 1, this.#searchFrom));
    if (end < 0) {
      this.#searchFrom = beforeBackslashes(this.#rest, this.#at + 1);
      return this.#waitForMore();
    }
    // A copy: a slice would keep the whole part in memory.
    const text = JSON.parse(this.#rest.slice(this.#at, end + 1)) as string;
    if (text.length > this.#limits.maxTextLength) throw this.#tooLarge('characters in one text');
    if (this.#next === 'key' || this.#next === 'firstKey') {
      this.#keys.push(text);
      this.#next = 'colon';
    } else this.#place(text);
    this.#at = end + 1;
    return true;
  }

  #takeWord(isLast: boolean): boolean {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#rest)?.[0];
    if (word === undefined) throw this.#unexpected();
    if (!isLast && this.#at + word.length === this.#rest.length) return this.#waitForMore();
    this.#place(parseJson(word) as Json);
    this.#at += word.length;
    return true;
  }

  #waitForMore(): false {
    if (this.#rest.length - this.#at > this.#limits.maxTextLength) throw this.#tooLarge('characters in one text');
    return false;
  }

  #takeSeparator(sign: ',' | ':'): boolean {
    if (this.#next !== (sign === ':' ? 'colon' : 'more') || this.#stack.length === 0) throw this.#unexpected();
    this.#at += 1;
    if (sign === ':') this.#next = 'value';
    else this.#next = Array.isArray(this.#stack.at(-1)) ? 'value' : 'key';
    return true;
  }

  #open(container: Container): boolean {
    this.#place(container);
    this.#stack.push(container);
    if (this.#stack.length > MAX_DEPTH) throw new SyntaxError(`JSON is nested deeper than ${String(MAX_DEPTH)} levels`);
    this.#next = Array.isArray(container) ? 'firstValue' : 'firstKey';
    this.#at += 1;
    return true;
  }

  #close(isObject: boolean): boolean {
    const container = this.#stack.at(-1);
    const mayEnd = this.#next === 'more' || this.#next === (isObject ? 'firstKey' : 'firstValue');
    if (container === undefined || Array.isArray(container) === isObject || !mayEnd) throw this.#unexpected();
    this.#stack.pop();
    this.#next = this.#stack.length === 0 ? 'nothing' : 'more';
    this.#at += 1;
    return true;
  }

  /** Puts the value where the grammar expects it. */
  #place(value: Json): void {
    if (this.#next !== 'value' && this.#next !== 'firstValue') throw this.#unexpected();
    this.#values += 1;
    if (this.#values > this.#limits.maxValues) throw this.#tooLarge('values');
    const parent = this.#stack.at(-1);
    if (parent === undefined) this.#root = value;
    else if (Array.isArray(parent)) parent.push(value);
    else setOwn(parent, this.#keys.pop() as string, value);
    this.#next = parent === undefined ? 'nothing' : 'more';
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`Unexpected ${JSON.stringify(this.#rest.slice(this.#at, this.#at + 10))} in JSON`);
  }

  #tooLarge(what: 'values' | 'characters in one text'): AppError {
    const limit = what === 'values' ? this.#limits.maxValues : this.#limits.maxTextLength;
    return new AppError('tooLarge', `read JSON: expected at most ${String(limit)} ${what}, there are more`);
  }
}

/**
 * The last position from which the end of a string can be searched: not between a backslash and the character it
 * escapes.
 */
function beforeBackslashes(text: string, from: number): number {
  let at = text.length;
  while (at > from && text[at - 1] === '\\') at -= 1;
  return at;
}

/** The position of the closing quote; -1 when it has not arrived yet. */
function endOfString(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (first > from && text[first - 1] === '\\') first -= 1;
    // An even number of backslashes escape each other, not the quote.
    if ((quote - first) % 2 === 0) return quote;
  }
  return -1;
}
