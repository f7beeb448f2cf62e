import { parseEscape } from './parse-escape.ts';
import { patternError } from './pattern-error.ts';
import type { PatternText } from './pattern-text.ts';
import { negatedRanges, runeSet, type Ranges, type RuneSet } from './rune-set.ts';
import { unicodeClass, type RuneTest } from './unicode-class.ts';

const ranges = (text: string): Ranges => Array.from(text, (letter) => letter.charCodeAt(0));
const DIGIT = ranges('09');
const WORD = ranges('09AZ__az');
const SPACE = ranges('\t\n\f\r  ');
const POSIX: Readonly<Record<string, Ranges>> = {
  alnum: ranges('09AZaz'),
  alpha: ranges('AZaz'),
  ascii: ranges('\x00\x7f'),
  blank: ranges('\t\t  '),
  cntrl: ranges('\x00\x1f\x7f\x7f'),
  digit: DIGIT,
  graph: ranges('!~'),
  lower: ranges('az'),
  print: ranges(' ~'),
  punct: ranges('!/:@[`{~'),
  space: ranges('\t\r  '),
  upper: ranges('AZ'),
  word: WORD,
  xdigit: ranges('09AFaf'),
};
const RANGE_DASH = /-(?=[^\]])/sy;

/** A class while it is being parsed. */
class Members {
  readonly ranges: number[] = [];
  readonly tests = new Map<string, RuneTest>();
  readonly foldsCase: boolean;

  constructor(foldsCase: boolean) {
    this.foldsCase = foldsCase;
  }

  /** Takes `\d`, `\pL` and the like, inside brackets or alone; false when none comes next. */
  takeClass(text: PatternText): boolean {
    if (text.take('\\d')) this.#addGroup(DIGIT, false);
    else if (text.take('\\D')) this.#addGroup(DIGIT, true);
    else if (text.take('\\s')) this.#addGroup(SPACE, false);
    else if (text.take('\\S')) this.#addGroup(SPACE, true);
    else if (text.take('\\w')) this.#addGroup(WORD, false);
    else if (text.take('\\W')) this.#addGroup(WORD, true);
    else return this.#takeUnicode(text);
    return true;
  }

  takePosix(text: PatternText): boolean {
    const start = text.at;
    const given = text.take('[:') ? text.takeUntil(':]') : undefined;
    if (given === undefined) {
      text.at = start;
      return false;
    }
    const isNegated = given.startsWith('^');
    const name = isNegated ? given.slice(1) : given;
    const group = Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
    if (group === undefined) throw patternError('invalid character class range', text.since(start));
    this.#addGroup(group, isNegated);
    return true;
  }

  toSet(isNegated: boolean): RuneSet {
    return runeSet({ ranges: this.ranges, tests: [...this.tests.values()], foldsCase: this.foldsCase, isNegated });
  }

  #addGroup(group: Ranges, isNegated: boolean): void {
    this.ranges.push(...(isNegated ? negatedRanges(group, this.foldsCase) : group));
  }

  #takeUnicode(text: PatternText): boolean {
    const start = text.at;
    const isCapital = text.take('\\P');
    if (!isCapital && !text.take('\\p')) return false;
    const given = (text.take('{') ? text.takeUntil('}') : text.next()) ?? '';
    const hasCaret = given.startsWith('^');
    const name = hasCaret ? given.slice(1) : given;
    const isNegated = isCapital !== hasCaret;
    const test = unicodeClass(name, this.foldsCase);
    if (test === undefined) throw patternError('invalid character class range', text.since(start));
    // The same class again would change nothing and cost time.
    this.tests.set(`${String(isNegated)} ${name}`, isNegated ? (rune) => !test(rune) : test);
    return true;
  }
}

/** `\d`, `\pL` and the like outside brackets; undefined when none comes next. */
export function parseClassEscape(text: PatternText, foldsCase: boolean): RuneSet | undefined {
  const members = new Members(foldsCase);
  return members.takeClass(text) ? members.toSet(false) : undefined;
}

/** A class in brackets, starting at the opening bracket. */
export function parseClass(text: PatternText, foldsCase: boolean): RuneSet {
  const start = text.at;
  text.take('[');
  const isNegated = text.take('^');
  const members = new Members(foldsCase);
  // A closing bracket that comes first is a member.
  for (let isFirst = true; isFirst || !text.take(']'); isFirst = false) {
    if (members.takePosix(text) || members.takeClass(text)) continue;
    members.ranges.push(...parseRange(text, start));
  }
  return members.toSet(isNegated);
}

function parseRange(text: PatternText, classStart: number): [first: number, last: number] {
  const start = text.at;
  const first = parseMember(text, classStart);
  const last = text.takeMatch(RANGE_DASH) === undefined ? first : parseMember(text, classStart);
  if (last < first) throw patternError('invalid character class range', text.since(start));
  return [first, last];
}

function parseMember(text: PatternText, classStart: number): number {
  if (text.isAtEnd) throw patternError('missing closing ]', text.source.slice(classStart));
  return text.peek() === '\\' ? parseEscape(text) : Number(text.next().codePointAt(0));
}
