import { FunctionProblem } from '../problem.ts';
import { compareText } from '../value/go-text.ts';
import { any, costly, fn, mapping, text, variadic } from '../value/function.ts';
import { dict, list, texts } from '../value/make.ts';
import type { Callable, Mapping, Run, Value } from '../value/value.ts';
import { merge } from './merge.ts';
import { textOf } from './text-of.ts';

function set(target: Mapping, key: string, value: Value): Mapping {
  if (target.isNil) throw new FunctionProblem('assignment to entry in nil map');
  target.set(key, value ?? null);
  return target;
}

function makeDict(run: Run, values: readonly Value[]): Mapping {
  const result = dict([]);
  for (let index = 0; index < values.length; index += 2) {
    const value = index + 1 < values.length ? (values[index + 1] ?? null) : '';
    result.set(textOf(values[index], run), value);
  }
  return result;
}

/** Go gives them in any order; ours is always the same. */
function sortedKeys(source: Mapping, run: Run): string[] {
  run.spend(source.size);
  return source.keys().toSorted(compareText);
}

const merging = (overwrites: boolean): Callable =>
  variadic([mapping], mapping, (run, [target], sources) =>
    sources.reduce((merged, source) => merge(merged, source, { overwrites, run }), target),
  );

export const DICTS: Readonly<Record<string, Callable>> = {
  dict: variadic([], any, (run, _fixed, values) => makeDict(run, values)),
  set: fn([mapping, text, any], set),
  unset: fn([mapping, text], (target, key) => {
    target.delete(key);
    return target;
  }),
  hasKey: fn([mapping, text], (source, key) => source.has(key)),
  pluck: variadic([text], mapping, (_run, [key], sources) =>
    list(sources.filter((source) => source.has(key)).map((source) => source.get(key))),
  ),
  keys: variadic([], mapping, (run, _fixed, sources) => texts(sources.flatMap((source) => sortedKeys(source, run)))),
  values: costly([mapping], (run, source) => list(sortedKeys(source, run).map((key) => source.get(key)))),
  pick: variadic([mapping], text, (_run, [source], keys) =>
    dict(keys.filter((key) => source.has(key)).map((key) => [key, source.get(key)])),
  ),
  omit: variadic([mapping], text, (run, [source], keys) =>
    dict(
      sortedKeys(source, run)
        .filter((key) => !keys.includes(key))
        .map((key) => [key, source.get(key)]),
    ),
  ),
  merge: merging(false),
  mergeOverwrite: merging(true),
};
