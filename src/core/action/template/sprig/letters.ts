import { runes } from '../value/go-text.ts';

/** Go's simple case mappings: one character becomes one character, unlike in JavaScript. */
const SPACE = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;
/** Letters that are two, whose title case is neither of the others. */
const DIGRAPHS = ['ǄǅǆǄ', 'ǇǈǉǇ', 'ǊǋǌǊ', 'ǱǲǳǱ'];

export const isSpace = (character: string): boolean => SPACE.test(character);
export const isUpper = (character: string): boolean => /^\p{Lu}$/u.test(character);
export const isLower = (character: string): boolean => /^\p{Ll}$/u.test(character);
export const isTitle = (character: string): boolean => /^\p{Lt}$/u.test(character);
export const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
export const isDigit = (character: string): boolean => /^\p{Nd}$/u.test(character);
export const isNumber = (character: string): boolean => /^\p{N}$/u.test(character);
export const isPunctuation = (character: string): boolean => /^\p{P}$/u.test(character);

const isOne = (text: string): boolean => text.length === 1 || (text.length === 2 && Array.from(text).length === 1);

export function upperLetter(character: string): string {
  const upper = character.toUpperCase();
  if (isOne(upper)) return upper;
  // Greek letters with a subscript have a capital of their own, which JavaScript writes as two.
  const code = Number(character.codePointAt(0));
  if (code >= 0x1f80 && code <= 0x1faf && (code & 8) === 0) return String.fromCodePoint(code + 8);
  return code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3 ? String.fromCodePoint(code + 9) : character;
}

export function lowerLetter(character: string): string {
  const lower = character.toLowerCase();
  return isOne(lower) ? lower : 'i';
}

export function titleLetter(character: string): string {
  const digraph = DIGRAPHS.find((letters) => letters.includes(character));
  if (digraph !== undefined) return digraph.charAt(1);
  // Georgian has capitals, but not at the beginning of words.
  return /^[\u10d0-\u10fa\u10fd-\u10ff]$/.test(character) ? character : upperLetter(character);
}

const eachLetter =
  (change: (character: string) => string) =>
  (text: string): string =>
    runes(text).map(change).join('');

export const upperText = eachLetter(upperLetter);
export const lowerText = eachLetter(lowerLetter);

/** strings.Title: a capital at the beginning of each word. */
export function titleText(text: string): string {
  let before = ' ';
  return runes(text)
    .map((character) => {
      const isFirst = isSeparator(before);
      before = character;
      return isFirst ? titleLetter(character) : character;
    })
    .join('');
}

function isSeparator(character: string): boolean {
  if (character <= '\x7f') return !/[0-9A-Za-z_]/.test(character);
  return !isLetter(character) && !isDigit(character) && isSpace(character);
}

/** A small letter at the beginning of each word. */
export function untitleText(text: string): string {
  let isFirst = true;
  return runes(text)
    .map((character) => {
      if (isSpace(character)) {
        isFirst = true;
        return character;
      }
      const written = isFirst ? lowerLetter(character) : character;
      isFirst = false;
      return written;
    })
    .join('');
}

export function swapCase(text: string): string {
  let isAfterSpace = true;
  return runes(text)
    .map((character) => {
      if (isUpper(character) || isTitle(character)) {
        isAfterSpace = false;
        return lowerLetter(character);
      }
      if (!isLower(character)) {
        isAfterSpace = isSpace(character);
        return character;
      }
      const written = isAfterSpace ? titleLetter(character) : upperLetter(character);
      isAfterSpace = false;
      return written;
    })
    .join('');
}

export function trimSpace(text: string): string {
  return trimBy(text, isSpace);
}

/** What the test holds for is taken off both ends. */
export function trimBy(text: string, test: (character: string) => boolean): string {
  const characters = Array.from(text);
  let start = 0;
  let end = characters.length;
  while (start < end && test(String(characters[start]))) start += 1;
  while (end > start && test(String(characters[end - 1]))) end -= 1;
  return start === 0 && end === characters.length ? text : characters.slice(start, end).join('');
}
