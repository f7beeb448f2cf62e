import { setImmediate } from 'node:timers/promises';

/**
 * What several sources give, in the order in which it comes; of each source in its own order. At most `atOnce` have been
 * begun and not ended, and of those that have something the one that was begun first goes first: a list must not take
 * longer than its server keeps its place. A source is asked for more when what it gave before was processed. Whoever
 * stops reading must see to it that those that are being asked come to an end.
 */
export async function* interleaved<T>(sources: Iterable<AsyncGenerator<T>>, atOnce: number): AsyncGenerator<T> {
  const left = sources[Symbol.iterator]();
  const asked = new Map<AsyncGenerator<T>, Promise<{ source: AsyncGenerator<T>; given: IteratorResult<T, unknown> }>>();
  const ask = (source: AsyncGenerator<T>): void => {
    const answer = source.next().then((given) => ({ source, given }));
    // The rejection is handled where it is awaited.
    answer.catch(() => undefined);
    asked.set(source, answer);
  };
  const begin = (): boolean => {
    for (let next; asked.size < atOnce && (next = left.next()).done !== true;) ask(next.value);
    return asked.size > 0;
  };
  try {
    while (begin()) {
      const { source, given } = await Promise.race(asked.values());
      if (given.done === true) {
        asked.delete(source);
        continue;
      }
      yield given.value;
      ask(source);
      // What it has ready takes a few microtasks to get here; without this pause the others would always win the race.
      await setImmediate();
    }
  } finally {
    // Not awaited: one that waits for a server hears of it only when that has answered.
    for (const source of asked.keys()) source.return(undefined).catch(() => undefined);
  }
}
