/** The significant digits of a number without trailing zeros: 0.DIGITS times ten to the power of `point`. */
export interface Decimal {
  digits: string;
  point: number;
}

/** No float64 has more digits than this behind its point; what follows are zeros. */
export const MAX_DIGITS = 1100;

/** The fewest digits that mean this number and no other. The sign is the caller's. */
export function shortest(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return trimmed(mantissa.replace('.', ''), Number(exponent) + 1);
}

/** Rounded to this many digits behind the point, halves to the even digit. */
export function fixed(value: number, places: number): Decimal {
  const scaled = scaledInteger(value, Math.min(places, MAX_DIGITS)).toString();
  return trimmed(scaled, scaled.length - Math.min(places, MAX_DIGITS));
}

/** Rounded to this many significant digits, halves to the even digit. */
export function significant(value: number, count: number): Decimal {
  if (value === 0) return { digits: '', point: 0 };
  const { point } = shortest(value);
  const wanted = Math.min(count, MAX_DIGITS);
  const digits = scaledInteger(value, wanted - point).toString();
  // The shortest form of 9.9999 may round up to one digit more.
  const extra = digits.length - wanted;
  return extra > 0
    ? trimmed(scaledInteger(value, wanted - point - extra).toString(), point + extra)
    : trimmed(digits, point);
}

function trimmed(digits: string, point: number): Decimal {
  const leading = /^0*/.exec(digits)?.[0].length ?? 0;
  let end = digits.length;
  while (end > leading && digits[end - 1] === '0') end -= 1;
  return end === leading ? { digits: '', point: 0 } : { digits: digits.slice(leading, end), point: point - leading };
}

/** The number times ten to the power of `places`, rounded to an integer, halves to the even one. */
function scaledInteger(value: number, places: number): bigint {
  const { mantissa, exponent } = parts(Math.abs(value));
  let numerator = mantissa * (places > 0 ? 10n ** BigInt(places) : 1n);
  let denominator = places < 0 ? 10n ** BigInt(-places) : 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  const roundsUp = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

/** The number as mantissa times two to the power of the exponent. */
export function parts(value: number): { mantissa: bigint; exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const fraction = raw & 0xf_ffff_ffff_ffffn;
  const biased = Number((raw >> 52n) & 0x7ffn);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10_0000_0000_0000n, exponent: biased - 1075 };
}
