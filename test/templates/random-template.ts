import { SIGNATURES, type Kind, type Signature } from './functions.ts';
import { RandomWords } from './random-words.ts';

/** Where data of each kind is, in the data that all random templates get. */
export const PATHS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  text: ['.name', '.empty', '.meta.label', '.quoted', '.options.one', '(index .pods 0)', '.multi'],
  int: ['.count', '.zero', '.big', '.meta.number'],
  float: ['.ratio', '.whole'],
  bool: ['.yes', '.no'],
  list: ['.items', '.none', '.nested.list'],
  texts: ['.pods'],
  dict: ['.meta', '.nested', '.emptyMap'],
  any: [
    '.nothing',
    '.secret',
    '.options',
    '.items',
    '.meta',
    '.name',
    '.count',
    '.nested.deep.deeper',
    '.',
    '.missing',
    '.name.field',
    '.nothing.x',
  ],
};

const RANGED = [
  '3',
  '0',
  '-1',
  '.count',
  '(len .pods)',
  '.name',
  '.nothing',
  '.ratio',
  '.options',
  '.secret',
  '(until 3)',
  '.yes',
];

/** Anything else in their place would be too much for Go, or change from run to run. */
const FIXED: readonly Kind[] = ['small', 'fresh', 'instant'];

type Random = () => number;

