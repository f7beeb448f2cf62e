import { sprint } from '../format/printf.ts';
import type { Node, Pipe } from '../parse/node.ts';
import { FunctionProblem, TemplateProblem } from '../problem.ts';
import { compareText, joinText } from '../value/go-text.ts';
import { indirect, isTrue } from '../value/inspect.ts';
import { int } from '../value/make.ts';
import { Int, List, Mapping, Pointer, type Value } from '../value/value.ts';
import { MAX_DEPTH, type Budget } from './budget.ts';
import { Expressions, type Setting } from './expressions.ts';

/** What the stack bears. */
const MAX_NESTING = 500;

/** How a list of nodes was left before its end. */
type Leave = 'break' | 'continue' | undefined;
type RangeNode = Extract<Node, { kind: 'if' | 'with' | 'range' }>;
interface Round {
  /** Undefined where there is none, as for a number. */
  index: Value;
  element: Value;
}

/** Carries out a template and everything it calls. */
export class Walker {
  readonly #setting: Setting;
  readonly #budget: Budget;
  readonly #output: string[] = [];
  /** Templates inside each other. */
  #depth = 0;
  /** Blocks inside each other, over all those templates. */
  #nesting = 0;

  constructor(setting: Setting, budget: Budget) {
    this.#setting = setting;
    this.#budget = budget;
  }

  run(data: Value): string {
    const { template } = this.#setting;
    const nodes = template.trees.get(template.root) ?? [];
    this.#list(nodes, data, new Expressions(this.#setting, data));
    return joinText(this.#output);
  }

  #list(nodes: readonly Node[], dot: Value, scope: Expressions): Leave {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new TemplateProblem('limit', `blocks and templates are nested deeper than ${String(MAX_NESTING)} levels`);
    }
    let leave: Leave;
    for (const node of nodes) {
      leave = this.#node(node, dot, scope);
      if (leave !== undefined) break;
    }
    this.#nesting -= 1;
    return leave;
  }

  #node(node: Node, dot: Value, scope: Expressions): Leave {
    this.#budget.spend(1);
    switch (node.kind) {
      case 'text':
        this.#write(node.text);
        return undefined;
      case 'action': {
        const value = scope.pipe(node.pipe, dot);
        if (node.pipe.variables.length === 0) this.#print(value, node.pipe);
        return undefined;
      }
      case 'if':
      case 'with':
        return this.#choose(node, dot, scope);
      case 'range':
        return this.#range(node, dot, scope);
      case 'template':
        this.#call(node, dot, scope);
        return undefined;
      default:
        return node.kind;
    }
  }

  #choose(node: RangeNode, dot: Value, scope: Expressions): Leave {
    const { known } = scope;
    const value = scope.pipe(node.pipe, dot);
    const leave = isTrue(value)
      ? this.#list(node.body, node.kind === 'with' ? value : dot, scope)
      : this.#list(node.otherwise ?? [], dot, scope);
    scope.forget(known);
    return leave;
  }

  #range(node: RangeNode, dot: Value, scope: Expressions): Leave {
    const { known } = scope;
    const { variables } = node.pipe;
    const { value } = indirect(scope.pipe(node.pipe, dot));
    // Those that the range declares stay until its end, those of its body do not.
    const declared = scope.known;
    let isEmpty = true;
    let leave: Leave;
    for (const { index, element } of this.#rounds(value, node.pipe)) {
      isEmpty = false;
      this.#budget.spend(1);
      const values = variables.length > 1 ? [index, element] : [element];
      for (const [at, name] of variables.entries()) scope.assign(name, values[at]);
      leave = this.#list(node.body, element, scope);
      scope.forget(declared);
      if (leave === 'break') break;
    }
    if (!isEmpty) {
      scope.forget(known);
      return undefined;
    }
    leave = this.#list(node.otherwise ?? [], dot, scope);
    scope.forget(known);
    // It was read as leaving the range around this one, but Go catches it here.
    return leave === 'break' ? undefined : leave;
  }

  *#rounds(value: Value, pipe: Pipe): Generator<Round> {
    if (value === undefined || value === null) return;
    if (value instanceof Int) {
      if (pipe.variables.length > 1) {
        throw this.#problem(`can't use ${String(value.value)} to iterate over more than one variable`, pipe);
      }
      for (let at = 0n; at < value.value; at += 1n) yield { index: undefined, element: new Int(value.type, at) };
    } else if (value instanceof List) {
      for (const [at, element] of value.items.entries()) yield { index: int(at), element };
    } else if (value instanceof Mapping) {
      for (const key of value.keys().toSorted(compareText)) yield { index: key, element: value.get(key) };
    } else throw this.#problem(`range can't iterate over ${this.#shown(value)}`, pipe);
  }

  #call(node: Extract<Node, { kind: 'template' }>, dot: Value, scope: Expressions): void {
    const nodes = this.#setting.template.trees.get(node.name);
    if (nodes === undefined) throw this.#problem(`template ${JSON.stringify(node.name)} not defined`, node);
    if (this.#depth >= MAX_DEPTH) {
      throw new TemplateProblem('limit', `exceeded maximum template depth (${String(MAX_DEPTH)})`, node.at);
    }
    const data = node.pipe === undefined ? undefined : scope.pipe(node.pipe, dot);
    this.#depth += 1;
    this.#list(nodes, data, new Expressions(this.#setting, data));
    this.#depth -= 1;
  }

  #print(value: Value, place: { at: number; end: number }): void {
    const shown = value instanceof Pointer ? indirectForPrint(value) : value;
    if (shown === undefined) this.#write('<no value>');
    else if (typeof shown === 'string') this.#write(shown);
    else {
      try {
        this.#write(sprint([shown], this.#budget));
      } catch (error) {
        if (error instanceof FunctionProblem) throw this.#problem(error.message, place);
        throw error;
      }
    }
  }

  #shown(value: Value): string {
    return sprint([value], this.#budget).slice(0, 100);
  }

  #write(text: string): void {
    this.#budget.write(text);
    this.#output.push(text);
  }

  #problem(message: string, { at, end }: { at: number; end: number }): TemplateProblem {
    return new TemplateProblem('run', message, at, this.#setting.template.text.slice(at, end));
  }
}

/** What it points at, unless it prints itself or is nil. */
function indirectForPrint(pointer: Pointer): Value {
  return pointer.type.string === undefined ? indirect(pointer).value : pointer;
}
