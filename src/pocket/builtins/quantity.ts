/**
 * Kubernetes quantities in the canonical form the real server writes back: `0.5` is `500m`, `1024Mi` is `1Gi`.
 * Follows apimachinery's ParseQuantity, including that it leaves strings it takes for canonical as they are.
 */
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const DECIMAL_BY_EXPONENT = new Map(Object.entries(DECIMAL).map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIXES = ['', ...Object.keys(BINARY)];
const NANO = -9;
const MAX_INT64 = 2n ** 63n - 1n;
// Longer ones are refused, because arithmetic on millions of digits would stop the server.
const MAX_LENGTH = 200;

export const QUANTITY_FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const BAD_SUFFIX = "unable to parse quantity's suffix";

type Format = 'decimal' | 'binary' | 'exponent';
interface Suffix {
  format: Format;
  exponent: number;
}
export type ParsedQuantity = { text: string } | { error: string };

/** mantissa · 10^exponent */
interface Amount {
  mantissa: bigint;
  exponent: number;
}

function readSuffix(text: string): Suffix | undefined {
  const decimal = Object.hasOwn(DECIMAL, text) ? DECIMAL[text] : undefined;
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal };
  const binary = Object.hasOwn(BINARY, text) ? BINARY[text] : undefined;
  if (binary !== undefined) return { format: 'binary', exponent: binary };
  if (!/^[eE][-+]?\d+$/.test(text)) return undefined;
  const exponent = Number(text.slice(1));
  return Math.abs(exponent) < 2 ** 31 ? { format: 'exponent', exponent } : undefined;
}

/** Nothing smaller than the unit is kept; what asked for something gets at least that. */
function roundUp({ mantissa, exponent }: Amount, smallest: number): Amount {
  if (exponent >= smallest || mantissa === 0n) return { mantissa, exponent };
  const digits = smallest - exponent;
  const sign = mantissa < 0n ? -1n : 1n;
  const size = mantissa * sign;
  if (digits > MAX_LENGTH) return { mantissa: sign, exponent: smallest };
  const unit = 10n ** BigInt(digits);
  return { mantissa: sign * ((size + unit - 1n) / unit), exponent: smallest };
}

function stripFactor(value: bigint, factor: bigint): { value: bigint; times: number } {
  let times = 0;
  let rest = value;
  while (rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return { value: rest, times };
}

function writeDecimal({ mantissa, exponent }: Amount, format: Format): string {
  const stripped = stripFactor(mantissa, 10n);
  const full = exponent + stripped.times;
  const down = ((full % 3) + 3) % 3;
  const number = (stripped.value * 10n ** BigInt(down)).toString();
  const suffix = format === 'exponent' ? undefined : DECIMAL_BY_EXPONENT.get(full - down);
  if (suffix !== undefined) return number + suffix;
  return full - down === 0 ? number : `${number}e${full - down}`;
}

/** The value as a whole number, when it is one and small enough to be a number of bytes. */
function wholeNumber({ mantissa, exponent }: Amount): bigint | undefined {
  if (exponent >= 0) return exponent > MAX_LENGTH ? undefined : mantissa * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return mantissa % unit === 0n ? mantissa / unit : undefined;
}

function writeBinary(amount: Amount): string {
  const whole = wholeNumber(amount);
  if (whole === undefined || (whole > -1024n && whole < 1024n)) return writeDecimal(amount, 'decimal');
  const { value, times } = stripFactor(whole, 1024n);
  const suffix = BINARY_SUFFIXES[times];
  return suffix === undefined ? whole.toString() : value.toString() + suffix;
}

/** True when ParseQuantity would take the string for canonical and keep it. */
function isKept(whole: string, fraction: string, { format, exponent }: Suffix, smallest: number): boolean {
  const digits = whole + fraction;
  if (format === 'binary') {
    const precision = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
    return fraction === '' && precision >= 0 && (BigInt(digits) & 7n) !== 0n;
  }
  const scale = exponent - fraction.length;
  const fits = 18 - digits.length >= 0 && scale >= smallest;
  return fits && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

interface Parts {
  sign: bigint;
  whole: string;
  fraction: string;
  suffix: Suffix;
}

function split(text: string): Parts | { error: string } {
  const match = text.length > MAX_LENGTH || text === '' ? null : SHAPE.exec(text);
  if (!match) return { error: QUANTITY_FORMAT_WRONG };
  const [, sign, integer = '', fraction = '', suffixText = ''] = match;
  const suffix = readSuffix(suffixText);
  if (!suffix) return { error: BAD_SUFFIX };
  return { sign: sign === '-' ? -1n : 1n, whole: integer.replace(/^0+/, '') || '0', fraction, suffix };
}

/** `smallest` is the power of ten below which is rounded up; -9, a nano, unless resources are meant. */
export function parseQuantity(input: string, smallest = NANO): ParsedQuantity {
  const text = input.trim();
  const parts = split(text);
  if ('error' in parts) return parts;
  const { sign, whole, fraction, suffix } = parts;
  if (isKept(whole, fraction, suffix, smallest)) return { text };
  const digits = BigInt(whole + fraction) * sign;
  if (digits === 0n) return { text: '0' };
  if (suffix.format !== 'binary') {
    const amount = roundUp({ mantissa: digits, exponent: suffix.exponent - fraction.length }, smallest);
    return { text: writeDecimal(amount, suffix.format) };
  }
  const bytes = roundUp({ mantissa: digits * 2n ** BigInt(suffix.exponent), exponent: -fraction.length }, smallest);
  const isTooLarge = bytes.mantissa * sign > MAX_INT64 * 10n ** BigInt(-bytes.exponent);
  return { text: writeBinary(isTooLarge ? { mantissa: MAX_INT64 * sign, exponent: 0 } : bytes) };
}

/** How much it is, to compare by; undefined when it is no quantity. */
export function quantityValue(input: string): number | undefined {
  const parts = split(input.trim());
  if ('error' in parts) return undefined;
  const { sign, whole, fraction, suffix } = parts;
  const unit = suffix.format === 'binary' ? 2 ** suffix.exponent : Number(`1e${suffix.exponent}`);
  return Number(sign) * Number(`${whole}.${fraction || '0'}`) * unit;
}
