import {
  AppError,
  applyJsonPatch,
  isAppError,
  messageOf,
  own,
  parseJson,
  type Json,
  type JsonObject,
  type JsonPatchOperation,
} from '../../base/index.ts';

/** One JSON patch as a rule has it; `value` is the text that stands for it. */
export interface GivenPatch {
  operation: JsonPatchOperation['op'];
  path: string;
  from?: string | undefined;
  value?: string | undefined;
}

export function operationOf(patch: GivenPatch, problems: string[]): JsonPatchOperation[] {
  const { operation: op, path, from, value = '' } = patch;
  const needsFrom = op === 'move' || op === 'copy';
  if (!path.startsWith('/')) problems.push(`path "${path}": expected it to begin with a slash`);
  if (needsFrom && (from === undefined || !from.startsWith('/'))) {
    problems.push(`${op} to "${path}": expected from to begin with a slash`);
  }
  return [{ op, path, ...(from === undefined ? {} : { from }), value: valueOf(value, problems) }];
}

/** Undefined if a test in the patch fails, which means that it is not for this item. */
export function patchUnlessTestFails(
  item: JsonObject,
  operations: readonly JsonPatchOperation[],
): JsonObject | undefined {
  try {
    let patched = item;
    for (const operation of operations) {
      // API servers pass over a place that is not there, modifiers do not: whoever replaces something means that.
      if (operation.op === 'replace') expectPlace(patched, operation.path, operation.op);
      if (operation.op === 'copy') expectPlace(patched, operation.from ?? '', operation.op);
      patched = applyJsonPatch(patched, [operation]);
    }
    return patched;
  } catch (error) {
    if (isAppError(error, 'invalid') && error.details?.['failedTest'] === true) return undefined;
    throw error;
  }
}

function expectPlace(item: JsonObject, path: string, op: string): void {
  const steps = path.split('/').slice(1);
  let place: Json | undefined = item;
  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    // Which elements a list has, the patch itself finds out.
    if (Array.isArray(place)) place = place.at(Number(key)) ?? null;
    else place = typeof place === 'object' && place !== null ? own(place, key) : undefined;
    if (place === undefined) throw new AppError('invalid', `${op}: there is nothing at "${path}"`);
  }
}

/** Values are texts that stand for what they look like; quotes around one keep it a text. */
function valueOf(text: string, problems: string[]): Json {
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return text.slice(1, -1);
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (!/^(null$|[{[])/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return text;
  try {
    return parseJson(text) as Json;
  } catch (error) {
    // A number such as 007 or +1 is none in JSON, and what else begins with a bracket is a mistake.
    if (!/^[{[]/.test(text)) return Number(text);
    problems.push(`value ${text.slice(0, 100)}: ${messageOf(error)}`);
    return null;
  }
}
