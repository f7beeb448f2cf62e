import { TemplateProblem } from '../problem.ts';
import { Lexer, badNumber } from './lexer.ts';
import type { Command, Control, Node, Operand, Pipe, Template } from './node.ts';
import { readNumber } from './number.ts';
import { tokenText, type Token, type TokenKind } from './token.ts';
import { unquote } from './unquote.ts';

/** Enough for any hand; Go would go on until its stack is full. */
const MAX_NESTING = 100;
const ROOT = 'config';

/** How a list of nodes ended. */
type End = 'end' | 'else' | 'end of text';
/** What a template that is being read has declared so far. */
interface Scope {
  readonly variables: string[];
  ranges: number;
}

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

/** Reads a template as text/template does. Throws TemplateProblem with Go's words. */
export function parseTemplate(text: string, isFunction: (name: string) => boolean): Template {
  return new Parser(text, isFunction).parse();
}

class Parser {
  readonly #text: string;
  readonly #lexer: Lexer;
  readonly #isFunction: (name: string) => boolean;
  readonly #trees = new Map<string, readonly Node[]>();
  /** Those that were asked for so far; `#at` is the next one. */
  readonly #tokens: Token[] = [];
  #at = 0;
  #scope: Scope = newScope();
  #nesting = 0;
  /** Where the last token ended. */
  #end = 0;

  constructor(text: string, isFunction: (name: string) => boolean) {
    this.#text = text;
    this.#lexer = new Lexer(text);
    this.#isFunction = isFunction;
  }

  parse(): Template {
    const nodes: Node[] = [];
    const end = this.#list(nodes, true);
    if (end !== 'end of text') throw this.#problem(`unexpected {{${end}}}`);
    this.#add(ROOT, nodes);
    return { text: this.#text, root: ROOT, trees: this.#trees };
  }

  /** Reads up to the end of the list. Templates are defined at the top alone. */
  #list(nodes: Node[], isTop = false): End {
    this.#enter();
    for (;;) {
      const token = this.#next();
      if (token.kind === 'end of text') {
        this.#nesting -= 1;
        return 'end of text';
      }
      if (token.kind === 'text') {
        nodes.push({ kind: 'text', text: token.text });
        continue;
      }
      const word = this.#nextWord();
      if (word.kind === 'define' && isTop) this.#define();
      else if (word.kind === 'end' || word.kind === 'else') {
        this.#nesting -= 1;
        return this.#endOfList(word.kind);
      } else nodes.push(this.#action(word));
    }
  }

  /** `else if` and `else with` leave their word to whoever asked. */
  #endOfList(kind: 'end' | 'else'): End {
    const next = this.#peekWord().kind;
    if (kind === 'end' || (next !== 'if' && next !== 'with')) this.#expect('right delimiter', kind);
    return kind;
  }

