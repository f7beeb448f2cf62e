/** One piece of a pattern: anything, or one character that passes. */
type Piece = 'anything' | ((character: string) => boolean);

const FORBIDDEN = /[|()!{},]/;
const ANY_ONE: Piece = () => true;

export function isGlob(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

/** What is wrong with a namespace pattern by the rules of Velero 1.18: `*`, `?` and `[abc]`, nothing else. */
export function globProblem(pattern: string): string | undefined {
  if (FORBIDDEN.test(pattern)) return `"${pattern}" has characters that no pattern may have: | ( ) ! { } ,`;
  if (pattern.includes('**')) return `"${pattern}" has ** where only a single * is allowed`;
  if (pattern.includes('[]')) return `"${pattern}" has empty brackets`;
  const rest = pattern.replace(/\[[^\]]+\]/g, '');
  if (rest.includes('[')) return `"${pattern}" has a bracket that is not closed`;
  if (rest.includes(']')) return `"${pattern}" has a closing bracket without an opening one`;
  return undefined;
}

/** A matcher of whole texts. It takes time in proportion to pattern times text, whatever the pattern. */
export function globMatcher(pattern: string): (text: string) => boolean {
  if (!isGlob(pattern)) return (text) => text === pattern;
  const pieces = parse(pattern);
  return (text) => matches(pieces, Array.from(text));
}

/** A matcher for what any of the patterns matches. */
export function anyGlobMatcher(patterns: readonly string[]): (text: string) => boolean {
  const matchers = patterns.map(globMatcher);
  return (text) => matchers.some((match) => match(text));
}

function parse(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  const characters = Array.from(pattern);
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at];
    const close = character === '[' ? characters.indexOf(']', at + 1) : -1;
    if (close > at + 1) {
      pieces.push(oneOf(characters.slice(at + 1, close)));
      at = close;
    } else if (character === '*') pieces.push('anything');
    else pieces.push(character === '?' ? ANY_ONE : (other) => other === character);
  }
  return pieces;
}

/** `[a-z]` is a range; in any other brackets a dash is only a dash. */
function oneOf(characters: readonly string[]): Piece {
  const [from = '', dash, to = ''] = characters;
  if (characters.length === 3 && dash === '-') return (other) => from <= other && other <= to;
  return (other) => characters.includes(other);
}

/** Walks both at once; after a mismatch the last `*` takes one character more. */
function matches(pieces: readonly Piece[], text: readonly string[]): boolean {
  let piece = 0;
  let star = -1;
  let starTook = 0;
  for (let at = 0; at < text.length;) {
    const current = pieces[piece];
    if (current === 'anything') {
      star = piece;
      starTook = at;
      piece += 1;
    } else if (current?.(text[at] ?? '') === true) {
      piece += 1;
      at += 1;
    } else if (star >= 0) {
      starTook += 1;
      piece = star + 1;
      at = starTook;
    } else return false;
  }
  return pieces.slice(piece).every((rest) => rest === 'anything');
}
