import type { Cursor } from './cursor.ts';
import { numberOf, stringOf } from './literal.ts';
import type { Command, Operand, Pipe } from './node.ts';
import type { TokenKind } from './token.ts';

const OPERANDS = new Set<TokenKind>([
  'bool',
  'character',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'raw string',
  'string',
  'variable',
  'left paren',
]);
const NOT_CALLABLE = new Set<Operand['kind']>(['bool', 'dot', 'nil', 'number', 'string']);

/** Reads the pipelines of one template, and knows the variables that they have declared so far. */
export class Pipelines {
  readonly #cursor: Cursor;
  readonly #isFunction: (name: string) => boolean;
  readonly #variables = ['$'];

  constructor(cursor: Cursor, isFunction: (name: string) => boolean) {
    this.#cursor = cursor;
    this.#isFunction = isFunction;
  }

  /** Reads a block; the variables that are declared in it end with it. */
  inBlock<T>(read: () => T): T {
    const declared = this.#variables.length;
    const result = read();
    this.#variables.length = declared;
    return result;
  }

  pipe(context: string, end: TokenKind): Pipe {
    const { at } = this.#cursor.peekWord();
    const { variables, isAssign } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#cursor.nextWord();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) throw this.#cursor.unexpected(token, context);
      this.#cursor.back();
      commands.push(this.#command());
    }
    if (commands.length === 0) throw this.#cursor.problem(`missing value for ${context}`);
    const stage = commands.findIndex(({ first }, index) => index > 0 && NOT_CALLABLE.has(first.kind));
    if (stage > 0) throw this.#cursor.problem(`non executable command in pipeline stage ${String(stage + 1)}`);
    return { variables, isAssign, commands, at, end: commands.at(-1)?.end ?? at };
  }

  /** `$x :=`, `$x =`, and in a range `$i, $x :=`. */
  #declarations(context: string): { variables: string[]; isAssign: boolean } {
    const variables: string[] = [];
    for (;;) {
      const variable = this.#cursor.peekWord();
      if (variable.kind !== 'variable') return { variables, isAssign: false };
      const before = this.#cursor.place;
      this.#cursor.nextWord();
      const sign = this.#cursor.peekWord();
      const isDeclared = sign.kind === 'assign' || sign.kind === 'declare' || sign.kind === 'comma';
      if (!isDeclared) {
        this.#cursor.backTo(before);
        return { variables, isAssign: false };
      }
      this.#cursor.nextWord();
      variables.push(variable.text);
      this.#variables.push(variable.text);
      if (sign.kind !== 'comma') return { variables, isAssign: sign.kind === 'assign' };
      if (context !== 'range' || variables.length > 1)
        throw this.#cursor.problem(`too many declarations in ${context}`);
      const next = this.#cursor.peekWord().kind;
      if (next !== 'variable' && next !== 'right delimiter' && next !== 'right paren') {
        throw this.#cursor.problem('range can only initialize variables');
      }
    }
  }

  #command(): Command {
    const { at } = this.#cursor.peekWord();
    const operands: Operand[] = [];
    for (;;) {
      this.#cursor.peekWord();
      const operand = this.#operand();
      if (operand !== undefined) operands.push(operand);
      const token = this.#cursor.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right delimiter' || token.kind === 'right paren') this.#cursor.back();
      else if (token.kind !== 'pipe') throw this.#cursor.unexpected(token, 'operand');
      break;
    }
    const [first, ...args] = operands;
    if (first === undefined) throw this.#cursor.problem('empty command');
    return { first, args, at, end: operands.at(-1)?.end ?? at };
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#cursor.peek().kind !== 'field') return term;
    const names: string[] = [];
    while (this.#cursor.peek().kind === 'field') names.push(this.#cursor.next().text.slice(1));
    const { at } = term;
    if (term.kind === 'field' || term.kind === 'variable') {
      return { ...term, names: [...term.names, ...names], end: this.#cursor.end };
    }
    if (NOT_CALLABLE.has(term.kind)) {
      throw this.#cursor.problem(`unexpected . after term ${JSON.stringify(this.#cursor.text.slice(at, term.end))}`);
    }
    return { kind: 'chain', of: term, names, at, end: this.#cursor.end };
  }

  #term(): Operand | undefined {
    const token = this.#cursor.nextWord();
    const place = { at: token.at, end: token.at + token.text.length };
    switch (token.kind) {
      case 'identifier':
        if (!this.#isFunction(token.text))
          throw this.#cursor.problem(`function ${JSON.stringify(token.text)} not defined`);
        return { kind: 'function', name: token.text, ...place };
      case 'dot':
      case 'nil':
        return { kind: token.kind, ...place };
      case 'bool':
        return { kind: 'bool', value: token.text === 'true', ...place };
      case 'variable':
        if (!this.#variables.includes(token.text)) {
          throw this.#cursor.problem(`undefined variable ${JSON.stringify(token.text)}`);
        }
        return { kind: 'variable', variable: token.text, names: [], ...place };
      case 'field':
        return { kind: 'field', names: [token.text.slice(1)], ...place };
      case 'string':
      case 'raw string':
        return { kind: 'string', value: stringOf(token), ...place };
      case 'number':
      case 'complex':
      case 'character':
        return { kind: 'number', number: numberOf(token, token.kind), ...place };
      case 'left paren': {
        const pipe = this.#cursor.nested(() => this.pipe('parenthesized pipeline', 'right paren'));
        return { kind: 'pipe', pipe, at: token.at, end: this.#cursor.end };
      }
      default:
        this.#cursor.back();
        return undefined;
    }
  }
}
