import { AppError, isAppError } from '../errors.ts';
import { isEqual } from '../json-object.ts';
import type { Json, JsonObject } from '../lossless-json.ts';
import { Draft } from './draft.ts';
import { parsePointer, type Pointer } from './pointer.ts';
import { unfit } from './unfit.ts';

const MAX_OPERATIONS = 10_000;

export interface JsonPatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  path: string;
  from?: string;
  value?: Json;
}

/** An operation whose pointers are parsed, ready to be applied to many objects. */
export interface ParsedOperation {
  op: string;
  path: Pointer;
  from: Pointer | undefined;
  value: Json;
}

function readOperation(item: unknown, index: number): ParsedOperation {
  const malformed = (what: string): AppError =>
    new AppError('usage', `error decoding patch: operation ${index}: ${what}`);
  if (typeof item !== 'object' || item === null || Array.isArray(item)) throw malformed('expected an object');
  const { op, path, from, value } = item as Record<string, unknown>;
  if (typeof op !== 'string') throw malformed('expected a string in op');
  if (typeof path !== 'string') throw malformed('expected a string in path');
  if (from !== undefined && typeof from !== 'string') throw malformed('expected a string in from');
  return parseOperation({ op, path, ...(from === undefined ? {} : { from }), value: (value ?? null) as Json });
}

/** `op` may be any text; whether it exists is checked when it is applied. */
export function parseOperation({
  op,
  path,
  from,
  value = null,
}: Omit<JsonPatchOperation, 'op'> & { op: string }): ParsedOperation {
  return { op, path: parsePointer(path), from: from === undefined ? undefined : parsePointer(from), value };
}

function fromOf({ op, from }: ParsedOperation): Pointer {
  if (from === undefined) throw unfit(`${op} operation failed to decode from: missing value`);
  return from;
}

function holds(draft: Draft, path: Pointer, value: Json): boolean {
  try {
    return isEqual(draft.get(path), value);
  } catch (error) {
    // There is no such place, so the value is not there.
    if (isAppError(error, 'invalid')) return false;
    throw error;
  }
}

/** Throws `invalid` if it does not fit, with `failedTest` in its details if it is a test. */
export function applyOperation(draft: Draft, operation: ParsedOperation): void {
  const { op, path, value } = operation;
  switch (op) {
    case 'add':
      draft.add(path, value);
      break;
    case 'remove':
      draft.remove(path);
      break;
    case 'replace':
      draft.replace(path, value);
      break;
    case 'move':
      draft.add(path, draft.remove(fromOf(operation)));
      break;
    case 'copy':
      draft.copy(fromOf(operation), path);
      break;
    case 'test':
      if (!holds(draft, path, value))
        throw unfit(`testing value ${path.text.slice(0, 200)} failed`, { failedTest: true });
      break;
    default:
      throw unfit(`Unexpected kind: ${op}`);
  }
}

/**
 * RFC 6902. `operations` is the parsed body, of any shape. Throws `usage` (400) for a malformed patch, `tooLarge` (413)
 * for too many operations, and `invalid` (422) for a patch that does not fit the object, with `failedTest` in its
 * details if one of the patch's own tests failed.
 */
export function applyJsonPatch(target: JsonObject, operations: unknown): JsonObject {
  if (!Array.isArray(operations)) throw new AppError('usage', 'error decoding patch: expected a list of operations');
  if (operations.length > MAX_OPERATIONS) {
    throw new AppError(
      'tooLarge',
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    );
  }
  const draft = new Draft(target);
  for (const [index, item] of operations.entries()) applyOperation(draft, readOperation(item, index));
  return draft.root;
}
