import { TemplateProblem } from '../problem.ts';
import { Lexer } from './lexer.ts';
import { tokenText, type Token, type TokenKind } from './token.ts';

/** Enough for any hand; Go would go on until its stack is full. */
const MAX_NESTING = 100;

/** Where in a template its reader stands, what comes next, and what is wrong with it there. */
export class Cursor {
  readonly text: string;
  readonly #lexer: Lexer;
  /** Those that were asked for so far; `#at` is the next one. */
  readonly #tokens: Token[] = [];
  #at = 0;
  #nesting = 0;
  #end = 0;

  constructor(text: string) {
    this.text = text;
    this.#lexer = new Lexer(text);
  }

  /** Where the last token ended. */
  get end(): number {
    return this.#end;
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    this.#end = token.at + token.text.length;
    return token;
  }

  /** Lexed no further than it is asked for, so that the first mistake is told first. */
  peek(): Token {
    let token = this.#tokens[this.#at];
    if (token === undefined) {
      token = this.#lexer.next();
      this.#tokens.push(token);
    }
    return token;
  }

  /** The next token that is no space. */
  nextWord(): Token {
    this.peekWord();
    return this.next();
  }

  peekWord(): Token {
    let token = this.peek();
    while (token.kind === 'space') {
      this.#at += 1;
      token = this.peek();
    }
    return token;
  }

  /** Where to come back to. */
  get place(): number {
    return this.#at;
  }

  backTo(place: number): void {
    this.#at = place;
  }

  /** One token back. A message that follows still points behind it, as Go's do. */
  back(): void {
    this.#at -= 1;
  }

  expect(kind: TokenKind, context: string): void {
    const token = this.nextWord();
    if (token.kind !== kind) throw this.unexpected(token, context);
  }

  /** Reads something that stands inside something else; what is nested too deeply is refused. */
  nested<T>(read: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new TemplateProblem('limit', `nested deeper than ${String(MAX_NESTING)} levels`, this.#end);
    }
    const result = read();
    this.#nesting -= 1;
    return result;
  }

  unexpected(token: Token, context: string): TemplateProblem {
    return new TemplateProblem('parse', `unexpected ${tokenText(token)} in ${context}`, token.at);
  }

  problem(message: string): TemplateProblem {
    return new TemplateProblem('parse', message, Math.max(0, this.#end - 1));
  }
}
