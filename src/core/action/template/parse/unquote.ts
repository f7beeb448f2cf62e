import { fromBytes, joinText } from '../value/go-text.ts';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
const ESCAPE = /\\(?:([abfnrtv\\])|(["'])|([0-7]{3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|)/g;

/** What a quoted string of Go means, quotes included; undefined where Go refuses it. */
export function unquote(quoted: string): string | undefined {
  const quote = quoted.charAt(0);
  const inside = quoted.slice(1, -1);
  if (quote === '`') return inside.replaceAll('\r', '');
  let isWrong = false;
  const parts: string[] = [];
  let end = 0;
  for (const match of inside.matchAll(ESCAPE)) {
    const meant = meaning(match, quote);
    isWrong ||= meant === undefined;
    parts.push(inside.slice(end, match.index), meant ?? '');
    end = match.index + match[0].length;
  }
  return isWrong ? undefined : joinText([...parts, inside.slice(end)]);
}

function meaning(match: RegExpMatchArray, quote: string): string | undefined {
  const [, simple, quoteSign, octal, byte, short, long] = match;
  if (simple !== undefined) return SIMPLE[simple];
  if (quoteSign !== undefined) return quoteSign === quote ? quoteSign : undefined;
  const code = octal ?? byte;
  if (code !== undefined) return oneByte(Number.parseInt(code, octal === undefined ? 16 : 8));
  const point = Number.parseInt(short ?? long ?? '', 16);
  const isRune = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isRune ? String.fromCodePoint(point) : undefined;
}

function oneByte(code: number): string | undefined {
  return code > 0xff ? undefined : fromBytes(Uint8Array.of(code));
}
