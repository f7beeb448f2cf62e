import { patternError } from './pattern-error.ts';

/** Longer expressions are refused before parsing. */
const MAX_LENGTH = 32_768;

/** The text of an expression while it is parsed, rune by rune. */
export class PatternText {
  readonly source: string;
  at = 0;
  readonly #absent = new Set<string>();

  constructor(source: string) {
    if (source.length > MAX_LENGTH) throw patternError('expression too large');
    if (!source.isWellFormed()) throw patternError('invalid UTF-8', source);
    this.source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  /** The next letter; empty at the end. */
  peek(): string {
    return this.isAtEnd ? '' : String.fromCodePoint(Number(this.source.codePointAt(this.at)));
  }

  next(): string {
    const letter = this.peek();
    this.at += letter.length;
    return letter;
  }

  /** Skips the text if it comes next. */
  take(text: string): boolean {
    const isNext = this.source.startsWith(text, this.at);
    if (isNext) this.at += text.length;
    return isNext;
  }

  /** Skips what a sticky expression matches here. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.source);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match;
  }

  /** Skips to after the next occurrence of the text and returns what precedes it; undefined when there is none. */
  takeUntil(end: string): string | undefined {
    // Do not search again for what was not found once, which would take quadratic time.
    const found = this.#absent.has(end) ? -1 : this.source.indexOf(end, this.at);
    if (found < 0) {
      this.#absent.add(end);
      return undefined;
    }
    const text = this.source.slice(this.at, found);
    this.at = found + end.length;
    return text;
  }

  takeRest(): string {
    const rest = this.source.slice(this.at);
    this.at = this.source.length;
    return rest;
  }

  since(start: number): string {
    return this.source.slice(start, this.at);
  }
}
