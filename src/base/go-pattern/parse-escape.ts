import { patternError } from './pattern-error.ts';
import type { PatternText } from './pattern-text.ts';

const LAST_RUNE = 0x10ffff;
const CONTROLS = new Map(Object.entries({ a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }));
// A single digit would be a reference to a group, which Go does not have.
const OCTAL = /0[0-7]{0,2}|[1-7][0-7]{1,2}/y;
const HEX = /x(?:[0-9A-Fa-f]{2}|\{[0-9A-Fa-f]+\})/y;
/** Characters that an escape leaves as they are: ASCII except letters and digits. */
const ITSELF = /^[^0-9A-Za-z\x80-\uffff]$/;

/** Reads `\n`, `\x61`, `\.` and the like, starting at the backslash. */
export function parseEscape(text: PatternText): number {
  const start = text.at;
  text.take('\\');
  if (text.isAtEnd) throw patternError('trailing backslash at end of expression');
  const octal = text.takeMatch(OCTAL);
  if (octal !== undefined) return Number.parseInt(octal[0], 8);
  const rune = hexRune(text) ?? letterRune(text.next());
  if (rune === undefined || rune > LAST_RUNE) throw patternError('invalid escape sequence', text.since(start));
  return rune;
}

function hexRune(text: PatternText): number | undefined {
  const [hex] = text.takeMatch(HEX) ?? [];
  return hex === undefined ? undefined : Number.parseInt(hex.replaceAll(/[x{}]/g, ''), 16);
}

function letterRune(letter: string): number | undefined {
  return ITSELF.test(letter) ? letter.charCodeAt(0) : CONTROLS.get(letter);
}
