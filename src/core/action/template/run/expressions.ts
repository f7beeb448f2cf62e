import type { Command, Operand, Pipe, Template } from '../parse/node.ts';
import { FunctionProblem, TemplateProblem } from '../problem.ts';
import { held, isTrue } from '../value/inspect.ts';
import { zeroOf } from '../value/make.ts';
import { REFLECT } from '../value/type.ts';
import { List, type Callable, type Run, type Type, type Value } from '../value/value.ts';
import { canBeNil, fitted, literalFor, literalValue } from './convert.ts';
import { findField, type MissingKey } from './fields.ts';

/** No value came down the pipeline; a value that is nothing is another matter. */
const NONE: unique symbol = Symbol('none');
type Piped = Value | typeof NONE;

interface Call {
  readonly name: string;
  readonly function: Callable;
  readonly args: readonly Operand[];
  readonly piped: Piped;
  readonly at: Operand;
}

interface Variable {
  readonly name: string;
  value: Value;
}

export interface Setting {
  readonly template: Template;
  readonly functions: ReadonlyMap<string, Callable>;
  readonly missingKey: MissingKey;
  readonly run: Run;
}

/** Evaluates the pipelines of one template; a template that it calls has its own variables. */
export class Expressions {
  readonly #setting: Setting;
  readonly #variables: Variable[];

  constructor(setting: Setting, data: Value) {
    this.#setting = setting;
    this.#variables = [{ name: '$', value: data }];
  }

  /** How many variables there are, to be given to `forget` at the end of a block. */
  get known(): number {
    return this.#variables.length;
  }

  forget(known: number): void {
    this.#variables.length = known;
  }

  assign(name: string, value: Value): void {
    const variable = this.#variables.findLast((candidate) => candidate.name === name);
    if (variable === undefined) throw new TemplateProblem('run', `undefined variable: ${name}`);
    variable.value = value;
  }

  pipe(pipe: Pipe, dot: Value): Value {
    let value: Piped = NONE;
    for (const command of pipe.commands) value = held(this.#command(command, dot, value));
    const result = value === NONE ? undefined : value;
    for (const name of pipe.variables) {
      if (pipe.isAssign) this.assign(name, result);
      else this.#variables.push({ name, value: result });
    }
    return result;
  }

  #command({ first, args }: Command, dot: Value, piped: Piped): Value {
    this.#setting.run.spend(1);
    switch (first.kind) {
      case 'field':
        return this.#chain(first, { receiver: dot, names: first.names, args, piped, dot });
      case 'chain':
        return this.#chain(first, { receiver: this.#chained(first, dot), names: first.names, args, piped, dot });
      case 'variable': {
        const receiver = this.#variable(first.variable);
        if (first.names.length > 0) return this.#chain(first, { receiver, names: first.names, args, piped, dot });
        this.#mustBeAlone(first, args, piped);
        return receiver;
      }
      case 'function':
        return this.#function(first, args, piped, dot);
      case 'pipe':
        this.#mustBeAlone(first, args, piped);
        return this.pipe(first.pipe, dot);
      case 'dot':
        this.#mustBeAlone(first, args, piped);
        return dot;
      case 'nil':
        this.#mustBeAlone(first, args, piped);
        throw this.#problem('nil is not a command', first);
      default:
        this.#mustBeAlone(first, args, piped);
        return this.#telling(first, () => literalValue(first));
    }
  }

