import type { z } from 'zod';
import { isRecord } from './tidy.ts';

type Issue = z.core.$ZodIssue;
export type Path = readonly PropertyKey[];

const TYPE_WORDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** `spec.ttl: expected a duration such as 720h0m0s, got "3 days"`. */
export function describeIssue(issue: Issue, input: unknown): string {
  return `${formatPath(issue.path)}: expected ${expectation(issue)}, got ${show(valueAt(input, issue.path))}`;
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_WORDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'too_big':
      return `at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    default:
      // The field's own message, given where the field is defined.
      return issue.message;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' character';
  return origin === 'array' ? ' entry' : '';
}

export function formatPath(path: Path): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${String(step)}]` : `${i > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = (found as unknown[])[step];
    else if (isRecord(found) && typeof step === 'string') found = found[step];
    else return undefined;
  }
  return found;
}

const MAX_SHOWN = 60;

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  const text = typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
