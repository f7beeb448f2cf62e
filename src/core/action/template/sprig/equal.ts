import { FunctionProblem } from '../problem.ts';
import { held, typeText } from '../value/inspect.ts';
import { Complex, Int, List, Mapping, Pointer, Struct, type Run, type Value } from '../value/value.ts';

const MAX_DEPTH = 100;

/** reflect.DeepEqual: the same type, and equal to the last leaf. */
export function deepEqual(first: Value, second: Value, run: Run, depth = 0): boolean {
  const [a, b] = [held(first), held(second)];
  run.spend(1);
  if (depth > MAX_DEPTH) throw new FunctionProblem(`a value is nested deeper than ${String(MAX_DEPTH)} levels`);
  if (typeText(a) !== typeText(b)) return false;
  if (a instanceof Int && b instanceof Int) return a.value === b.value;
  if (a instanceof Complex && b instanceof Complex) return a.real === b.real && a.imaginary === b.imaginary;
  return isComposite(a) && isComposite(b)
    ? a === b || isEqualInside(a, b, (one, other) => deepEqual(one, other, run, depth + 1))
    : a === b;
}

type Composite = List | Mapping | Struct | Pointer;

function isComposite(value: Value): value is Composite {
  return value instanceof List || value instanceof Mapping || value instanceof Struct || value instanceof Pointer;
}

function isEqualInside(a: Composite, b: Composite, isEqual: (a: Value, b: Value) => boolean): boolean {
  if (a instanceof List && b instanceof List) {
    return a.isNil === b.isNil && a.length === b.length && a.items.every((item, at) => isEqual(item, b.items[at]));
  }
  if (a instanceof Mapping && b instanceof Mapping) {
    const isSameSize = a.isNil === b.isNil && a.size === b.size;
    return isSameSize && a.keys().every((key) => b.has(key) && isEqual(a.get(key), b.get(key)));
  }
  if (a instanceof Struct && b instanceof Struct) {
    if (a.type.isSame !== undefined) return a.type.isSame(a, b);
    return [...a.fields].every(([name, value]) => isEqual(value, b.fields.get(name)));
  }
  return a instanceof Pointer && b instanceof Pointer && isEqual(a.target, b.target);
}
