import type { CallOptions, Store } from './port.ts';

const AT_ONCE = 8;

/**
 * Deletes all of the keys, several at a time; after a failure it starts no more and throws. One request per object,
 * because stores that speak S3 disagree on the multi-object request.
 */
export async function deleteMany(
  store: Store,
  keys: AsyncIterable<string> | Iterable<string>,
  options: CallOptions = {},
): Promise<number> {
  const running = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let count = 0;
  try {
    for await (const key of keys) {
      const one = store
        .delete(key, options)
        .catch((error: unknown) => failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
      count += 1;
      if (running.size >= AT_ONCE) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } finally {
    await Promise.all(running);
  }
  if (failures.length > 0) throw failures[0];
  return count;
}