  #define(): void {
    const name = this.#templateName('define clause');
    this.#expect('right delimiter', 'define clause');
    this.#add(name, this.#separate('define clause'));
  }

  #block(at: number): Node {
    const name = this.#templateName('block clause');
    const pipe = this.#pipe('block clause', 'right delimiter');
    this.#add(name, this.#separate('block clause'));
    return { kind: 'template', name, pipe, at, end: this.#end };
  }

  /** A template of its own: it sees no variables of the one around it. */
  #separate(context: string): Node[] {
    const outer = this.#scope;
    this.#scope = newScope();
    const nodes: Node[] = [];
    const end = this.#list(nodes);
    if (end === 'end of text') throw this.#problem('unexpected EOF');
    if (end === 'else') throw this.#problem(`unexpected {{else}} in ${context}`);
    this.#scope = outer;
    return nodes;
  }

  #add(name: string, nodes: readonly Node[]): void {
    const earlier = this.#trees.get(name);
    if (earlier === undefined || isEmpty(earlier)) this.#trees.set(name, nodes);
    else if (!isEmpty(nodes)) {
      throw this.#problem(`template: multiple definition of template ${JSON.stringify(name)}`);
    }
  }

  #action(word: Token): Node {
    const { at } = word;
    switch (word.kind) {
      case 'if':
      case 'with':
      case 'range':
        return this.#control(word.kind, at);
      case 'block':
        return this.#block(at);
      case 'template':
        return this.#template(at);
      case 'break':
      case 'continue':
        this.#expect('right delimiter', `{{${word.kind}}}`);
        if (this.#scope.ranges === 0) throw this.#problem(`{{${word.kind}}} outside {{range}}`);
        return { kind: word.kind };
      default: {
        this.#at -= 1;
        const pipe = this.#pipe('command', 'right delimiter');
        return { kind: 'action', pipe, at, end: pipe.end };
      }
    }
  }

  #control(kind: 'if' | 'with' | 'range', at: number): Node {
    const { variables } = this.#scope;
    const declared = variables.length;
    const pipe = this.#pipe(kind, 'right delimiter');
    const isRange = kind === 'range';
    if (isRange) this.#scope.ranges += 1;
    const body: Node[] = [];
    const end = this.#list(body);
    if (isRange) this.#scope.ranges -= 1;
    const otherwise = end === 'else' ? this.#otherwise(kind) : undefined;
    if (end === 'end of text') throw this.#problem('unexpected EOF');
    variables.length = declared;
    const control: Control = { pipe, body, otherwise };
    return { kind, ...control, at, end: pipe.end };
  }

  #otherwise(kind: 'if' | 'with' | 'range'): Node[] {
    const next = this.#peekWord();
    if (next.kind === kind && kind !== 'range') {
      this.#nextWord();
      this.#enter();
      const node = this.#control(kind, next.at);
      this.#nesting -= 1;
      return [node];
    }
    if (next.kind === 'if' || next.kind === 'with') {
      // After `else`, Go has not consumed the word and finds it where text or an action should be.
      const word = this.#peek();
      if (word.kind === 'if' || word.kind === 'with') throw this.#unexpected(word, 'input');
    }
    const nodes: Node[] = [];
    const end = this.#list(nodes);
    if (end === 'end of text') throw this.#problem('unexpected EOF');
    if (end === 'else') throw this.#problem('expected end; found {{else}}');
    return nodes;
  }

  #template(at: number): Node {
    const name = this.#templateName('template clause');
    const hasData = this.#peekWord().kind !== 'right delimiter';
    if (hasData)
      return { kind: 'template', name, pipe: this.#pipe('template clause', 'right delimiter'), at, end: this.#end };
    this.#nextWord();
    return { kind: 'template', name, pipe: undefined, at, end: this.#end };
  }

  #templateName(context: string): string {
    const token = this.#nextWord();
    if (token.kind !== 'string' && token.kind !== 'raw string') throw this.#unexpected(token, context);
    return this.#unquoted(token);
  }

  #pipe(context: string, end: TokenKind): Pipe {
    const { at } = this.#peekWord();
    const { variables, isAssign } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#nextWord();
      if (token.kind === end) break;
      if (!OPERANDS.has(token.kind)) throw this.#unexpected(token, context);
      this.#at -= 1;
      commands.push(this.#command());
    }
    if (commands.length === 0) throw this.#problem(`missing value for ${context}`);
    const stage = commands.findIndex(({ first }, index) => index > 0 && NOT_CALLABLE.has(first.kind));
    if (stage > 0) throw this.#problem(`non executable command in pipeline stage ${String(stage + 1)}`);
    return { variables, isAssign, commands, at, end: commands.at(-1)?.end ?? at };
  }

  /** `$x :=`, `$x =`, and in a range `$i, $x :=`. */
  #declarations(context: string): { variables: string[]; isAssign: boolean } {
    const variables: string[] = [];
    for (;;) {
      const variable = this.#peekWord();
      if (variable.kind !== 'variable') return { variables, isAssign: false };
      const before = this.#at;
      this.#nextWord();
      const sign = this.#peekWord();
      const isDeclared = sign.kind === 'assign' || sign.kind === 'declare' || sign.kind === 'comma';
      if (!isDeclared) {
        this.#at = before;
        return { variables, isAssign: false };
      }
      this.#nextWord();
      variables.push(variable.text);
      this.#scope.variables.push(variable.text);
      if (sign.kind !== 'comma') return { variables, isAssign: sign.kind === 'assign' };
      if (context !== 'range' || variables.length > 1) throw this.#problem(`too many declarations in ${context}`);
      const next = this.#peekWord().kind;
      if (next !== 'variable' && next !== 'right delimiter' && next !== 'right paren') {
        throw this.#problem('range can only initialize variables');
      }
    }
  }

  #command(): Command {
    const { at } = this.#peekWord();
    const operands: Operand[] = [];
    for (;;) {
      this.#peekWord();
      const operand = this.#operand();
      if (operand !== undefined) operands.push(operand);
      const token = this.#next();
      if (token.kind === 'space') continue;
      if (token.kind === 'right delimiter' || token.kind === 'right paren') this.#at -= 1;
      else if (token.kind !== 'pipe') throw this.#unexpected(token, 'operand');
      break;
    }
    const [first, ...args] = operands;
    if (first === undefined) throw this.#problem('empty command');
    return { first, args, at, end: operands.at(-1)?.end ?? at };
  }

  #operand(): Operand | undefined {
    const term = this.#term();
    if (term === undefined || this.#peek().kind !== 'field') return term;
    const names: string[] = [];
    while (this.#peek().kind === 'field') names.push(this.#next().text.slice(1));
    const { at } = term;
    if (term.kind === 'field' || term.kind === 'variable') {
      return { ...term, names: [...term.names, ...names], end: this.#end };
    }
    if (NOT_CALLABLE.has(term.kind)) {
      throw this.#problem(`unexpected . after term ${JSON.stringify(this.#text.slice(at, term.end))}`);
    }
    return { kind: 'chain', of: term, names, at, end: this.#end };
  }

  #term(): Operand | undefined {
    const token = this.#nextWord();
    const place = { at: token.at, end: token.at + token.text.length };
    switch (token.kind) {
      case 'identifier':
        if (!this.#isFunction(token.text)) throw this.#problem(`function ${JSON.stringify(token.text)} not defined`);
        return { kind: 'function', name: token.text, ...place };
      case 'dot':
      case 'nil':
        return { kind: token.kind, ...place };
      case 'bool':
        return { kind: 'bool', value: token.text === 'true', ...place };
      case 'variable':
        if (!this.#scope.variables.includes(token.text)) {
          throw this.#problem(`undefined variable ${JSON.stringify(token.text)}`);
        }
        return { kind: 'variable', variable: token.text, names: [], ...place };
      case 'field':
        return { kind: 'field', names: [token.text.slice(1)], ...place };
      case 'string':
      case 'raw string':
        return { kind: 'string', value: this.#unquoted(token), ...place };
      case 'number':
      case 'complex':
      case 'character':
        return { kind: 'number', number: this.#number(token, token.kind), ...place };
      case 'left paren': {
        this.#enter();
        const pipe = this.#pipe('parenthesized pipeline', 'right paren');
        this.#nesting -= 1;
        return { kind: 'pipe', pipe, at: token.at, end: this.#end };
      }
      default:
        this.#at -= 1;
        return undefined;
    }
  }

  #number(token: Token, kind: 'number' | 'complex' | 'character'): ReturnType<typeof readNumber> & object {
    const number = readNumber(token.text, kind);
    if (number === undefined) throw badNumber(token.text, token.at);
    return number;
  }

  #unquoted({ text, at }: Token): string {
    const meant = unquote(text);
    if (meant === undefined) throw new TemplateProblem('parse', 'invalid syntax', at);
    return meant;
  }

  #enter(): void {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new TemplateProblem('limit', `nested deeper than ${String(MAX_NESTING)} levels`, this.#end);
    }
  }

  #next(): Token {
    const token = this.#peek();
    this.#at += 1;
    this.#end = token.at + token.text.length;
    return token;
  }

  /** Lexed no further than it is asked for, so that the first mistake is told first. */
  #peek(): Token {
    let token = this.#tokens[this.#at];
    if (token === undefined) {
      token = this.#lexer.next();
      this.#tokens.push(token);
    }
    return token;
  }

  /** The next token that is no space. */
  #nextWord(): Token {
    this.#peekWord();
    return this.#next();
  }

  #peekWord(): Token {
    let token = this.#peek();
    while (token.kind === 'space') {
      this.#at += 1;
      token = this.#peek();
    }
    return token;
  }

  #expect(kind: TokenKind, context: string): void {
    const token = this.#nextWord();
    if (token.kind !== kind) throw this.#unexpected(token, context);
  }

  #unexpected(token: Token, context: string): TemplateProblem {
    return new TemplateProblem('parse', `unexpected ${tokenText(token)} in ${context}`, token.at);
  }

  #problem(message: string): TemplateProblem {
    return new TemplateProblem('parse', message, Math.max(0, this.#end - 1));
  }
}

function newScope(): Scope {
  return { variables: ['$'], ranges: 0 };
}

/** Of everything but spaces and comments. */
function isEmpty(nodes: readonly Node[]): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}
