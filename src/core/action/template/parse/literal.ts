import { TemplateProblem } from '../problem.ts';
import { badNumber } from './lexer.ts';
import { readNumber, type NumberLiteral } from './number.ts';
import type { Token } from './token.ts';
import { unquote } from './unquote.ts';

/** What a string means. Throws TemplateProblem where Go refuses it. */
export function stringOf({ text, at }: Token): string {
  const meant = unquote(text);
  if (meant === undefined) throw new TemplateProblem('parse', 'invalid syntax', at);
  return meant;
}

/** What a number means. Throws TemplateProblem where Go refuses it. */
export function numberOf({ text, at }: Token, kind: 'number' | 'complex' | 'character'): NumberLiteral {
  const number = readNumber(text, kind);
  if (number === undefined) throw badNumber(text, at);
  return number;
}
