import { AppError, isObject, own, stringifyJson, type Json } from '../../../base/index.ts';
import type { Operand, PathStep, Sign } from './json-path.ts';

const MAX_FOUND = 10_000;

/** What a path leads to. Throws `notFound` for a field that is not there, as kubectl does. */
export function followPath(steps: readonly PathStep[], root: Json): Json[] {
  let found: Json[] = [root];
  for (const step of steps) {
    const next: Json[] = [];
    for (const value of found) {
      next.push(...follow(step, value));
      if (next.length > MAX_FOUND)
        throw new AppError('tooLarge', `a path leads to more than ${String(MAX_FOUND)} values`);
    }
    found = next;
  }
  return found;
}

/** As kubectl prints them: texts as they are, objects and lists as JSON, with spaces between them. */
export function printFound(values: readonly Json[]): string {
  return values
    .map((value) => (typeof value === 'string' ? value : value === null ? 'null' : stringifyJson(value)))
    .join(' ');
}

function follow(step: PathStep, value: Json): Json[] {
  switch (step.kind) {
    case 'field':
      return field(value, step.name);
    case 'all':
      return children(value);
    case 'deep':
      return descendants(value);
    case 'index':
      return element(value, step.index);
    case 'slice':
      return slice(value, step);
    case 'union':
      return step.steps.flatMap((part) => follow(part, value));
    case 'filter':
      return listOf(value).filter((item) => isMatch(item, step));
  }
}

function field(value: Json, name: string): Json[] {
  // A field of a list is that of each element.
  if (Array.isArray(value)) return value.flatMap((item) => field(item, name));
  const found = isObject(value) ? own(value, name) : undefined;
  if (found === undefined) throw new AppError('notFound', `${name} is not found`);
  return [found];
}

function children(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).filter((item) => item !== undefined) : [];
}

function descendants(value: Json): Json[] {
  const found: Json[] = [value];
  for (let at = 0; at < found.length && found.length <= MAX_FOUND; at += 1) found.push(...children(found[at] as Json));
  return found;
}

function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw new AppError('invalid', 'a path goes into a list where there is none');
}

function element(value: Json, index: number): Json[] {
  const items = listOf(value);
  const found = items.at(index);
  if (found === undefined) {
    throw new AppError('notFound', `array index out of bounds: index ${String(index)}, length ${String(items.length)}`);
  }
  return [found];
}

function slice(value: Json, { start, end, step }: Extract<PathStep, { kind: 'slice' }>): Json[] {
  if (!Array.isArray(value)) return isObject(value) ? children(value) : listOf(value);
  return value.slice(start, end).filter((_item, index) => step > 0 && index % step === 0);
}

function isMatch(item: Json, { left, sign, right }: Extract<PathStep, { kind: 'filter' }>): boolean {
  const found = operand(left, item);
  if (sign === 'exists') return found.length > 0;
  const other = operand(right, item);
  if (found.length === 0 || other.length === 0) return false;
  return compare(found[0] as Json, other[0] as Json, sign);
}

function operand(of: Operand, item: Json): Json[] {
  if ('value' in of) return [of.value];
  try {
    return followPath(of.path, item);
  } catch (error) {
    if (error instanceof AppError && error.code === 'notFound') return [];
    throw error;
  }
}

function compare(a: Json, b: Json, sign: Exclude<Sign, 'exists'>): boolean {
  if (sign === '==') return a === b;
  if (sign === '!=') return a !== b;
  const isOrdered = typeof a === typeof b && (typeof a === 'number' || typeof a === 'string' || typeof a === 'bigint');
  if (!isOrdered || a === null || b === null) return false;
  if (sign === '<') return a < b;
  if (sign === '<=') return a <= b;
  return sign === '>' ? a > b : a >= b;
}
