/** Works on items in their order, and on the next ones ahead; what is ahead when the reader stops is left alone. */
export async function* aheadInOrder<T, R>(
  items: Iterable<T>,
  ahead: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<[T, R]> {
  const begun: [T, Promise<R>][] = [];
  for (const item of items) {
    const result = work(item);
    // The rejection is handled where it is awaited.
    result.catch(() => undefined);
    begun.push([item, result]);
    if (begun.length < ahead) continue;
    const [first, its] = begun.shift() as [T, Promise<R>];
    yield [first, await its];
  }
  for (const [item, result] of begun) yield [item, await result];
}
