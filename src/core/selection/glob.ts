/** One piece of a pattern: one letter, a set of letters, or a `*` or `?`. */
type Piece = string | readonly string[] | typeof ANYTHING | typeof ANY_ONE;

const ANYTHING = Symbol('*');
const ANY_ONE = Symbol('?');
const FORBIDDEN = /[|()!{},]/;

export function isGlob(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

/** What is wrong with a namespace pattern by the rules of Velero 1.18: `*`, `?` and `[abc]`, nothing else. */
export function globProblem(pattern: string): string | undefined {
  if (FORBIDDEN.test(pattern)) return `"${pattern}" has characters that no pattern may have: | ( ) ! { } ,`;
  if (pattern.includes('**')) return `"${pattern}" has ** where only a single * is allowed`;
  if (pattern.includes('[]')) return `"${pattern}" has empty brackets`;
  const unpaired = unpairedBracket(pattern);
  if (unpaired === '[') return `"${pattern}" has a bracket that is not closed`;
  if (unpaired === ']') return `"${pattern}" has a closing bracket without an opening one`;
  return undefined;
}

/**
 * An opening bracket pairs with the next closing one, whatever is between them; an unpaired opening bracket is reported
 * first.
 */
function unpairedBracket(pattern: string): '[' | ']' | undefined {
  let isOpen = false;
  let isStray = false;
  for (const character of pattern) {
    if (character === ']' && !isOpen) isStray = true;
    if (character === '[' || character === ']') isOpen = character === '[';
  }
  if (isOpen) return '[';
  return isStray ? ']' : undefined;
}

/** A matcher of whole texts. Its time is proportional to pattern times text, whatever the pattern. */
export function globMatcher(pattern: string): (text: string) => boolean {
  if (!isGlob(pattern)) return (text) => text === pattern;
  const pieces = parse(pattern);
  return (text) => matches(pieces, Array.from(text));
}

/** A matcher for texts that match any of the patterns. */
export function anyGlobMatcher(patterns: readonly string[]): (text: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !isGlob(pattern)));
  const matchers = patterns.filter(isGlob).map(globMatcher);
  return (text) => names.has(text) || matchers.some((match) => match(text));
}

function parse(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  const characters = Array.from(pattern);
  const lastClose = characters.lastIndexOf(']');
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const close = character === '[' && at < lastClose ? characters.indexOf(']', at + 1) : -1;
    if (close > at + 1) {
      pieces.push(characters.slice(at + 1, close));
      at = close;
    } else if (character === '*') pieces.push(ANYTHING);
    else pieces.push(character === '?' ? ANY_ONE : String(character));
  }
  return pieces;
}

function isOne(piece: Piece | undefined, character: string): boolean {
  if (typeof piece !== 'object') return piece === ANY_ONE || piece === character;
  // `[a-z]` is a range; in any other brackets a dash is just a dash.
  const [from = '', dash, to = ''] = piece;
  return piece.length === 3 && dash === '-' ? from <= character && character <= to : piece.includes(character);
}

/** Walks both at once; after a mismatch the last `*` takes one character more. */
function matches(pieces: readonly Piece[], text: readonly string[]): boolean {
  let piece = 0;
  let star = -1;
  let starTook = 0;
  for (let at = 0; at < text.length;) {
    const current = pieces[piece];
    if (current === ANYTHING) {
      star = piece;
      starTook = at;
      piece += 1;
    } else if (isOne(current, text[at] ?? '')) {
      piece += 1;
      at += 1;
    } else if (star >= 0) {
      starTook += 1;
      piece = star + 1;
      at = starTook;
    } else return false;
  }
  return pieces.slice(piece).every((rest) => rest === ANYTHING);
}
