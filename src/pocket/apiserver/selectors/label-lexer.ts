export type TokenKind = 'identifier' | 'operator' | 'end';

export interface Token {
  kind: TokenKind;
  text: string;
}

const SYMBOLS = new Set(['=', '!', '(', ')', ',', '<', '>']);
const SYMBOL_RUN = /[=!(),<>]/;
const WORD = /[^=!(),<>\s]/;
const OPERATORS = ['==', '!=', '=', '!', '(', ')', ',', '<', '>'];

/** Splits a label selector. Words are whatever stands between white space and symbols, as in the real lexer. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    const char = text.charAt(i);
    if (/\s/.test(char)) {
      i += 1;
    } else if (SYMBOLS.has(char)) {
      const operator = OPERATORS.find((candidate) => text.startsWith(candidate, i)) ?? char;
      tokens.push({ kind: 'operator', text: operator });
      i += operator.length;
    } else {
      let end = i + 1;
      while (end < text.length && WORD.test(text.charAt(end)) && !SYMBOL_RUN.test(text.charAt(end))) end += 1;
      tokens.push({ kind: 'identifier', text: text.slice(i, end) });
      i = end;
    }
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}
