import { FunctionProblem } from '../problem.ts';
import { isTrue } from '../value/inspect.ts';
import { dict } from '../value/make.ts';
import { List, Mapping, type Run, type Value } from '../value/value.ts';

const MAX_DEPTH = 100;

interface MergeOptions {
  overwrites: boolean;
  run: Run;
}

/** Fills what the target lacks, or has empty, from the source, maps inside maps too. It changes the target. */
export function merge(target: Mapping, source: Mapping, options: MergeOptions, depth = 0): Mapping {
  if (depth > MAX_DEPTH) throw new FunctionProblem(`a value is nested deeper than ${String(MAX_DEPTH)} levels`);
  const merged = target.isNil && !source.isNil ? dict([]) : target;
  for (const key of source.keys()) {
    options.run.spend(1);
    mergeEntry(merged, key, source.get(key), { ...options, depth });
  }
  return merged;
}

function mergeEntry(target: Mapping, key: string, value: Value, options: MergeOptions & { depth: number }): void {
  const { overwrites, depth } = options;
  const before = target.get(key);
  const isMissing = !target.has(key);
  if (value === null || value === undefined) {
    if (overwrites) target.set(key, null);
    return;
  }
  if (value instanceof Mapping && before instanceof Mapping) {
    if (!before.isNil) merge(before, value, options, depth + 1);
    if (isTrue(before)) return;
  }
  if (value instanceof List && !isMissing && isTrue(before)) {
    // Nothing else keeps a list from replacing what is there.
    if (overwrites) target.set(key, value);
    return;
  }
  if (overwrites || isMissing || !isTrue(before)) target.set(key, value);
}
