export const KEYWORDS = [
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'nil',
  'range',
  'template',
  'with',
] as const;
export type Keyword = (typeof KEYWORDS)[number];

export type TokenKind =
  | 'text'
  | 'left delimiter'
  | 'right delimiter'
  | 'space'
  | 'assign'
  | 'declare'
  | 'pipe'
  | 'comma'
  | 'string'
  | 'raw string'
  | 'variable'
  | 'character'
  | 'dot'
  | 'field'
  | 'number'
  | 'complex'
  | 'bool'
  | 'identifier'
  | 'left paren'
  | 'right paren'
  | 'other'
  | 'end of text'
  | Keyword;

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it begins in the template. */
  readonly at: number;
}

/** As Go's messages call it. */
export function tokenText({ kind, text }: Token): string {
  if (kind === 'end of text') return 'EOF';
  if (KEYWORDS.some((word) => word === kind)) return `<${text}>`;
  return JSON.stringify(text.length > 10 ? `${text.slice(0, 10)}...` : text);
}
