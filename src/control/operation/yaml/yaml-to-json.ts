import { isScalar, Lexer, parseDocument, visit, type Document } from 'yaml';
import { messageOf } from '../../../base/index.ts';

/** The result for one text. */
export type ReadYaml = { value: unknown } | { problem: string };

/** A megabyte of rules has fewer. This many take 250 MB of memory. */
const MAX_TOKENS = 600_000;
/** An alias can be repeated, so a short text can expand to a very long one. */
const MAX_ALIASES = 100;
const MAX_LENGTH = 2 * 1024 * 1024;

/** A list of ReadYaml as JSON, which passes between threads faster than objects do. */
export function yamlToJson(texts: readonly string[]): string {
  let tokensLeft = MAX_TOKENS;
  let lengthLeft = MAX_LENGTH;
  const read = texts.map((text): ReadYaml => {
    tokensLeft -= countTokens(text, tokensLeft);
    if (tokensLeft < 0) return { problem: `expected at most ${MAX_TOKENS} words and signs in all` };
    const one = readOne(text);
    lengthLeft -= lengthOf(one, lengthLeft);
    return lengthLeft < 0 ? { problem: `expected at most ${MAX_LENGTH} characters with names written out` } : one;
  });
  return JSON.stringify(read);
}

function countTokens(text: string, limit: number): number {
  let count = 0;
  for (const _ of new Lexer().lex(text)) if (++count > limit) break;
  return count;
}

function readOne(text: string): ReadYaml {
  try {
    // The library compares every key with every other one, which takes minutes for a long map.
    const document = parseDocument(text, { uniqueKeys: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: error.message };
    const twice = keyThatIsTwice(document);
    if (twice !== undefined) return { problem: `Map keys must be unique: ${twice}` };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function keyThatIsTwice(document: Document): string | undefined {
  let twice: string | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) twice = JSON.stringify(name);
        seen.add(name);
      }
      return twice === undefined ? undefined : visit.BREAK;
    },
  });
  return twice;
}

/** The approximate length as JSON, counted until it exceeds the limit. */
function lengthOf(value: unknown, limit: number): number {
  const left: unknown[] = [value];
  let length = 0;
  while (left.length > 0 && length <= limit) {
    const one = left.pop();
    if (typeof one !== 'object' || one === null) length += String(one).length + 3;
    else {
      for (const [key, inner] of Object.entries(one)) {
        length += Array.isArray(one) ? 1 : key.length + 4;
        if (length <= limit) left.push(inner);
      }
    }
  }
  return length;
}
