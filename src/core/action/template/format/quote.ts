/** Letters, marks, numbers, punctuation, symbols and the plain space: what Go calls printable. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const SHORT: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

export interface QuoteOptions {
  quote?: '"' | "'";
  asciiOnly?: boolean;
}

export function isPrintable(character: string): boolean {
  return PRINTABLE.test(character);
}

/** As strconv.Quote does, or its relatives. */
export function goQuote(text: string, { quote = '"', asciiOnly = false }: QuoteOptions = {}): string {
  const written = Array.from(text, (character) => {
    if (character === quote) return `\\${quote}`;
    const code = Number(character.codePointAt(0));
    if (code < 0x20 || character === '\\') return SHORT[character] ?? `\\x${hex(code, 2)}`;
    if (code === 0x7f) return '\\x7f';
    // A byte that is no UTF-8.
    if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
    if (code < 0x80 || (!asciiOnly && isPrintable(character))) return character;
    return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
  });
  return `${quote}${written.join('')}${quote}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** Whether it can stand between backquotes on one line. */
export function canBackquote(text: string): boolean {
  return !/[\0-\x08\x0a-\x1f`\x7f\ufeff\ud800-\udfff]/.test(text.replace(/[\u{10000}-\u{10ffff}]/gu, ''));
}
