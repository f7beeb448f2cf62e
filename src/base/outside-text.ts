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
 * Control characters, which a terminal acts on; bidirectional marks, which make text look like other text; line
 * separators; and lone surrogates, which UTF-8 cannot encode.
 */
const UNSAFE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu;

const MAX_LENGTH = 1024;

/**
 * Text from somebody else (a store, an API server, an object), made safe to store in a status and to show: one line of
 * bounded length, with special characters escaped as Go quotes them. Cleaning it again changes nothing.
 */
export function cleanText(text: string, maxLength: number = MAX_LENGTH): string {
  // Cut first, so that two megabytes cost no more than one line.
  const clean = text.slice(0, maxLength + 1).replace(UNSAFE, written);
  return clean.length <= maxLength ? clean : `${withoutHalf(clean.slice(0, Math.max(0, maxLength - 1)))}…`;
}

/** The cut may have split a surrogate pair. */
function withoutHalf(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}

function written(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return SHORT[character] ?? (code < 0x80 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`);
}
