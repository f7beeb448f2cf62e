import { runeCount } from '../value/go-text.ts';

/** What stands between `%` and its verb. */
export interface Flags {
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` and `%#v`, which mean more than plus and sharp elsewhere. */
  plusV: boolean;
  sharpV: boolean;
  width: number | undefined;
  precision: number | undefined;
}

export function noFlags(): Flags {
  return {
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
    width: undefined,
    precision: undefined,
  };
}

/** To the width, counted in characters. */
export function pad(text: string, { width = 0, minus, zero }: Flags): string {
  const missing = width - runeCount(text);
  if (missing <= 0) return text;
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text;
}

/** To the precision, counted in characters. */
export function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined || text.length <= precision) return text;
  return Array.from(text).slice(0, precision).join('');
}
