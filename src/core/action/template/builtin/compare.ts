import { FunctionProblem } from '../problem.ts';
import { compareText } from '../value/go-text.ts';
import { held, isNil, typeOf, typeText } from '../value/inspect.ts';
import { isInteger } from '../value/type.ts';
import { Complex, Int, List, Mapping, Pointer, Struct, type Value } from '../value/value.ts';

type Basic = 'bool' | 'complex' | 'int' | 'float' | 'string';

/** The kinds that can be compared with each other; integers of all types are one. */
function basicKind(value: Value): Basic | undefined {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float';
  if (value instanceof Int) return 'int';
  return value instanceof Complex ? 'complex' : undefined;
}

/** `eq`: whether the first equals one of the others. */
export function equalsAny(first: Value, others: readonly Value[]): boolean {
  if (others.length === 0) throw new FunctionProblem('missing argument for comparison');
  return others.some((other) => equals(held(first), held(other)));
}

function equals(a: Value, b: Value): boolean {
  const [kind, other] = [basicKind(a), basicKind(b)];
  if (kind !== other) {
    if (a === undefined || b === undefined) return false;
    throw new FunctionProblem(`incompatible types for comparison: ${typeText(a)} and ${typeText(b)}`);
  }
  if (a instanceof Int && b instanceof Int) return a.value === b.value;
  if (a instanceof Complex && b instanceof Complex) return a.real === b.real && a.imaginary === b.imaginary;
  return kind === undefined ? isSame(a, b) : a === b;
}

/** Of pointers, structs, lists and maps. */
function isSame(a: Value, b: Value): boolean {
  if (a !== undefined && b !== undefined && typeOf(a)?.kind !== typeOf(b)?.kind) {
    throw new FunctionProblem(`non-comparable types ${typeText(a)}, ${typeText(b)}`);
  }
  if (isNil(a) || isNil(b)) return isNil(a) === isNil(b);
  if (b instanceof List || b instanceof Mapping) throw new FunctionProblem(`non-comparable type ${typeText(b)}`);
  return isSameObject(a, b);
}

function isSameObject(a: Value, b: Value): boolean {
  if (a instanceof Struct && b instanceof Struct) return a === b || a.type.isSame?.(a, b) === true;
  return a instanceof Pointer && b instanceof Pointer && a.target === b.target;
}

/** Less than nought, nought or more as the first is less, equal or more. */
export function order(first: Value, second: Value): number {
  const [a, b] = [held(first), held(second)];
  const [kind, other] = [basicKind(a), basicKind(b)];
  if (kind === undefined || other === undefined) throw new FunctionProblem('invalid type for comparison');
  if (kind !== other) {
    throw new FunctionProblem(`incompatible types for comparison: ${typeText(a)} and ${typeText(b)}`);
  }
  if (a instanceof Int && b instanceof Int) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a === b ? 0 : 1;
  throw new FunctionProblem('invalid type for comparison');
}

/** For `index` and `slice`. */
export function indexNumber(index: Value, limit: number): number {
  const value = held(index);
  if (value === undefined) throw new FunctionProblem('cannot index slice/array with nil');
  if (!(value instanceof Int) || !isInteger(value.type)) {
    throw new FunctionProblem(`cannot index slice/array with type ${typeText(value)}`);
  }
  if (value.value < 0n || value.value > BigInt(limit)) {
    throw new FunctionProblem(`index out of range: ${String(value.value)}`);
  }
  return Number(value.value);
}
