import {
  AppError,
  applyOperation,
  isAppError,
  messageOf,
  own,
  parseJson,
  parseOperation,
  type Draft,
  type Json,
  type JsonPatchOperation,
  type ParsedOperation,
} from '../../base/index.ts';

/** One JSON patch of a rule; `value` is its textual form. */
export interface GivenPatch {
  operation: JsonPatchOperation['op'];
  path: string;
  from?: string | undefined;
  value?: string | undefined;
}

export function operationOf(patch: GivenPatch, problems: string[]): ParsedOperation {
  const { operation: op, path, from, value = '' } = patch;
  const needsFrom = op === 'move' || op === 'copy';
  if (!path.startsWith('/')) problems.push(`path "${path}": expected it to begin with a slash`);
  if (needsFrom && from?.startsWith('/') !== true) {
    problems.push(`${op} to "${path}": expected from to begin with a slash`);
  }
  return parseOperation({ op, path, ...(from === undefined ? {} : { from }), value: valueOf(value, problems) });
}

/** Applies it as Velero does. */
export function modify(draft: Draft, operation: ParsedOperation): void {
  const { op, path, from } = operation;
  // API servers ignore a place that does not exist, modifiers do not: a user who replaces something means it.
  if (op === 'replace') expectPlace(draft.root, path, op);
  if (op === 'copy' && from !== undefined) expectPlace(draft.root, from, op);
  applyOperation(draft, operation);
}

/** A failed test means that the rule does not apply to this item. */
export function isFailedTest(error: unknown): boolean {
  return isAppError(error, 'invalid') && error.details?.['failedTest'] === true;
}

function expectPlace(root: Json, { text, steps = [] }: ParsedOperation['path'], op: string): void {
  let place: Json | undefined = root;
  for (const step of steps) {
    // The patch itself checks which elements a list has.
    if (Array.isArray(place)) place = place.at(Number(step)) ?? null;
    else place = typeof place === 'object' && place !== null ? own(place, step) : undefined;
    if (place === undefined) throw new AppError('invalid', `${op}: there is nothing at "${text.slice(0, 200)}"`);
  }
}

/** Values are strings that stand for what they look like; quotes around one keep it a string. */
function valueOf(text: string, problems: string[]): Json {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (!/^(null$|[{[])/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return text;
  try {
    return parseJson(text) as Json;
  } catch (error) {
    // A number such as 007 or +1 is not valid JSON, and anything else that begins with a bracket is a mistake.
    if (!/^[{[]/.test(text)) return Number(text);
    problems.push(`value ${text.slice(0, 100)}: ${messageOf(error)}`);
    return null;
  }
}
