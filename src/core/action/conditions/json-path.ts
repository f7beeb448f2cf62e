import { AppError } from '../../../base/index.ts';

/** One step of a path. */
export type PathStep =
  | { kind: 'field'; name: string }
  | { kind: 'all' }
  | { kind: 'deep' }
  /** Undefined bounds are the ends; negative ones count from the end. */
  | { kind: 'slice'; start: number | undefined; end: number | undefined; step: number }
  | { kind: 'index'; index: number }
  | { kind: 'union'; steps: readonly PathStep[] }
  | { kind: 'filter'; left: Operand; sign: Sign; right: Operand };

export type Sign = 'exists' | '==' | '!=' | '<' | '<=' | '>' | '>=';
export type Operand = { path: readonly PathStep[] } | { value: string | number | boolean | null };

const FIELD = /[^\s.[\]{}()'"|,?@=<>!]+/y;
const SLICE = /^(-?\d*):(-?\d*)(?::(-?\d+))?$/;
const QUOTED = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")$/s;
const FILTER = /^\?\((.*)\)$/s;
const COMPARISON = /^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$/s;
const MAX_STEPS = 100;

/** Reads kubectl's JSONPath, from the root on: `.status.conditions[?(@.type == "Ready")].status`. Throws `invalid`. */
export function parsePath(source: string): PathStep[] {
  const steps: PathStep[] = [];
  let at = 0;
  while (at < source.length) {
    if (steps.length >= MAX_STEPS) throw bad(source, 'it is too long');
    if (source.startsWith('..', at)) {
      steps.push({ kind: 'deep' });
      at += source.startsWith('[', at + 2) ? 2 : 1;
    } else if (source[at] === '.') {
      const { step, end } = afterDot(source, at + 1);
      if (step !== undefined) steps.push(step);
      at = end;
    } else if (source[at] === '[') {
      const end = closing(source, at);
      steps.push(inBrackets(source.slice(at + 1, end), source));
      at = end + 1;
    } else if (steps.length === 0 && at === 0) at = skipRoot(source);
    else throw bad(source, `unexpected "${source.charAt(at)}"`);
  }
  return steps;
}

function skipRoot(source: string): number {
  if (source.startsWith('$') || source.startsWith('@')) return 1;
  throw bad(source, 'expected a dot at its beginning');
}

function afterDot(source: string, at: number): { step: PathStep | undefined; end: number } {
  if (source[at] === '*') return { step: { kind: 'all' }, end: at + 1 };
  // `.[0]` is `[0]`.
  if (source[at] === '[' || at === source.length) return { step: undefined, end: at };
  FIELD.lastIndex = at;
  const match = FIELD.exec(source);
  if (match === null) throw bad(source, `unexpected "${source.charAt(at)}"`);
  // A dot in a name is escaped.
  let name = match[0];
  let end = at + name.length;
  while (name.endsWith('\\') && source[end] === '.') {
    FIELD.lastIndex = end + 1;
    const more = FIELD.exec(source)?.[0] ?? '';
    name = `${name.slice(0, -1)}.${more}`;
    end += 1 + more.length;
  }
  return { step: { kind: 'field', name }, end };
}

/** The bracket that closes the one here; quotes and brackets inside do not count. */
function closing(source: string, start: number): number {
  let depth = 0;
  let quote = '';
  for (let at = start; at < source.length; at += 1) {
    const letter = source.charAt(at);
    if (quote !== '') {
      if (letter === '\\') at += 1;
      else if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '[') depth += 1;
    else if (letter === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw bad(source, 'a bracket is not closed');
}

function inBrackets(inside: string, source: string): PathStep {
  const text = inside.trim();
  if (text === '*' || text === '') return { kind: 'slice', start: undefined, end: undefined, step: 1 };
  const filter = FILTER.exec(text);
  if (filter !== null) return readFilter((filter[1] ?? '').trim(), source);
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return { kind: 'field', name: unescaped(quoted[1] ?? quoted[2] ?? '') };
  const slice = SLICE.exec(text);
  if (slice !== null) {
    const [start, end, step] = slice.slice(1).map((part) => (part ? Number(part) : undefined));
    return { kind: 'slice', start, end, step: step ?? 1 };
  }
  if (/^-?\d+$/.test(text)) return { kind: 'index', index: Number(text) };
  if (!text.includes(',')) throw bad(source, `cannot read [${text}]`);
  return { kind: 'union', steps: text.split(',').map((part) => inBrackets(part, source)) };
}

function readFilter(text: string, source: string): PathStep {
  const comparison = COMPARISON.exec(text);
  if (comparison === null) {
    return { kind: 'filter', left: readOperand(text, source), sign: 'exists', right: { value: null } };
  }
  const [, left = '', sign = '==', right = ''] = comparison;
  return { kind: 'filter', left: readOperand(left, source), sign: sign as Sign, right: readOperand(right, source) };
}

function readOperand(text: string, source: string): Operand {
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return { value: unescaped(quoted[1] ?? quoted[2] ?? '') };
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return { value: Number(text) };
  if (text.startsWith('@') || text.startsWith('$')) return { path: parsePath(text) };
  throw bad(source, `cannot read "${text}" in a filter`);
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

function bad(source: string, why: string): AppError {
  return new AppError('invalid', `JSONPath "${source.length > 100 ? `${source.slice(0, 100)}…` : source}": ${why}`);
}
