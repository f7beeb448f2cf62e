/** Processes all items, a bounded number at a time; after a failure it starts no more and throws at the end. */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && failures.length === 0; next = queue.next()) {
      try {
        await work(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failures.length > 0) throw failures[0];
}
