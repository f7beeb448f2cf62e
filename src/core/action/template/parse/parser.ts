import { Cursor } from './cursor.ts';
import { stringOf } from './literal.ts';
import type { Node, Template } from './node.ts';
import { Pipelines } from './pipelines.ts';
import type { Token } from './token.ts';

const ROOT = 'config';

/** How a list of nodes ended. */
type End = 'end' | 'else' | 'end of text';
/** What a template that is being read has declared so far. */
interface Scope {
  readonly pipelines: Pipelines;
  ranges: number;
}

/** Reads a template as text/template does. Throws TemplateProblem with Go's words. */
export function parseTemplate(text: string, isFunction: (name: string) => boolean): Template {
  return new Parser(text, isFunction).parse();
}

/** Reads lists of text and actions, and the actions that have lists inside them. */
class Parser {
  readonly #cursor: Cursor;
  readonly #isFunction: (name: string) => boolean;
  readonly #trees = new Map<string, readonly Node[]>();
  #scope: Scope;

  constructor(text: string, isFunction: (name: string) => boolean) {
    this.#cursor = new Cursor(text);
    this.#isFunction = isFunction;
    this.#scope = this.#newScope();
  }

  parse(): Template {
    const nodes: Node[] = [];
    const end = this.#list(nodes, true);
    if (end !== 'end of text') throw this.#cursor.problem(`unexpected {{${end}}}`);
    this.#add(ROOT, nodes);
    return { text: this.#cursor.text, root: ROOT, trees: this.#trees };
  }

  /** Reads up to the end of the list. Templates are defined at the top alone. */
  #list(nodes: Node[], isTop = false): End {
    return this.#cursor.nested(() => this.#rest(nodes, isTop));
  }

  #rest(nodes: Node[], isTop: boolean): End {
    for (;;) {
      const token = this.#cursor.next();
      if (token.kind === 'end of text') return 'end of text';
      if (token.kind === 'text') {
        nodes.push({ kind: 'text', text: token.text });
        continue;
      }
      const word = this.#cursor.nextWord();
      if (word.kind === 'define' && isTop) this.#define();
      else if (word.kind === 'end' || word.kind === 'else') return this.#endOfList(word.kind);
      else nodes.push(this.#action(word));
    }
  }

  /** `else if` and `else with` leave their word to whoever asked. */
  #endOfList(kind: 'end' | 'else'): End {
    const next = this.#cursor.peekWord().kind;
    if (kind === 'end' || (next !== 'if' && next !== 'with')) this.#cursor.expect('right delimiter', kind);
    return kind;
  }

  #define(): void {
    const name = this.#templateName('define clause');
    this.#cursor.expect('right delimiter', 'define clause');
    this.#add(name, this.#separate('define clause'));
  }

  #block(at: number): Node {
    const name = this.#templateName('block clause');
    const pipe = this.#scope.pipelines.pipe('block clause', 'right delimiter');
    this.#add(name, this.#separate('block clause'));
    return { kind: 'template', name, pipe, at, end: this.#cursor.end };
  }

  /** A template of its own: it sees no variables of the one around it. */
  #separate(context: string): Node[] {
    const outer = this.#scope;
    this.#scope = this.#newScope();
    const nodes: Node[] = [];
    const end = this.#list(nodes);
    if (end === 'end of text') throw this.#cursor.problem('unexpected EOF');
    if (end === 'else') throw this.#cursor.problem(`unexpected {{else}} in ${context}`);
    this.#scope = outer;
    return nodes;
  }

  #add(name: string, nodes: readonly Node[]): void {
    const earlier = this.#trees.get(name);
    if (earlier === undefined || isEmpty(earlier)) this.#trees.set(name, nodes);
    else if (!isEmpty(nodes)) {
      throw this.#cursor.problem(`template: multiple definition of template ${JSON.stringify(name)}`);
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
        this.#cursor.expect('right delimiter', `{{${word.kind}}}`);
        if (this.#scope.ranges === 0) throw this.#cursor.problem(`{{${word.kind}}} outside {{range}}`);
        return { kind: word.kind };
      default: {
        this.#cursor.back();
        const pipe = this.#scope.pipelines.pipe('command', 'right delimiter');
        return { kind: 'action', pipe, at, end: pipe.end };
      }
    }
  }

  #control(kind: 'if' | 'with' | 'range', at: number): Node {
    const scope = this.#scope;
    return scope.pipelines.inBlock(() => {
      const pipe = scope.pipelines.pipe(kind, 'right delimiter');
      const isRange = kind === 'range';
      if (isRange) scope.ranges += 1;
      const body: Node[] = [];
      const end = this.#list(body);
      if (isRange) scope.ranges -= 1;
      const otherwise = end === 'else' ? this.#otherwise(kind) : undefined;
      if (end === 'end of text') throw this.#cursor.problem('unexpected EOF');
      return { kind, pipe, body, otherwise, at, end: pipe.end };
    });
  }

  #otherwise(kind: 'if' | 'with' | 'range'): Node[] {
    const next = this.#cursor.peekWord();
    if (next.kind === kind && kind !== 'range') {
      this.#cursor.nextWord();
      return [this.#cursor.nested(() => this.#control(kind, next.at))];
    }
    if (next.kind === 'if' || next.kind === 'with') {
      // After `else`, Go has not consumed the word and finds it where text or an action should be.
      const word = this.#cursor.peek();
      if (word.kind === 'if' || word.kind === 'with') throw this.#cursor.unexpected(word, 'input');
    }
    const nodes: Node[] = [];
    const end = this.#list(nodes);
    if (end === 'end of text') throw this.#cursor.problem('unexpected EOF');
    if (end === 'else') throw this.#cursor.problem('expected end; found {{else}}');
    return nodes;
  }

  #template(at: number): Node {
    const name = this.#templateName('template clause');
    const hasData = this.#cursor.peekWord().kind !== 'right delimiter';
    if (hasData)
      return {
        kind: 'template',
        name,
        pipe: this.#scope.pipelines.pipe('template clause', 'right delimiter'),
        at,
        end: this.#cursor.end,
      };
    this.#cursor.nextWord();
    return { kind: 'template', name, pipe: undefined, at, end: this.#cursor.end };
  }

  #templateName(context: string): string {
    const token = this.#cursor.nextWord();
    if (token.kind !== 'string' && token.kind !== 'raw string') throw this.#cursor.unexpected(token, context);
    return stringOf(token);
  }

  #newScope(): Scope {
    return { pipelines: new Pipelines(this.#cursor, this.#isFunction), ranges: 0 };
  }
}

/** Of everything but spaces and comments. */
function isEmpty(nodes: readonly Node[]): boolean {
  return nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
}
