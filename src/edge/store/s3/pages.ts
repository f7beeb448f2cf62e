import { AppError } from '../../../base/index.ts';

/** Ten million objects; a location with more is somebody's mistake, or a server that never ends. */
const MAX_PAGES = 10_000;

export interface PageOf<T> {
  items: T[];
  /** Where the next page begins; undefined on the last. */
  next: string | undefined;
}

/** The items of all pages. A server that sends us in circles, or on and on, is `badAnswer`. */
export async function* allPages<T>(
  what: string,
  fetchPage: (token: string | undefined) => Promise<PageOf<T>>,
  maxPages: number = MAX_PAGES,
): AsyncGenerator<T> {
  const seen = new Set<string>();
  let token: string | undefined;
  for (let count = 0; count < maxPages; count += 1) {
    const { items, next } = await fetchPage(token);
    yield* items;
    if (next === undefined) return;
    if (seen.has(next)) {
      throw new AppError(
        'badAnswer',
        `${what}: expected a new page, the server began again at ${JSON.stringify(next)}`,
      );
    }
    seen.add(next);
    token = next;
  }
  throw new AppError('badAnswer', `${what}: expected at most ${maxPages} pages, the server has more`);
}
