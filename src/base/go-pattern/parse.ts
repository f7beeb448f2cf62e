import { groupNode, listNode, placeNode, repeatNode, runeNode, type Node, type Place } from './node.ts';
import { parseClass, parseClassEscape } from './parse-class.ts';
import { parseEscape } from './parse-escape.ts';
import { patternError } from './pattern-error.ts';
import { PatternText } from './pattern-text.ts';
import { oneRune, type RuneSet } from './rune-set.ts';

interface Flags {
  foldsCase: boolean;
  hasLines: boolean;
  dotTakesNewline: boolean;
  isUngreedy: boolean;
}

/** An expression, and what its groups are called: the empty text where they have no name. */
export interface Parsed {
  node: Node;
  groups: readonly string[];
}

/** A group that is still open; the whole expression is the outermost one. */
interface OpenGroup {
  /** From 1 on; undefined for one that captures nothing. */
  number: number | undefined;
  alternatives: Node[];
  parts: Node[];
  flagsBefore: Flags;
}

const NEWLINE = 10;
const ANY: RuneSet = { has: () => true };
const ANY_BUT_NEWLINE: RuneSet = { has: (rune) => rune !== NEWLINE };
const PLACE_ESCAPES: readonly (readonly [escape: string, place: Place])[] = [
  ['\\A', 'beginText'],
  ['\\z', 'endText'],
  ['\\b', 'boundary'],
  ['\\B', 'noBoundary'],
];
const NAME = /\(\?P?<([0-9A-Za-z_]+)>/y;
const ANY_NAME = /\(\?P?<[^]/y;
const FLAGS = /\(\?([imsU]*)(-[imsU]+)?([:)])/y;
const REPEAT = /(?:([*+?])|\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\})\??/y;
const MAX_COUNT = 1000;

/** Parses Go's syntax as regexp/syntax does with its Perl flags. */
export function parsePattern(source: string): Parsed {
  return new Parser(source).parse();
}

class Parser {
  readonly #text: PatternText;
  #flags: Flags = { foldsCase: false, hasLines: false, dotTakesNewline: false, isUngreedy: false };
  #group: OpenGroup;
  readonly #outer: OpenGroup[] = [];
  readonly #groups: string[] = [];

  constructor(source: string) {
    this.#text = new PatternText(source);
    this.#group = this.#newGroup();
  }

  parse(): Parsed {
    const text = this.#text;
    let wasRepeat = false;
    while (!text.isAtEnd) {
      const isRepeat = this.#takeRepeat(wasRepeat);
      if (!isRepeat) this.#takePart();
      wasRepeat = isRepeat;
    }
    if (this.#outer.length > 0) throw patternError('missing closing )', text.source);
    return { node: closed(this.#group), groups: this.#groups };
  }

  #takePart(): void {
    const text = this.#text;
    if (text.peek() === '(') this.#open();
    else if (text.take(')')) this.#close();
    else if (text.take('|')) endAlternative(this.#group);
    else this.#group.parts.push(...this.#atoms());
  }

  #atoms(): Node[] {
    const text = this.#text;
    const { hasLines, dotTakesNewline, foldsCase } = this.#flags;
    if (text.peek() === '[') return [runeNode(parseClass(text, foldsCase))];
    if (text.peek() === '\\') return this.#escape();
    if (text.take('^')) return [placeNode(hasLines ? 'beginLine' : 'beginText')];
    if (text.take('$')) return [placeNode(hasLines ? 'endLine' : 'endText')];
    if (text.take('.')) return [runeNode(dotTakesNewline ? ANY : ANY_BUT_NEWLINE)];
    return this.#letters(text.next());
  }

  #escape(): Node[] {
    const text = this.#text;
    for (const [escape, place] of PLACE_ESCAPES) if (text.take(escape)) return [placeNode(place)];
    // Without an end it extends to the end of the expression.
    if (text.take('\\Q')) return this.#letters(text.takeUntil('\\E') ?? text.takeRest());
    const set = parseClassEscape(text, this.#flags.foldsCase);
    return set === undefined ? this.#letters(String.fromCodePoint(parseEscape(text))) : [runeNode(set)];
  }

  #letters(letters: string): Node[] {
    return Array.from(letters, (letter) => runeNode(oneRune(Number(letter.codePointAt(0)), this.#flags.foldsCase)));
  }

  #open(): void {
    const text = this.#text;
    const start = text.at;
    const [, name] = text.takeMatch(NAME) ?? [];
    if (name !== undefined) {
      this.#enter(name);
      return;
    }
    if (text.takeMatch(ANY_NAME) !== undefined) throw patternError('invalid named capture', text.source.slice(start));
    const [flags, on = '', off = '', end] = text.takeMatch(FLAGS) ?? [];
    if (flags !== undefined) {
      if (end === ':') this.#enter();
      this.#flags = changed(changed(this.#flags, on, true), off, false);
    } else if (text.take('(?')) {
      throw patternError('invalid or unsupported Perl syntax', `(?${text.peek()}`);
    } else {
      text.take('(');
      this.#enter('');
    }
  }

  /** A group without even an empty name captures nothing. */
  #enter(name?: string): void {
    this.#outer.push(this.#group);
    this.#group = this.#newGroup(name);
  }

  #close(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) throw patternError('unexpected )', this.#text.source);
    const { number, flagsBefore } = this.#group;
    const part = closed(this.#group);
    this.#group = outer;
    this.#flags = flagsBefore;
    outer.parts.push(number === undefined ? part : groupNode(part, number));
  }

  /** False when no repetition comes next. */
  #takeRepeat(wasRepeat: boolean): boolean {
    const match = this.#text.takeMatch(REPEAT);
    if (match === undefined) return false;
    const [whole] = match;
    const { min, max } = countsOf(match);
    if (min > max || Math.max(min, max === Infinity ? 0 : max) > MAX_COUNT)
      throw patternError('invalid repeat count', whole);
    if (wasRepeat) throw patternError('invalid nested repetition operator', whole);
    const part = this.#group.parts.pop();
    if (part === undefined) throw patternError('missing argument to repetition operator', whole);
    const isMarked = whole.length > 1 && whole.endsWith('?');
    const isLazy = isMarked !== this.#flags.isUngreedy;
    this.#group.parts.push(repeatNode(part, { min, max, isLazy }));
    return true;
  }

  #newGroup(name?: string): OpenGroup {
    const number = name === undefined ? undefined : this.#groups.push(name);
    return { number, alternatives: [], parts: [], flagsBefore: this.#flags };
  }
}

function endAlternative(group: OpenGroup): void {
  group.alternatives.push(listNode('concat', group.parts));
  group.parts = [];
}

function closed(group: OpenGroup): Node {
  endAlternative(group);
  return listNode('either', group.alternatives);
}

function changed(flags: Flags, letters: string, value: boolean): Flags {
  return {
    foldsCase: letters.includes('i') ? value : flags.foldsCase,
    hasLines: letters.includes('m') ? value : flags.hasLines,
    dotTakesNewline: letters.includes('s') ? value : flags.dotTakesNewline,
    isUngreedy: letters.includes('U') ? value : flags.isUngreedy,
  };
}

/** The bounds of `*`, `+`, `?`, `{2}`, `{2,}` and `{2,3}`. */
function countsOf([, sign, least, comma, most]: RegExpExecArray): { min: number; max: number } {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  const min = Number(least);
  if (comma === undefined) return { min, max: min };
  return { min, max: most === undefined ? Infinity : Number(most) };
}
