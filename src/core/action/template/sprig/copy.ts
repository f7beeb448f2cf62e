import { FunctionProblem } from '../problem.ts';
import { List, Mapping, Pointer, type Run, type Value } from '../value/value.ts';

const MAX_DEPTH = 100;

/** A copy that can be changed without changing the original. Structs cannot be changed. */
export function deepCopy(value: Value, run: Run, depth = 0): Value {
  run.spend(1);
  if (depth > MAX_DEPTH) throw new FunctionProblem(`a value is nested deeper than ${String(MAX_DEPTH)} levels`);
  if (value instanceof Mapping) {
    const entries = value.entries().map(([key, item]): [string, Value] => [key, deepCopy(item, run, depth + 1)]);
    return new Mapping(value.type, entries, { isNil: value.isNil });
  }
  if (value instanceof List) {
    const items = value.bytes ?? value.items.map((item) => deepCopy(item, run, depth + 1));
    return new List(value.type, items, value.isNil);
  }
  return value instanceof Pointer && value.target !== undefined
    ? new Pointer(value.type, deepCopy(value.target, run, depth + 1))
    : value;
}
