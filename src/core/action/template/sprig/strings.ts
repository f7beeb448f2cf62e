import { sprint, sprintf } from '../format/printf.ts';
import { goQuote } from '../format/quote.ts';
import { FunctionProblem } from '../problem.ts';
import { byteLength, byteSlice, joinText, toBytes } from '../value/go-text.ts';
import { any, costly, fn, text, variadic, whole } from '../value/function.ts';
import { texts } from '../value/make.ts';
import { TEXT_MAP } from '../value/type.ts';
import { Mapping, type Callable, type Run } from '../value/value.ts';
import { abbreviate, wrapText } from './abbreviate.ts';
import { camelWords, lowerWords } from './casing.ts';
import { isSpace, lowerText, swapCase, titleText, trimBy, trimSpace, untitleText, upperText } from './letters.ts';
import { textOf, textsOf } from './text-of.ts';

const outOfRange = (range: string): FunctionProblem =>
  new FunctionProblem(`runtime error: slice bounds out of range [${range}]`);

function repeat(run: Run, count: number, part: string): string {
  if (count < 0) throw new FunctionProblem('strings: negative Repeat count');
  run.spend((count * part.length) / 16);
  return joinText([part.repeat(count)]);
}

function indent(run: Run, spaces: number, content: string): string {
  const pad = repeat(run, spaces, ' ');
  run.spend((pad.length * content.split('\n').length) / 16);
  return pad + content.replaceAll('\n', `\n${pad}`);
}

function truncate(length: number, content: string): string {
  if (byteLength(content) <= length) return content;
  if (length < 0) throw outOfRange(`:${String(length)}`);
  return byteSlice(content, 0, length);
}

function substring(start: number, end: number, content: string): string {
  const length = byteLength(content);
  const from = Math.max(0, start);
  const to = start >= 0 && (end < 0 || end > length) ? length : end;
  if (to < 0 || to > length) throw outOfRange(`:${String(to)}`);
  if (from > to) throw outOfRange(`${String(from)}:${String(to)}`);
  return byteSlice(content, from, to);
}

/** At an empty text there is something to replace between all characters. */
function replaceAll(run: Run, old: string, by: string, source: string): string {
  const pieces = old === '' ? ['', ...Array.from(source), ''] : source.split(old);
  run.spend(pieces.length + (pieces.length * by.length) / 16);
  return joinText(pieces, by);
}

/** Into at most `limit` parts; all of them if it is negative, none if it is nought. */
export function splitText(content: string, separator: string, limit = -1): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? Array.from(content) : content.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function numbered(parts: readonly string[]): Mapping {
  return new Mapping(
    TEXT_MAP,
    parts.map((part, index) => [`_${String(index)}`, part]),
  );
}

/** The library looks at bytes, and takes each for a character. */
function byteLetters(content: string): string[] {
  return Array.from(toBytes(content), (byte) => String.fromCharCode(byte));
}

function initials(content: string): string {
  let isFirst = true;
  return byteLetters(content)
    .filter((letter) => {
      const wasFirst = isFirst;
      isFirst = isSpace(letter);
      return wasFirst && !isFirst;
    })
    .join('');
}

function withoutSpace(content: string): string {
  const letters = byteLetters(content);
  const kept = letters.filter((letter) => !isSpace(letter));
  return kept.length === letters.length ? content : kept.join('');
}

const unary = (change: (content: string) => string): Callable => fn([text], change);

export const STRINGS: Readonly<Record<string, Callable>> = {
  abbrev: fn([whole, text], (width, content) => (width < 4 ? content : abbreviate(content, 0, width))),
  abbrevboth: fn([whole, whole, text], (left, right, content) =>
    right < 4 || (left > 0 && right < 7) ? content : abbreviate(content, left, right),
  ),
  trunc: fn([whole, text], truncate),
  trim: unary(trimSpace),
  upper: unary(upperText),
  lower: unary(lowerText),
  title: unary(titleText),
  untitle: unary(untitleText),
  substr: fn([whole, whole, text], substring),
  repeat: costly([whole, text], repeat),
  trimall: fn([text, text], (cut, content) => trimBy(content, (letter) => cut.includes(letter))),
  trimAll: fn([text, text], (cut, content) => trimBy(content, (letter) => cut.includes(letter))),
  trimSuffix: fn([text, text], (suffix, content) =>
    suffix !== '' && content.endsWith(suffix) ? content.slice(0, -suffix.length) : content,
  ),
  trimPrefix: fn([text, text], (prefix, content) =>
    content.startsWith(prefix) ? content.slice(prefix.length) : content,
  ),
  nospace: unary(withoutSpace),
  initials: unary(initials),
  swapcase: unary(swapCase),
  snakecase: unary((content) => lowerWords(content, '_')),
  kebabcase: unary((content) => lowerWords(content, '-')),
  camelcase: unary(camelWords),
  wrap: costly([whole, text], (run, width, content) => wrapText(run, content, { width })),
  wrapWith: costly([whole, text, text], (run, width, separator, content) =>
    wrapText(run, content, { width, separator, cutsWords: true }),
  ),
  contains: fn([text, text], (part, content) => content.includes(part)),
  hasPrefix: fn([text, text], (prefix, content) => content.startsWith(prefix)),
  hasSuffix: fn([text, text], (suffix, content) => content.endsWith(suffix)),
  quote: variadic([], any, (run, _fixed, values) =>
    values
      .filter((value) => value !== undefined)
      .map((value) => goQuote(textOf(value, run)))
      .join(' '),
  ),
  squote: variadic([], any, (run, _fixed, values) =>
    values
      .filter((value) => value !== undefined)
      .map((value) => `'${sprintf('%v', [value], run)}'`)
      .join(' '),
  ),
  cat: variadic([], any, (run, _fixed, values) =>
    joinText(
      values.filter((value) => value !== undefined).map((value) => sprint([value], run)),
      ' ',
    ),
  ),
  indent: costly([whole, text], indent),
  nindent: costly([whole, text], (run, spaces, content) => `\n${indent(run, spaces, content)}`),
  replace: costly([text, text, text], replaceAll),
  plural: fn([text, text, whole], (one, many, count) => (count === 1 ? one : many)),
  toString: costly([any], (run, value) => textOf(value, run)),
  toStrings: costly([any], (run, value) => texts(textsOf(value, run))),
  split: fn([text, text], (separator, content) => numbered(splitText(content, separator))),
  splitn: fn([text, whole, text], (separator, limit, content) => numbered(splitText(content, separator, limit))),
  splitList: fn([text, text], (separator, content) => texts(splitText(content, separator))),
  join: costly([text, any], (run, separator, values) => {
    const parts = textsOf(values, run);
    run.spend((separator.length * parts.length) / 16);
    return joinText(parts, separator);
  }),
};
