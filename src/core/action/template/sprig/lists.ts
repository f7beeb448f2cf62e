import { FunctionProblem } from '../problem.ts';
import { compareText } from '../value/go-text.ts';
import { any, costly, fn, variadic } from '../value/function.ts';
import { held, isTrue, typeOf } from '../value/inspect.ts';
import { list, texts } from '../value/make.ts';
import { LIST } from '../value/type.ts';
import { List, type Callable, type Run, type Value } from '../value/value.ts';
import { deepEqual } from './equal.ts';
import { wholeOf } from './numbers.ts';
import { textOf, textsOf } from './text-of.ts';

const NIL_LIST = new List(LIST, [], true);

/** The items of a list of any type; an error that says what was to be done with it for anything else. */
function itemsOf(value: Value, cannot: string, run?: Run): readonly Value[] {
  if (held(value) === undefined) {
    throw new FunctionProblem('runtime error: invalid memory address or nil pointer dereference');
  }
  if (!(value instanceof List)) throw new FunctionProblem(`${cannot} type ${typeOf(value)?.kind ?? ''}`);
  run?.spend(value.length);
  return value.items;
}

function isIn(items: readonly Value[], needle: Value, run: Run): boolean {
  return items.some((item) => deepEqual(needle, item, run));
}

/** Without the range that sprig's name for it suggests; text/template's own `slice` is another. */
function slice(value: Value, indices: readonly Value[]): Value {
  const items = itemsOf(value, 'list should be type of slice or array but');
  if (items.length === 0) return null;
  const start = Number(indices.length > 0 ? wholeOf(indices[0]) : 0n);
  const end = indices.length > 1 ? Number(wholeOf(indices[1])) : items.length;
  if (start < 0 || start > end || end > items.length) {
    throw new FunctionProblem('reflect.Value.Slice: slice index out of bounds');
  }
  const { type, bytes } = value as List;
  return new List(type, bytes?.subarray(start, end) ?? items.slice(start, end));
}

const push = costly([any, any], (run, items, value) => list([...itemsOf(items, 'Cannot push on', run), value ?? null]));
const makeList = variadic([], any, (_run, _fixed, values) => list(values.map((value) => value ?? null)));

export const LISTS: Readonly<Record<string, Callable>> = {
  tuple: makeList,
  list: makeList,
  append: push,
  push,
  prepend: costly([any, any], (run, items, value) =>
    list([value ?? null, ...itemsOf(items, 'Cannot prepend on', run)]),
  ),
  first: fn([any], (items) => itemsOf(items, 'Cannot find first on')[0] ?? null),
  last: fn([any], (items) => itemsOf(items, 'Cannot find last on').at(-1) ?? null),
  rest: costly([any], (run, value) => {
    const items = itemsOf(value, 'Cannot find rest on', run);
    return items.length === 0 ? NIL_LIST : list(items.slice(1));
  }),
  initial: costly([any], (run, value) => {
    const items = itemsOf(value, 'Cannot find initial on', run);
    return items.length === 0 ? NIL_LIST : list(items.slice(0, -1));
  }),
  reverse: costly([any], (run, items) => list(itemsOf(items, 'Cannot find reverse on', run).toReversed())),
  compact: costly([any], (run, items) => list(itemsOf(items, 'Cannot compact on', run).filter(isTrue))),
  uniq: costly([any], (run, value) => {
    const found: Value[] = [];
    for (const item of itemsOf(value, 'Cannot find uniq on', run)) if (!isIn(found, item, run)) found.push(item);
    return list(found);
  }),
  without: variadic([any], any, (run, [value], omitted) =>
    list(itemsOf(value, 'Cannot find without on', run).filter((item) => !isIn(omitted, item, run))),
  ),
  has: costly([any, any], (run, needle, haystack) =>
    haystack === undefined ? false : isIn(itemsOf(haystack, 'Cannot find has on', run), needle, run),
  ),
  slice: variadic([any], any, (_run, [value], indices) => slice(value, indices)),
  concat: variadic([], any, (run, _fixed, lists) => {
    const items = lists.flatMap((value) => {
      if (value !== undefined && !(value instanceof List)) {
        throw new FunctionProblem(`Cannot concat type ${typeOf(value)?.kind ?? ''} as list`);
      }
      return itemsOf(value, '', run);
    });
    return items.length === 0 ? NIL_LIST : list(items);
  }),
  sortAlpha: costly([any], (run, value) => {
    if (!(value instanceof List)) return texts([textOf(value, run)]);
    const items = textsOf(value, run);
    run.spend(items.length);
    return texts(items.toSorted(compareText));
  }),
};
