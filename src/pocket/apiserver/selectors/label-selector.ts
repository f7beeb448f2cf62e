import type { AppError } from '../../../base/index.ts';
import { labelValue, qualifiedName } from '../../schema/index.ts';
import { badRequest } from '../errors/index.ts';
import { tokenize, type Token } from './label-lexer.ts';

export type Labels = Readonly<Record<string, string>>;

interface Requirement {
  key: string;
  operator: 'exists' | 'absent' | 'in' | 'notIn' | 'greater' | 'less';
  values: readonly string[];
}

export type LabelMatch = (labels: Labels) => boolean;

/** Undefined for the empty selector, which everything matches. Throws a 400 as the real server words it. */
export function parseLabelSelector(text: string): LabelMatch | undefined {
  const requirements = new Parser(tokenize(text)).parse();
  if (requirements.length === 0) return undefined;
  return (labels) => requirements.every((requirement) => isMet(requirement, labels));
}

function isMet({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notIn':
      return value === undefined || !values.includes(value);
    case 'greater':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'less':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return requirements;
      if (token.kind !== 'identifier' && token.text !== '!') {
        throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const next = this.#next();
      if (next.kind === 'end') return requirements;
      if (next.text !== ',') throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.kind !== 'identifier' && after.text !== '!') {
        throw badRequest(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? { kind: 'end', text: '' };
  }

  #next(): Token {
    const token = this.#peek();
    this.#position += 1;
    return token;
  }

  #requirement(): Requirement {
    const isNegated = this.#peek().text === '!';
    if (isNegated) this.#next();
    const key = this.#identifier();
    checkKey(key);
    if (isNegated) return { key, operator: 'absent', values: [] };
    const operator = this.#peek();
    if (operator.kind === 'end' || operator.text === ',') return { key, operator: 'exists', values: [] };
    this.#next();
    return { key, ...this.#condition(key, operator.text) };
  }

  #condition(key: string, operator: string): Omit<Requirement, 'key'> {
    switch (operator) {
      case '=':
      case '==':
        return { operator: 'in', values: [this.#exactValue(key)] };
      case '!=':
        return { operator: 'notIn', values: [this.#exactValue(key)] };
      case '>':
      case '<':
        return { operator: operator === '>' ? 'greater' : 'less', values: [this.#integer()] };
      case 'in':
        return { operator: 'in', values: this.#set(key) };
      case 'notin':
        return { operator: 'notIn', values: this.#set(key) };
      default:
        throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #identifier(): string {
    const token = this.#next();
    if (token.kind !== 'identifier') throw unparsable(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #exactValue(key: string): string {
    const next = this.#peek();
    return next.kind === 'end' || next.text === ',' ? '' : checkedValue(this.#identifier(), `values[0][${key}]`);
  }

  #integer(): string {
    const value = this.#identifier();
    if (!/^[+-]?\d+$/.test(value)) {
      throw unparsable(`values[0]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`);
    }
    return value;
  }

  #set(key: string): string[] {
    const open = this.#next();
    if (open.text !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const token = this.#peek();
      values.push(
        token.text === ',' || token.text === ')'
          ? ''
          : checkedValue(this.#identifier(), `values[${values.length}][${key}]`),
      );
      const separator = this.#next();
      if (separator.text === ')') return values;
      if (separator.text !== ',') throw unparsable(`found '${separator.text}', expected: ',' or ')'`);
    }
  }
}

function unparsable(why: string): AppError {
  return badRequest(`unable to parse requirement: ${why}`);
}

function checkKey(key: string): void {
  const [wrong] = qualifiedName(key);
  if (wrong !== undefined) throw unparsable(`<nil>: Invalid value: ${JSON.stringify(key)}: ${wrong}`);
}

function checkedValue(value: string, field: string): string {
  const [wrong] = labelValue(value);
  if (wrong === undefined) return value;
  throw unparsable(`${field}: Invalid value: ${JSON.stringify(value)}: ${wrong}`);
}
