import { sprint } from '../format/printf.ts';
import { FunctionProblem } from '../problem.ts';
import { any, costly, fn, real, text, variadic, whole } from '../value/function.ts';
import { indirect } from '../value/inspect.ts';
import { int, int64 } from '../value/make.ts';
import { INT, INTS } from '../value/type.ts';
import { Int, List, type Callable, type Run, type Value } from '../value/value.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** As Go parses it; undefined for what is no number or too large. */
function parseInteger(digits: string, base: 8 | 10): bigint | undefined {
  const pattern = base === 8 ? /^[+-]?[0-7]+$/ : /^[+-]?\d+$/;
  // Longer ones are too large, unless they are zeros, and take long to read.
  if (!pattern.test(digits) || digits.length > 1000) return undefined;
  const magnitude = BigInt((base === 8 ? '0o' : '') + digits.replace(/^[+-]/, ''));
  return digits.startsWith('-') ? -magnitude : magnitude;
}

const fits = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64;

/** sprig's idea of a whole number: nought for whatever is none. */
export function wholeOf(value: Value): bigint {
  if (typeof value === 'string') {
    const parsed = parseInteger(value, 10);
    return parsed !== undefined && fits(parsed) ? parsed : 0n;
  }
  const { value: target } = indirect(value);
  if (target instanceof Int) return target.value > MAX_INT64 ? MAX_INT64 : target.value;
  if (typeof target === 'boolean') return target ? 1n : 0n;
  if (typeof target !== 'number') return 0n;
  // What the processor makes of a float that does not fit.
  const isOutside = Number.isNaN(target) || Math.abs(target) >= 2 ** 63;
  return isOutside ? MIN_INT64 : BigInt(Math.trunc(target));
}

export function realOf(value: Value): number {
  if (typeof value === 'string') return parseReal(value);
  const { value: target } = indirect(value);
  if (target instanceof Int) return Number(target.value);
  if (typeof target === 'boolean') return target ? 1 : 0;
  return typeof target === 'number' ? target : 0;
}

function parseReal(digits: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(digits);
  if (special !== null) {
    if (special[2]?.toLowerCase() === 'nan') return special[1] === '' ? Number.NaN : 0;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return 0;
  const value = Number(digits);
  return Number.isFinite(value) ? value : 0;
}

/** Unlike its relatives it keeps the largest number where the text means a larger one. */
function atoi(digits: string): Int {
  const parsed = parseInteger(digits, 10);
  if (parsed === undefined || fits(parsed)) return int(parsed ?? 0n);
  return int(parsed > 0n ? MAX_INT64 : MIN_INT64);
}

function divided(a: bigint, b: bigint, divide: (a: bigint, b: bigint) => bigint): Int {
  if (b === 0n) throw new FunctionProblem('runtime error: integer divide by zero');
  return int64(divide(a, b));
}

/** As Go's math.Pow multiplies it, which is not always the nearest. */
function powerOfTen(exponent: number): number {
  let [mantissa, binary] = [1, 0];
  let [factor, factorBinary] = [0.625, 4];
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (Math.abs(factorBinary) > 4096) return exponent < 0 ? 0 : Infinity;
    if (left % 2 === 1) {
      mantissa *= factor;
      binary += factorBinary;
    }
    factor *= factor;
    factorBinary *= 2;
    if (factor < 0.5) {
      factor *= 2;
      factorBinary -= 1;
    }
  }
  if (exponent < 0) [mantissa, binary] = [1 / mantissa, -binary];
  // In two steps: a power of two alone may be too large or too small.
  const half = Math.trunc(binary / 2);
  return mantissa * 2 ** half * 2 ** (binary - half);
}

function round(value: Value, places: number, [from = 0.5]: readonly number[]): number {
  const power = powerOfTen(places);
  const digit = power * realOf(value);
  const rest = digit - Math.trunc(digit);
  return (rest >= from ? Math.ceil(digit) : Math.floor(digit)) / power;
}

function untilStep(run: Run, start: number, stop: number, step: number): List {
  const goesDown = stop < start;
  if (goesDown ? step >= 0 : step <= 0) return new List(INTS, []);
  const count = Math.ceil((stop - start) / step);
  run.spend(count);
  return new List(
    INTS,
    Array.from({ length: count }, (_, index) => new Int(INT, BigInt(start + index * step))),
  );
}

const extreme = (isBetter: (a: bigint, b: bigint) => boolean): Callable =>
  variadic([any], any, (_run, [first], others) =>
    int64(others.map(wholeOf).reduce((best, other) => (isBetter(other, best) ? other : best), wholeOf(first))),
  );
const max = extreme((a, b) => a > b);

export const NUMBERS: Readonly<Record<string, Callable>> = {
  atoi: fn([text], atoi),
  int64: fn([any], (value) => int64(wholeOf(value))),
  int: fn([any], (value) => int(wholeOf(value))),
  float64: fn([any], realOf),
  toDecimal: costly([any], (run, value) => {
    const parsed = parseInteger(sprint([value], run), 8);
    return int64(parsed !== undefined && fits(parsed) ? parsed : 0n);
  }),
  add1: fn([any], (value) => int64(wholeOf(value) + 1n)),
  add: variadic([], any, (_run, _fixed, values) => int64(values.map(wholeOf).reduce((sum, value) => sum + value, 0n))),
  sub: fn([any, any], (a, b) => int64(wholeOf(a) - wholeOf(b))),
  div: fn([any, any], (a, b) => divided(wholeOf(a), wholeOf(b), (x, y) => x / y)),
  mod: fn([any, any], (a, b) => divided(wholeOf(a), wholeOf(b), (x, y) => x % y)),
  mul: variadic([any], any, (_run, [first], values) =>
    int64(values.map(wholeOf).reduce((product, value) => BigInt.asIntN(64, product * value), wholeOf(first))),
  ),
  biggest: max,
  max,
  min: extreme((a, b) => a < b),
  ceil: fn([any], (value) => Math.ceil(realOf(value))),
  floor: fn([any], (value) => Math.floor(realOf(value))),
  round: variadic([any, whole], real, (_run, [value, places], options) => round(value, places, options)),
  until: costly([whole], (run, count) => untilStep(run, 0, count, count < 0 ? -1 : 1)),
  untilStep: costly([whole, whole, whole], untilStep),
};
