import { TemplateProblem } from '../problem.ts';
import { KEYWORDS, type Token, type TokenKind } from './token.ts';

const LEFT = '{{';
const RIGHT = '}}';
const SPACES = /[ \t\r\n]*/y;
const WORD = /[_\p{L}\p{Nd}]+/uy;
interface Quoted {
  pattern: RegExp;
  kind: TokenKind;
  /** What is said where it does not end. */
  otherwise: string;
}

const QUOTES = new Map<string, Quoted>([
  ['"', { pattern: /"(?:\\[^\n]|[^"\\\n])*"/suy, kind: 'string', otherwise: 'unterminated quoted string' }],
  ['`', { pattern: /`[^`]*`/y, kind: 'raw string', otherwise: 'unterminated raw quoted string' }],
  ["'", { pattern: /'(?:\\[^\n]|[^'\\\n])*'/suy, kind: 'character', otherwise: 'unterminated character constant' }],
]);
// Looser than numbers are: what is no number is refused by whoever reads it.
const NUMBER =
  /[+-]?(?:0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|0[oO][0-7_]*(?:\.[0-7_]*)?|0[bB][01_]*(?:\.[01_]*)?|[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?[\d_]*)?)i?/y;
const SINGLE: Readonly<Record<string, TokenKind>> = { '=': 'assign', '|': 'pipe', ',': 'comma' };
const PRINTABLE = /^[!-~]$/;
const WORDS = new Map<string, TokenKind>(KEYWORDS.map((word) => [word, word]));
const isDigit = (letter: string): boolean => letter >= '0' && letter <= '9';
const isSpace = (letter: string): boolean => letter === ' ' || letter === '\n' || letter === '\t' || letter === '\r';

/** Cuts a template into tokens, one at a time. */
export class Lexer {
  readonly #text: string;
  #at = 0;
  #isInAction = false;
  #parens = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    return this.#isInAction ? this.#inAction() : this.#outside();
  }

  #outside(): Token {
    for (;;) {
      const start = this.#at;
      const found = this.#text.indexOf(LEFT, start);
      if (found < 0) {
        this.#at = this.#text.length;
        return this.#token(this.#at > start ? 'text' : 'end of text', start);
      }
      const isTrimmed = this.#trimsBefore(found + LEFT.length);
      const text = this.#text.slice(start, isTrimmed ? this.#endOfText(start, found) : found);
      this.#at = found;
      if (text !== '') return { kind: 'text', text, at: start };
      this.#at += LEFT.length + (isTrimmed ? 2 : 0);
      if (!this.#text.startsWith('/*', this.#at)) {
        this.#isInAction = true;
        this.#parens = 0;
        return { kind: 'left delimiter', text: LEFT, at: found };
      }
      this.#skipComment(found);
    }
  }

  /** Where the spaces before a trim marker begin. A pattern would take quadratic time. */
  #endOfText(start: number, end: number): number {
    let at = end;
    while (at > start && isSpace(this.#text.charAt(at - 1))) at -= 1;
    return at;
  }

  #skipComment(start: number): void {
    const end = this.#text.indexOf('*/', this.#at + 2);
    if (end < 0) throw problem('unclosed comment', start);
    this.#at = end + 2;
    if (!this.#isAtRight()) throw problem('comment ends before closing delimiter', start);
    this.#rightDelimiter();
  }

  #inAction(): Token {
    const start = this.#at;
    if (this.#isAtRight()) {
      if (this.#parens > 0) throw problem('unclosed left paren', start);
      return this.#rightDelimiter();
    }
    if (start >= this.#text.length) throw problem('unclosed action', start);
    const letter = this.#text.charAt(start);
    if (isSpace(letter)) return this.#space();
    const quoted = QUOTES.get(letter);
    if (quoted !== undefined) return this.#match(quoted);
    if (letter === '$') return this.#name('variable', 'variable');
    if (letter === '.' && !isDigit(this.#text.charAt(start + 1)) && start + 1 < this.#text.length) {
      return this.#name('field', 'dot');
    }
    if ('.+-'.includes(letter) || isDigit(letter)) return this.#number();
    return this.#take(WORD) ? this.#word(start) : this.#sign(String.fromCodePoint(this.#codePoint(start)));
  }

  #codePoint(at: number): number {
    return this.#text.codePointAt(at) ?? 0;
  }

  #sign(letter: string): Token {
    const start = this.#at;
    this.#at += letter.length;
    if (letter === '(') {
      this.#parens += 1;
      return this.#token('left paren', start);
    }
    if (letter === ')') {
      this.#parens -= 1;
      if (this.#parens < 0) throw problem('unexpected right paren', start);
      return this.#token('right paren', start);
    }
    if (letter === ':') {
      if (this.#text[this.#at] !== '=') throw problem('expected :=', start);
      this.#at += 1;
      return this.#token('declare', start);
    }
    if (!PRINTABLE.test(letter)) throw problem(`unrecognized character in action: ${unicodeName(letter)}`, start);
    return this.#token(SINGLE[letter] ?? 'other', start);
  }

  /** The last space may belong to a delimiter that trims. */
  #space(): Token {
    const start = this.#at;
    this.#take(SPACES);
    if (this.#trimsAfter(this.#at - 1)) {
      this.#at -= 1;
      if (this.#at === start) return this.#rightDelimiter();
    }
    return this.#token('space', start);
  }

  #word(start: number): Token {
    const word = this.#text.slice(start, this.#at);
    this.#mustEndHere();
    const keyword = WORDS.get(word);
    return this.#token(keyword ?? (word === 'true' || word === 'false' ? 'bool' : 'identifier'), start);
  }

  /** `.field`, `$variable`, or the sign alone. */
  #name(kind: TokenKind, alone: TokenKind): Token {
    const start = this.#at;
    this.#at += 1;
    if (this.#isAtEndOfWord()) return this.#token(alone, start);
    this.#take(WORD);
    this.#mustEndHere();
    return this.#token(kind, start);
  }

  #number(): Token {
    const start = this.#at;
    this.#takeNumber(start);
    const sign = this.#text[this.#at];
    if (sign !== '+' && sign !== '-') return this.#token('number', start);
    this.#takeNumber(start);
    if (this.#text[this.#at - 1] !== 'i') throw badNumber(this.#text.slice(start, this.#at), start);
    return this.#token('complex', start);
  }

  #takeNumber(start: number): void {
    this.#take(NUMBER);
    const end = this.#at;
    if (this.#take(WORD)) throw badNumber(this.#text.slice(start, end + 1), start);
  }

  #match({ pattern, kind, otherwise }: Quoted): Token {
    const start = this.#at;
    if (!this.#take(pattern)) throw problem(otherwise, start);
    return this.#token(kind, start);
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    this.#at += match[0].length;
    return match[0] !== '';
  }

  #token(kind: TokenKind, start: number): Token {
    return { kind, text: this.#text.slice(start, this.#at), at: start };
  }

  #isAtRight(): boolean {
    return this.#text.startsWith(RIGHT, this.#at) || this.#trimsAfter(this.#at);
  }

  #rightDelimiter(): Token {
    const start = this.#at;
    const isTrimmed = this.#trimsAfter(start);
    this.#at += (isTrimmed ? 2 : 0) + RIGHT.length;
    if (isTrimmed) this.#take(SPACES);
    this.#isInAction = false;
    return { kind: 'right delimiter', text: RIGHT, at: start };
  }

  #trimsBefore(at: number): boolean {
    return this.#text.charAt(at) === '-' && isSpace(this.#text.charAt(at + 1));
  }

  #trimsAfter(at: number): boolean {
    return isSpace(this.#text.charAt(at)) && this.#text.startsWith('-}}', at + 1);
  }

  #isAtEndOfWord(): boolean {
    const next = this.#text.charAt(this.#at);
    // The empty text, at the end, is in every text.
    return ' \t\r\n.,|:)('.includes(next) || this.#text.startsWith(RIGHT, this.#at);
  }

  #mustEndHere(): void {
    if (this.#isAtEndOfWord()) return;
    const letter = String.fromCodePoint(this.#codePoint(this.#at));
    throw problem(`bad character ${unicodeName(letter)}`, this.#at);
  }
}

function problem(message: string, at: number): TemplateProblem {
  return new TemplateProblem('parse', message, at);
}

export function badNumber(text: string, at: number): TemplateProblem {
  return problem(`bad number syntax: ${JSON.stringify(text)}`, at);
}

/** As Go's `%#U`: U+002D '-'. */
function unicodeName(letter: string): string {
  const code = Number(letter.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
  return /^[\p{C}\p{Z}]$/u.test(letter) ? `U+${code}` : `U+${code} '${letter}'`;
}
