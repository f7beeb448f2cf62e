import { isUnsigned } from '../value/type.ts';
import type { Int } from '../value/value.ts';
import { pad, type Flags } from './flags.ts';
import { formatFloat, type FloatVerb } from './float.ts';
import { goQuote, isPrintable } from './quote.ts';

const BASES: Readonly<Record<string, number>> = { d: 10, v: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };
const MAX_RUNE = 0x10ffffn;

/** Undefined for a verb that is not for integers. */
export function formatInt({ value, type }: Int, verb: string, flags: Flags): string | undefined {
  if (verb === 'v' && flags.sharpV && isUnsigned(type)) return integer(value, 'x', { ...flags, sharp: true });
  if (Object.hasOwn(BASES, verb)) return integer(value, verb, flags);
  if (verb === 'c') return pad(runeOf(value), flags);
  if (verb === 'q') return pad(goQuote(runeOf(value), { quote: "'", asciiOnly: flags.plus }), flags);
  return verb === 'U' ? unicode(value, flags) : undefined;
}

function integer(value: bigint, verb: string, flags: Flags): string {
  const isNegative = value < 0n;
  const { width, precision } = flags;
  if (precision === 0 && value === 0n) return pad('', { ...flags, zero: false });
  let digits = (isNegative ? -value : value).toString(BASES[verb]);
  if (verb === 'X') digits = digits.toUpperCase();
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  let least = precision ?? 0;
  if (precision === undefined && flags.zero && !flags.minus && width !== undefined) {
    least = width - sign.length;
  }
  digits = digits.padStart(least, '0');
  return pad(sign + prefix(verb, digits, flags) + digits, { ...flags, zero: false });
}

function prefix(verb: string, digits: string, { sharp }: Flags): string {
  if (verb === 'O') return `0o${sharp && !digits.startsWith('0') ? '0' : ''}`;
  if (!sharp) return '';
  if (verb === 'b') return '0b';
  if (verb === 'o') return digits.startsWith('0') ? '' : '0';
  return verb === 'x' || verb === 'X' ? `0${verb}` : '';
}

function runeOf(value: bigint): string {
  const isRune = value >= 0n && value <= MAX_RUNE && (value < 0xd800n || value > 0xdfffn);
  return isRune ? String.fromCodePoint(Number(value)) : '\ufffd';
}

function unicode(value: bigint, flags: Flags): string {
  const code = BigInt.asUintN(64, value);
  const digits = code
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), '0');
  const character = code <= MAX_RUNE ? runeOf(code) : '';
  const shown = flags.sharp && character !== '' && isPrintable(character) ? ` '${character}'` : '';
  return pad(`U+${digits}${shown}`, { ...flags, zero: false });
}

const FLOATS: Readonly<Record<string, { verb: FloatVerb; precision: number }>> = {
  v: { verb: 'g', precision: -1 },
  b: { verb: 'b', precision: -1 },
  g: { verb: 'g', precision: -1 },
  G: { verb: 'G', precision: -1 },
  x: { verb: 'x', precision: -1 },
  X: { verb: 'X', precision: -1 },
  f: { verb: 'f', precision: 6 },
  F: { verb: 'f', precision: 6 },
  e: { verb: 'e', precision: 6 },
  E: { verb: 'E', precision: 6 },
};

/** Undefined for a verb that is not for floats. */
export function formatReal(value: number, verb: string, flags: Flags): string | undefined {
  const known = Object.hasOwn(FLOATS, verb) ? FLOATS[verb] : undefined;
  if (known === undefined) return undefined;
  const precision = flags.precision ?? known.precision;
  const text = formatFloat(value, known.verb, precision);
  const isSigned = /^[+-]/.test(text);
  const digits = isSigned ? text.slice(1) : text;
  const sign = signOf(isSigned ? text.charAt(0) : '+', flags);
  if (digits === 'Inf' || digits === 'NaN') return unnumbered(digits, sign, { isSigned, flags });
  const shown = flags.sharp && known.verb !== 'b' ? withPoint(digits, known.verb, precision) : digits;
  return signed(sign, shown, flags);
}

function signOf(sign: string, { space, plus }: Flags): string {
  return space && sign === '+' && !plus ? ' ' : sign;
}

/** Infinity and what is no number are never padded with noughts. */
function unnumbered(word: string, sign: string, { isSigned, flags }: { isSigned: boolean; flags: Flags }): string {
  const hasSign = word === 'Inf' ? flags.plus || sign !== '+' || isSigned : flags.space || flags.plus;
  return pad(hasSign ? sign + word : word, { ...flags, zero: false });
}

/** The sign stands before noughts that pad. */
function signed(sign: string, digits: string, flags: Flags): string {
  if (!flags.plus && sign === '+') return pad(digits, flags);
  const { width = 0 } = flags;
  const zeros = flags.zero && !flags.minus ? width - digits.length - 1 : 0;
  return zeros > 0 ? sign + '0'.repeat(zeros) + digits : pad(sign + digits, flags);
}

/** `#` keeps the point, and the zeros that `g` drops. */
function withPoint(text: string, verb: FloatVerb, precision: number): string {
  const split = /^(.*?)((?:[eE](?=[+-]\d+$)|[pP]).*)?$/.exec(text);
  const [, head = '', tail = ''] = split ?? [];
  const keepsZeros = verb === 'g' || verb === 'G' || verb === 'x';
  let missing = keepsZeros ? (precision === -1 ? 6 : precision) : 0;
  const significantDigits = head.replace('.', '').replace(/^0+/, '');
  missing -= significantDigits.length;
  const hasPoint = head.includes('.');
  if (!hasPoint && head === '0') missing -= 1;
  return `${head}${hasPoint ? '' : '.'}${'0'.repeat(Math.max(0, missing))}${tail}`;
}