  #mustBeAlone(first: Operand, args: readonly Operand[], piped: Piped): void {
    if (args.length === 0 && piped === NONE) return;
    throw this.#problem(`can't give argument to non-function ${this.#source(first)}`, first);
  }

  #variable(name: string): Value {
    const variable = this.#variables.findLast((candidate) => candidate.name === name);
    if (variable === undefined) throw new TemplateProblem('run', `undefined variable: ${name}`);
    return variable.value;
  }

  #chained({ of }: Extract<Operand, { kind: 'chain' }>, dot: Value): Value {
    if (of.kind === 'nil') throw this.#problem('indirection through explicit nil', of);
    return this.#operand(of, dot);
  }

  #function(first: Extract<Operand, { kind: 'function' }>, args: readonly Operand[], piped: Piped, dot: Value): Value {
    const { name } = first;
    const known = this.#setting.functions.get(name);
    if (known === undefined) throw this.#problem(`${JSON.stringify(name)} is not a defined function`, first);
    return this.#call({ name, function: known, args, piped, at: first }, dot);
  }

  /** `.a.b.c` and its arguments, which only a method at the end can take. */
  #chain(
    at: Operand,
    chain: { receiver: Value; names: readonly string[]; args: readonly Operand[]; piped: Piped; dot: Value },
  ): Value {
    const { names, args, piped, dot } = chain;
    let { receiver } = chain;
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1;
      const found = this.#telling(at, () => findField(receiver, name, this.#setting.missingKey));
      const given: Pick<Call, 'args' | 'piped'> = isLast ? { args, piped } : { args: [], piped: NONE };
      if ('method' in found) {
        receiver = this.#call({ name, function: found.method, ...given, at }, dot);
        continue;
      }
      if ((given.args.length > 0 || given.piped !== NONE) && found.isIn !== 'nothing') {
        const why =
          found.isIn === 'map'
            ? `${name} is not a method but has arguments`
            : `${name} has arguments but cannot be invoked as function`;
        throw this.#problem(why, at);
      }
      receiver = found.value;
    }
    return receiver;
  }

  #call(call: Call, dot: Value): Value {
    const { name, args, piped, at } = call;
    const { takes, rest } = call.function;
    const count = args.length + (piped === NONE ? 0 : 1);
    if (rest !== undefined && count < takes.length) {
      throw this.#problem(
        `wrong number of args for ${name}: want at least ${String(takes.length)} got ${String(args.length)}`,
        at,
      );
    }
    if (rest === undefined && count !== takes.length) {
      throw this.#problem(`wrong number of args for ${name}: want ${String(takes.length)} got ${String(count)}`, at);
    }
    if (name === 'and' || name === 'or') return this.#logic(call, dot);
    const typeAt = (index: number): Type => takes[index] ?? (rest as Type);
    const values = args.map((arg, index) => this.#argument(arg, typeAt(index), dot));
    if (piped !== NONE) values.push(this.#telling(at, () => fitted(piped, typeAt(args.length))));
    const { run } = this.#setting;
    const result = this.#telling(at, () => call.function.call(values, run), `error calling ${name}: `);
    run.spend(1 + (typeof result === 'string' ? result.length / 16 : result instanceof List ? result.length : 0));
    return result;
  }

  /** The first argument that decides, or the last; those after it are not evaluated. */
  #logic({ name, args, piped, function: { takes } }: Call, dot: Value): Value {
    const [type = REFLECT] = takes;
    let value: Value;
    for (const arg of args) {
      value = this.#argument(arg, type, dot);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return piped === NONE ? value : piped;
  }

  #argument(operand: Operand, type: Type, dot: Value): Value {
    if (operand.kind === 'nil') {
      if (canBeNil(type)) return type.kind === 'struct' ? undefined : zeroOf(type);
      throw this.#problem(`cannot assign nil to ${type.text}`, operand);
    }
    if (operand.kind === 'bool' || operand.kind === 'string' || operand.kind === 'number') {
      return this.#telling(operand, () => literalFor(operand, type, this.#source(operand)));
    }
    const value = this.#operand(operand, dot);
    return this.#telling(operand, () => fitted(value, type));
  }

  /** An operand by itself, where nothing is piped into it and no type is asked for. */
  #operand(operand: Operand, dot: Value): Value {
    if (operand.kind === 'pipe') return this.pipe(operand.pipe, dot);
    return this.#command({ first: operand, args: [], at: operand.at, end: operand.end }, dot, NONE);
  }

  /** What goes wrong inside is told with the place in the template. */
  #telling<T>(place: { at: number; end: number }, work: () => T, prefix = ''): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof FunctionProblem) throw this.#problem(prefix + error.message, place);
      throw error;
    }
  }

  #problem(message: string, place: { at: number; end: number }): TemplateProblem {
    return new TemplateProblem('run', message, place.at, this.#source(place));
  }

  #source({ at, end }: { at: number; end: number }): string {
    return this.#setting.template.text.slice(at, end);
  }
}
