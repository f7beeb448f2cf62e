import { compileGoPattern, isAppError, type GoPattern, type PatternMatch } from '../../../../base/index.ts';
import { FunctionProblem } from '../problem.ts';
import { costly, text, whole } from '../value/function.ts';
import { joinText } from '../value/go-text.ts';
import { TEXTS } from '../value/type.ts';
import { List, type Callable, type Run } from '../value/value.ts';

/** A search in one text that never takes longer than the template may. */
class Search {
  readonly pattern: GoPattern;
  readonly text: string;
  readonly #run: Run;

  constructor(run: Run, source: string, content: string) {
    this.pattern = compile(run, source);
    this.text = content;
    this.#run = run;
  }

  from(at: number): PatternMatch | undefined {
    return this.pattern.find(this.text, at, (steps) => {
      this.#run.spend(steps / 2);
    });
  }

  /** Where the next character begins; one beyond the end at the end. */
  next(at: number): number {
    return at + ((this.text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }

  /** Up to `limit` of them, or all if it is negative. An empty one right behind another does not count. */
  all(limit: number): PatternMatch[] {
    const found: PatternMatch[] = [];
    let lastEnd = -1;
    for (let at = 0; at <= this.text.length && (limit < 0 || found.length < limit);) {
      const match = this.from(at);
      if (match === undefined) break;
      const isEmptyHere = match.end === at;
      if (!isEmptyHere || match.start !== lastEnd) found.push(match);
      at = isEmptyHere ? this.next(at) : match.end;
      lastEnd = match.end;
    }
    return found;
  }

  replaced(by: (match: PatternMatch) => string): string {
    const parts: string[] = [];
    let lastEnd = 0;
    for (let at = 0; at <= this.text.length;) {
      const match = this.from(at);
      if (match === undefined) break;
      parts.push(this.text.slice(lastEnd, match.start));
      if (match.end > lastEnd || match.start === 0) parts.push(by(match));
      this.#run.spend(1 + (parts.at(-1)?.length ?? 0) / 16);
      lastEnd = match.end;
      at = Math.max(this.next(at), match.end);
    }
    return joinText([...parts, this.text.slice(lastEnd)]);
  }

  textOf({ start, end }: { start: number; end: number }): string {
    return this.text.slice(start, end);
  }
}

function compile(run: Run, source: string): GoPattern {
  run.spend(1 + source.length);
  try {
    const pattern = compileGoPattern(source);
    run.spend(pattern.size / 4);
    return pattern;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    throw new FunctionProblem(`regexp: Compile(${JSON.stringify(source)}): ${error.message}`);
  }
}

const REFERENCE = /\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu;

/** `$1`, `${1}` and `${name}` in a replacement. */
function expanded(search: Search, template: string, match: PatternMatch): string {
  return template.replace(REFERENCE, (whole_: string, plain?: string, braced?: string) => {
    const name = plain ?? braced;
    if (name === undefined) return '$';
    const index = /^\d+$/.test(name) ? Number(name) : search.pattern.groups.lastIndexOf(name) + 1;
    if (!/^\d+$/.test(name) && index === 0) return '';
    const group = index === 0 ? match : match.groups[index - 1];
    return group === undefined ? '' : search.textOf(group);
  });
}

/** regexp.Split: what is between the matches. */
function split(search: Search, limit: number): List {
  if (limit === 0) return new List(TEXTS, [], true);
  if (search.text === '') return new List(TEXTS, ['']);
  const parts: string[] = [];
  let start = 0;
  let end = 0;
  for (const match of search.all(limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    end = match.start;
    if (match.end !== 0) parts.push(search.text.slice(start, end));
    start = match.end;
  }
  if (end !== search.text.length) parts.push(search.text.slice(start));
  return new List(TEXTS, parts);
}

export const PATTERNS: Readonly<Record<string, Callable>> = {
  regexMatch: costly([text, text], (run, source, content) => {
    try {
      return new Search(run, source, content).from(0) !== undefined;
    } catch (error) {
      // An expression that is wrong matches nothing here, and is an error everywhere else.
      if (error instanceof FunctionProblem) return false;
      throw error;
    }
  }),
  regexFind: costly([text, text], (run, source, content) => {
    const search = new Search(run, source, content);
    const match = search.from(0);
    return match === undefined ? '' : search.textOf(match);
  }),
  regexFindAll: costly([text, text, whole], (run, source, content, limit) => {
    const search = new Search(run, source, content);
    const found = search.all(limit).map((match) => search.textOf(match));
    return new List(TEXTS, found, found.length === 0);
  }),
  regexReplaceAll: costly([text, text, text], (run, source, content, template) => {
    const search = new Search(run, source, content);
    return search.replaced((match) => expanded(search, template, match));
  }),
  regexReplaceAllLiteral: costly([text, text, text], (run, source, content, by) =>
    new Search(run, source, content).replaced(() => by),
  ),
  regexSplit: costly([text, text, whole], (run, source, content, limit) =>
    split(new Search(run, source, content), limit),
  ),
};
