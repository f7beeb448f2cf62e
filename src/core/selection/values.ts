/** More names, selectors and hooks than anyone writes, and few enough to check all of them for one object. */
const MAX_VALUES = 20_000;

/** The problem with a spec or a policy document that contains too much; undefined if it does not. */
export function tooManyValues(value: unknown): string | undefined {
  return hasMoreValues(value, MAX_VALUES) ? `expected at most ${MAX_VALUES} names and other values in all` : undefined;
}

/** Counts numbers, texts, lists and objects at any depth, but no further than the limit. */
export function hasMoreValues(value: unknown, limit: number): boolean {
  const left: unknown[] = [value];
  let count = 0;
  while (left.length > 0 && count + left.length <= limit) {
    const one = left.pop();
    count += 1;
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Object.values(one)) {
      left.push(inner);
      if (count + left.length > limit) break;
    }
  }
  return count + left.length > limit;
}
