import { fixed, parts, shortest, significant, type Decimal } from './decimal.ts';

export type FloatVerb = 'e' | 'E' | 'f' | 'g' | 'G' | 'b' | 'x' | 'X';

/** As strconv.FormatFloat writes a float64: -1 digits means as few as needed. The sign is there only for negatives. */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + unsigned(Math.abs(value), verb, precision);
}

function unsigned(value: number, verb: FloatVerb, precision: number): string {
  const isShortest = precision < 0;
  switch (verb) {
    case 'e':
    case 'E': {
      const decimal = isShortest ? shortest(value) : significant(value, precision + 1);
      return exponential(decimal, isShortest ? Math.max(0, decimal.digits.length - 1) : precision, verb);
    }
    case 'f': {
      const decimal = isShortest ? shortest(value) : fixed(value, precision);
      return plain(decimal, isShortest ? Math.max(0, decimal.digits.length - decimal.point) : precision);
    }
    case 'g':
    case 'G':
      return general(value, verb, precision);
    case 'b':
      return binary(value);
    case 'x':
    case 'X': {
      const text = hexadecimal(value, precision);
      return verb === 'X' ? text.toUpperCase() : text;
    }
  }
}

/** The shorter of the two other forms, roughly. */
function general(value: number, verb: 'g' | 'G', precision: number): string {
  const isShortest = precision < 0;
  const decimal = isShortest ? shortest(value) : significant(value, Math.max(1, precision));
  const { digits, point } = decimal;
  let count = isShortest ? digits.length : Math.max(1, precision);
  let limit = count > digits.length && digits.length >= point ? digits.length : count;
  if (isShortest) limit = 6;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= limit) {
    if (count > digits.length) count = digits.length;
    return exponential(decimal, Math.max(0, count - 1), verb === 'G' ? 'E' : 'e');
  }
  if (count > point) count = digits.length;
  return plain(decimal, Math.max(0, count - point));
}

function exponential({ digits, point }: Decimal, precision: number, letter: 'e' | 'E'): string {
  const first = digits.charAt(0) || '0';
  const rest = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  return `${first}${rest}${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function plain({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  if (precision <= 0) return whole;
  const behind = point >= 0 ? digits.slice(point) : '0'.repeat(Math.min(precision, -point)) + digits;
  return `${whole}.${behind.slice(0, precision).padEnd(precision, '0')}`;
}

function binary(value: number): string {
  const { mantissa, exponent } = parts(value);
  return `${String(mantissa)}p${exponent >= 0 ? '+' : ''}${String(exponent)}`;
}

function hexadecimal(value: number, precision: number): string {
  let { mantissa, exponent } = parts(value);
  if (mantissa === 0n) exponent = 0;
  else {
    // One digit before the point: 1.
    while (mantissa < 1n << 52n) {
      mantissa <<= 1n;
      exponent -= 1;
    }
    exponent += 52;
  }
  if (precision >= 0 && precision < 13) {
    const cut = BigInt((13 - precision) * 4);
    const half = 1n << (cut - 1n);
    const rest = mantissa & ((1n << cut) - 1n);
    mantissa >>= cut;
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa += 1n;
    mantissa <<= cut;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const fraction = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0');
  const shown = precision < 0 ? fraction.replace(/0+$/, '') : fraction.slice(0, precision).padEnd(precision, '0');
  const sign = exponent < 0 ? '-' : '+';
  const first = mantissa === 0n ? '0' : '1';
  return `0x${first}${shown === '' ? '' : `.${shown}`}p${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
