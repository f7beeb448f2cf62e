const SHORT: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/**
 * Control characters, which a terminal obeys; bidirectional marks, which make text look like other text; separators
 * of lines; and halves of surrogate pairs, which UTF-8 cannot carry.
 */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const MAX_LENGTH = 1024;

/**
 * Text that somebody else wrote (a store, an API server, an object), fit to be stored in a status and to be shown: one
 * line of bounded length, with the characters that have an effect written out as Go quotes them. Cleaning it again
 * changes nothing.
 */
export function cleanText(text: string, maxLength: number = MAX_LENGTH): string {
  // Cut first: two megabytes cost no more than one line.
  const clean = text.slice(0, maxLength + 1).replace(UNSAFE, written);
  return clean.length <= maxLength ? clean : `${withoutHalf(clean.slice(0, Math.max(0, maxLength - 1)))}…`;
}

/** A cut may have gone through a pair of surrogates. */
function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

function written(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 0x80 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}
