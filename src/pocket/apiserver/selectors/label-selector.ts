import type { AppError } from '../../../base/index.ts';
import { badRequest } from '../errors/index.ts';
import { tokenize, type Token } from './label-lexer.ts';

export type Labels = Readonly<Record<string, string>>;

interface Requirement {
  key: string;
  operator: 'exists' | 'absent' | 'in' | 'notIn' | 'greater' | 'less';
  values: readonly string[];
}

export type LabelMatch = (labels: Labels) => boolean;

const LABEL_NAME = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)$/;
const LABEL_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

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
    return { key, ...this.#condition(operator.text) };
  }

  #condition(operator: string): Omit<Requirement, 'key'> {
    switch (operator) {
      case '=':
      case '==':
        return { operator: 'in', values: [this.#exactValue()] };
      case '!=':
        return { operator: 'notIn', values: [this.#exactValue()] };
      case '>':
      case '<':
        return { operator: operator === '>' ? 'greater' : 'less', values: [this.#integer()] };
      case 'in':
        return { operator: 'in', values: this.#set() };
      case 'notin':
        return { operator: 'notIn', values: this.#set() };
      default:
        throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #identifier(): string {
    const token = this.#next();
    if (token.kind !== 'identifier') throw unparsable(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #exactValue(): string {
    const next = this.#peek();
    return next.kind === 'end' || next.text === ',' ? '' : checkedValue(this.#identifier());
  }

  #integer(): string {
    const value = this.#identifier();
    if (!/^[+-]?\d+$/.test(value)) {
      throw unparsable(
        `values[0][${value}]: Invalid value: "${value}": for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return value;
  }

  #set(): string[] {
    const open = this.#next();
    if (open.text !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const token = this.#peek();
      values.push(token.text === ',' || token.text === ')' ? '' : checkedValue(this.#identifier()));
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
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const isGood = LABEL_NAME.test(name) && name.length <= 63 && (prefix === undefined || LABEL_PREFIX.test(prefix));
  if (!isGood)
    throw unparsable(
      `<nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    );
}

function checkedValue(value: string): string {
  if (value === '' || (value.length <= 63 && LABEL_NAME.test(value))) return value;
  throw unparsable(
    `values[0][${value}]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  );
}
