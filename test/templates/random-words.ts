import type { Kind } from './functions.ts';

const WORDS = [
  ...[
    '',
    'a',
    'ab c',
    'Hello World',
    'my-db',
    'snake_case_word',
    'HTTPServer2Go',
    'x'.repeat(30),
    '-12',
    '007',
    '3.75',
  ],
  ...['0x1f', '1e3', 'true', ' padded \t', 'a,b,,c', '/srv/../data//file.tar.gz', 'päth/ß日本', '<b>&"quoted"\'</b>'],
  ...['line one\nline two\n', 'a\\b', 'aGVsbG8=', 'aGVs!', 'NBSWY3DP', '$1-${1}x', '%', 'é', '\u2028', '😀 smile'],
  ...['string', 'map', 'int', '2021-05-06T07:08:09.123456789Z', '2h45m', 'UTC'],
];
const LETTERS = [
  ...[
    'a',
    'b',
    'Z',
    'Q',
    '0',
    '7',
    '9',
    '-',
    '_',
    ' ',
    '/',
    '.',
    ',',
    '=',
    '+',
    ':',
    '\n',
    '\t',
    '"',
    "'",
    '\\',
    '<',
    '&',
  ],
  ...[
    'é',
    'ß',
    'İ',
    'ı',
    'Σ',
    'ς',
    'ǆ',
    'ა',
    'ᾳ',
    '日',
    '😀',
    '\u00a0',
    '\u0085',
    '\u200b',
    '\ufeff',
    '\u0000',
    '\u007f',
    'ŉ',
    'Ⅷ',
    '٣',
  ],
];
const TOKENS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  pattern: [
    ...[
      'a',
      'b',
      'o',
      'l',
      '.',
      '\\w',
      '\\d',
      '\\s',
      '[a-z]',
      '[^b]',
      '(',
      ')',
      '(?:',
      '(?P<n>',
      '|',
      '*',
      '+',
      '?',
      '*?',
      '+?',
      '??',
    ],
    ...['{2}', '{1,2}', '{0,2}?', '^', '$', '\\b', '(?i)', '(?U)', '(a|ab)', '(l*)', 'é', '-', '()', '(|a)*'],
  ],
  layout: [
    ...[
      '2006',
      '06',
      '01',
      '1',
      'Jan',
      'January',
      '02',
      '2',
      '_2',
      '__2',
      '002',
      'Mon',
      'Monday',
      '15',
      '3',
      '03',
      '4',
      '04',
    ],
    ...[
      '5',
      '05',
      '.000',
      '.999',
      ',999999',
      'PM',
      'pm',
      'MST',
      '-0700',
      '-07:00',
      'Z07:00',
      'Z0700',
      '-07',
      'Z07:00:00',
      'T',
      ' ',
      '-',
      ':',
      '/',
      'at ',
      'z07:00',
      't',
    ],
  ],
  duration: ['1', '24', '2.5', '-', 'h', 'm', 's', 'ms', 'ns', 'h30m', '.5h', 'x'],
  version: ['1', '2', '0', '10', '.', '.', 'v', '-rc', '-alpha.1', '+build', 'x', '.3'],
  constraint: [
    '>=',
    '<',
    '=',
    '!=',
    '~',
    '^',
    '>',
    '<=',
    '~>',
    ' ',
    ',',
    '||',
    '1',
    '1.2',
    '2.x',
    '*',
    '1.2.3',
    '0.0.0',
    ' - ',
    '3.0.0-rc',
  ],
  url: [
    'http:',
    'https:',
    '//',
    '/',
    'host',
    'host.example',
    ':80',
    '@',
    'user',
    ':pw',
    '?',
    'a=b',
    '#',
    'frag',
    '%20',
    '%zz',
    '[::1]',
    ' ',
    'é',
    '*',
    '..',
  ],
};
const FLAGS = ['', '', '', '+', '-', '#', ' ', '0', '+0', '-#'];
const WIDTHS = ['', '', '', '5', '10', '3', '*', '[1]', '[2]*', '12'];
const PRECISIONS = ['', '', '', '.0', '.1', '.3', '.', '.*', '.10'];
const VERBS = [
  'v',
  's',
  'd',
  'q',
  'T',
  'x',
  'X',
  'f',
  'e',
  'g',
  't',
  'c',
  'U',
  'o',
  'b',
  'z',
  '%',
  'O',
  'E',
  'G',
  'w',
  ' ',
];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Local', 'Nowhere/City', ''];
const INTS = [
  ...[
    '0',
    '1',
    '2',
    '3',
    '-1',
    '7',
    '42',
    '100',
    '0x1F',
    '1_000',
    "'a'",
    '9223372036854775807',
    '-9223372036854775808',
    '-5',
  ],
  ...['0o17', '0b101', '9223372036854775808', '4611686018427387904'],
];
const FLOATS = [
  '1.5',
  '0.0',
  '-2.25',
  '1e3',
  '3.14159',
  '1e21',
  '2.5e-7',
  '.5',
  '100000.0',
  '1e6',
  '0.1',
  '123456789.0',
  '-0.0',
  '1e100',
  '0x1p-2',
];

/** Texts and numbers of each kind, usual ones and odd ones. */
export class RandomWords {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  of(kind: Kind): string {
    if (kind === 'int')
      return this.#random() < 0.7 ? this.#pick(INTS) : String(Math.floor((this.#random() - 0.3) * 1000));
    if (kind === 'float')
      return this.#random() < 0.6
        ? this.#pick(FLOATS)
        : ((this.#random() - 0.5) * 10 ** this.#below(12)).toFixed(this.#below(6) + 1);
    if (kind === 'format') return this.#some(3, () => this.#verb());
    if (kind === 'zone') return this.#pick(ZONES);
    const tokens = TOKENS[kind];
    if (tokens !== undefined) return this.#some(6, () => this.#pick(tokens));
    return this.#random() < 0.6 ? this.#pick(WORDS) : this.#some(8, () => this.#pick(LETTERS));
  }

  #verb(): string {
    const before = this.#random() < 0.3 ? 'x' : '';
    return `${before}%${this.#pick(FLAGS)}${this.#pick(WIDTHS)}${this.#pick(PRECISIONS)}${this.#pick(VERBS)}`;
  }

  #some(most: number, make: () => string): string {
    return Array.from({ length: 1 + this.#below(most) }, make).join('');
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}
