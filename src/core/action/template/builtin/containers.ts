import { FunctionProblem } from '../problem.ts';
import { byteLength, byteSlice, toBytes } from '../value/go-text.ts';
import { held, indirect, typeText } from '../value/inspect.ts';
import { zeroOf } from '../value/make.ts';
import { ANY, UINT8 } from '../value/type.ts';
import { Int, List, Mapping, type Value } from '../value/value.ts';
import { indexNumber } from './compare.ts';

/** `index x 1 "a"` is x[1]["a"]. An entry that is not in a map is the zero of its type, not an error. */
export function indexed(item: Value, indexes: readonly Value[]): Value {
  let current: Value = held(item);
  if (current === undefined) throw new FunctionProblem('index of untyped nil');
  for (const index of indexes) {
    const { value, isNil } = indirect(current);
    if (isNil) throw new FunctionProblem('index of nil pointer');
    current = step(value, index);
  }
  return current;
}

function step(item: Value, index: Value): Value {
  if (item instanceof Mapping) return entry(item, held(index));
  const length = item instanceof List ? item.length : typeof item === 'string' ? byteLength(item) : undefined;
  if (length === undefined) throw new FunctionProblem(`can't index item of type ${typeText(item)}`);
  const at = indexNumber(index, length);
  if (at === length) throw new FunctionProblem('reflect: slice index out of range');
  return item instanceof List ? item.items[at] : new Int(UINT8, BigInt(toBytes(item as string)[at] ?? 0));
}

function entry(mapping: Mapping, key: Value): Value {
  if (key === undefined) throw new FunctionProblem('value is nil; should be of type string');
  if (typeof key !== 'string') throw new FunctionProblem(`value has type ${typeText(key)}; should be string`);
  return mapping.has(key) ? mapping.get(key) : zeroOf(mapping.type.elem ?? ANY);
}

/** `slice x 1 2` is x[1:2]. A template with sprig has sprig's function of this name instead. */
export function sliced(item: Value, indexes: readonly Value[]): Value {
  if (held(item) === undefined) throw new FunctionProblem('slice of untyped nil');
  const { value, isNil } = indirect(item);
  if (isNil) throw new FunctionProblem('slice of nil pointer');
  if (indexes.length > 3) throw new FunctionProblem(`too many slice indexes: ${String(indexes.length)}`);
  if (typeof value !== 'string' && !(value instanceof List)) {
    throw new FunctionProblem(`can't slice item of type ${typeText(value)}`);
  }
  if (typeof value === 'string' && indexes.length === 3) throw new FunctionProblem('cannot 3-index slice a string');
  const { start, end } = bounds(indexes, typeof value === 'string' ? byteLength(value) : value.length);
  if (typeof value === 'string') return byteSlice(value, start, end);
  return new List(value.type, value.bytes?.subarray(start, end) ?? value.items.slice(start, end), value.isNil);
}

function bounds(indexes: readonly Value[], length: number): { start: number; end: number } {
  const [start = 0, end = length, capacity = length] = indexes.map((index) => indexNumber(index, length));
  if (start > end) throw new FunctionProblem(`invalid slice index: ${String(start)} > ${String(end)}`);
  if (end > capacity) throw new FunctionProblem(`invalid slice index: ${String(end)} > ${String(capacity)}`);
  return { start, end };
}

export function lengthOf(item: Value): number {
  const { value, isNil } = indirect(item);
  if (isNil) throw new FunctionProblem('len of nil pointer');
  if (typeof value === 'string') return byteLength(value);
  if (value instanceof List) return value.length;
  if (value instanceof Mapping) return value.size;
  if (value === undefined) throw new FunctionProblem('reflect: call of reflect.Value.Type on zero Value');
  throw new FunctionProblem(`len of type ${typeText(value)}`);
}