/** Makes templates that mostly mean something, from numbers of a seed. */
export class RandomTemplate {
  readonly #random: Random;
  readonly #words: RandomWords;
  #variables: { name: string; kind: Kind }[] = [];
  #ranges = 0;
  #isStrict = false;
  #counter = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#words = new RandomWords(random);
  }

  next(): string {
    // Deep ones end early in some mistake; these try what a function makes of its arguments.
    if (this.#chance(0.4)) return this.#simple();
    this.#variables = [];
    this.#ranges = 0;
    this.#counter = 0;
    const defined = this.#chance(0.1) ? `{{define "part"}}<{{.}}${this.#chance(0.5) ? '{{$}}' : ''}>{{end}}` : '';
    const call = defined !== '' ? '{{template "part" .name}}' : '';
    return defined + this.#body(3) + call;
  }

  #simple(): string {
    const signature = this.#pick(SIGNATURES);
    const args = this.#arguments(signature, this.#chance(0.3) ? 1 : 0);
    const call = [signature.name, ...args].join(' ');
    return `{{ ${call} ${this.#pick(['', '', '| printf "%#v"', '| printf "%T %v"', '| toJson'])} }}`;
  }

  #body(depth: number): string {
    const known = this.#variables.length;
    const parts = Array.from({ length: 1 + this.#below(3) }, () => this.#piece(depth));
    this.#variables.length = known;
    return parts.join('');
  }

  #piece(depth: number): string {
    const roll = this.#random();
    if (roll < 0.15) return this.#pick(['text ', ' \n ', 'a{b', '}}', '  ', 'ü\t']);
    if (depth === 0 || roll < 0.55) return this.#action(depth);
    if (roll < 0.65) return this.#declaration(depth);
    if (roll < 0.76) return this.#condition(depth);
    if (roll < 0.83) return this.#with(depth);
    if (roll < 0.95) return this.#range(depth);
    return this.#pick([
      '{{/* a comment */}}',
      '{{- /* trimmed */ -}}',
      '{{block "b" .name}}[{{.}}]{{end}}',
      '{{"raw" | printf `%s`}}',
    ]);
  }

  #action(depth: number): string {
    if (this.#ranges > 0 && this.#chance(0.1)) return this.#braces(this.#pick(['break', 'continue']));
    return this.#braces(this.#pipeline(this.#kind(), depth));
  }

  #declaration(depth: number): string {
    const kind = this.#kind();
    const value = this.#pipeline(kind, depth);
    if (this.#variables.length > 0 && this.#chance(0.3))
      return this.#braces(`${this.#pick(this.#variables).name} = ${value}`);
    return this.#braces(`${this.#declare(kind)} := ${value}`);
  }

  #condition(depth: number): string {
    const otherwise = this.#chance(0.4)
      ? this.#braces(`else if ${this.#pipeline('bool', 1)}`) + this.#body(depth - 1)
      : '';
    const last = this.#chance(0.5) ? this.#braces('else') + this.#body(depth - 1) : '';
    return `${this.#braces(`if ${this.#pipeline(this.#pick(['bool', 'any', 'text']), 2)}`)}${this.#body(depth - 1)}${otherwise}${last}${this.#braces('end')}`;
  }

  #with(depth: number): string {
    const kind = this.#kind();
    const known = this.#variables.length;
    const value = this.#pipeline(kind, 2);
    const start = this.#chance(0.4) ? `with ${this.#declare(kind)} := ${value}` : `with ${value}`;
    const body = this.#chance(0.5) ? this.#braces('.') : this.#body(depth - 1);
    this.#variables.length = known;
    const last = this.#chance(0.4) ? this.#braces('else') + this.#body(depth - 1) : '';
    return `${this.#braces(start)}${body}${last}${this.#braces('end')}`;
  }

  #range(depth: number): string {
    const known = this.#variables.length;
    const over = this.#pick<Kind>(['list', 'texts', 'dict', 'any']);
    // Go counts as far as it is told to.
    const value = over === 'any' ? this.#pick(RANGED) : this.#ranged(over);
    const names = this.#below(3);
    const variables = Array.from({ length: names }, (_, index) =>
      this.#declare(index === 0 && names === 2 ? 'any' : 'any'),
    );
    const start = names === 0 ? `range ${value}` : `range ${variables.join(', ')} := ${value}`;
    this.#ranges += 1;
    const body = this.#chance(0.5) ? `${this.#braces('.')};${this.#body(0)}` : this.#body(depth - 1);
    this.#ranges -= 1;
    this.#variables.length = known;
    const last = this.#chance(0.3) ? this.#braces('else') + this.#body(0) : '';
    return `${this.#braces(start)}${body}${last}${this.#braces('end')}`;
  }

  /** Always what it should be: a large number in its place would be counted. */
  #ranged(kind: Kind): string {
    this.#isStrict = true;
    const value = this.#pipeline(kind, 1);
    this.#isStrict = false;
    return value;
  }

  #declare(kind: Kind): string {
    this.#counter += 1;
    const name = `$v${this.#counter}`;
    this.#variables.push({ name, kind });
    return name;
  }

  /** A call written with its last argument piped in, or as it is. */
  #pipeline(kind: Kind, depth: number): string {
    const signature = depth > 0 && this.#chance(0.75) ? this.#signature(kind) : undefined;
    if (signature === undefined) return this.#operand(kind, depth, false);
    const args = this.#arguments(signature, depth - 1);
    const last = args.at(-1);
    if (last === undefined || this.#chance(0.5)) return [signature.name, ...args].join(' ');
    const piped = [signature.name, ...args.slice(0, -1)].join(' ');
    const text = `${last} | ${piped}`;
    return !this.#isStrict && this.#chance(0.2)
      ? `${text} | ${this.#pick(['print', 'toString', 'quote', 'toJson', 'len'])}`
      : text;
  }

  #arguments({ takes, rest }: Signature, depth: number): string[] {
    const further = rest === undefined ? [] : Array.from({ length: this.#below(3) }, () => rest);
    const kinds = [...takes, ...further].map((kind) =>
      !this.#isStrict && !FIXED.includes(kind) && this.#chance(0.04) ? this.#kind() : kind,
    );
    if (this.#chance(0.01)) kinds.pop();
    if (this.#chance(0.01)) kinds.push('any');
    return kinds.map((kind) => this.#operand(kind, depth));
  }

  #operand(kind: Kind, depth: number, isArgument = true): string {
    const known = this.#variables.filter((variable) => variable.kind === kind || kind === 'any');
    if (known.length > 0 && this.#chance(0.25)) return this.#pick(known).name;
    const paths = PATHS[kind] ?? [];
    if (paths.length > 0 && this.#chance(0.35)) return this.#pick(paths);
    const signature = depth > 0 && this.#chance(0.6) ? this.#signature(kind) : undefined;
    if (signature !== undefined) {
      const call = `(${[signature.name, ...this.#arguments(signature, depth - 1)].join(' ')})`;
      return kind === 'dict' && this.#chance(0.1) ? `${call}.a` : call;
    }
    return this.#literal(kind, isArgument);
  }

  #literal(kind: Kind, isArgument: boolean): string {
    switch (kind) {
      case 'fresh':
        return this.#pick([
          '(dict)',
          '(dict "a" 1 "inner" (dict "x" 0))',
          '(deepCopy .meta)',
          '(dict "label" "" "list" (list))',
        ]);
      case 'small':
        return this.#pick(['0', '1', '2', '5', '-3']);
      case 'bool':
        return this.#pick(['true', 'false']);
      case 'int':
      case 'float':
        return this.#words.of(kind);
      case 'list':
        return `(list ${this.#pick(['1 2 3', '"b" "a" "b"', 'nil 0 ""', '1 "x" 2.5 true'])})`;
      case 'texts':
        return '(splitList "," "x,y,,z")';
      case 'dict':
        return this.#pick(['(dict "a" 1 "b" "x")', '(dict)', '(dict "a" (dict "c" nil) "k" (list 1))']);
      case 'time':
      case 'instant':
        return `(toDate "2006-01-02T15:04:05.999999999Z07:00" ${this.#pick(['"2021-05-06T07:08:09.123456789Z"', '"1999-12-31T23:59:59+02:00"', '"nonsense"'])})`;
      default:
        return this.#quoted(this.#words.of(kind));
      case 'any':
        return isArgument && this.#chance(0.1)
          ? 'nil'
          : this.#literal(this.#pick<Kind>(['text', 'int', 'float', 'bool', 'list', 'dict', 'time']), isArgument);
    }
  }

  #quoted(text: string): string {
    return this.#chance(0.2) && !text.includes('`') ? `\`${text}\`` : JSON.stringify(text);
  }

  #signature(kind: Kind): Signature | undefined {
    const fitting = SIGNATURES.filter(({ gives }) => gives === kind || kind === 'any');
    return fitting.length === 0 ? undefined : this.#pick(fitting);
  }

  #kind(): Kind {
    return this.#pick<Kind>(['text', 'text', 'int', 'float', 'bool', 'list', 'texts', 'dict', 'time', 'any']);
  }

  #braces(inside: string): string {
    const left = this.#chance(0.15) ? '{{- ' : this.#chance(0.5) ? '{{ ' : '{{';
    const right = this.#chance(0.15) ? ' -}}' : this.#chance(0.5) ? ' }}' : '}}';
    return left + inside + right;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}
