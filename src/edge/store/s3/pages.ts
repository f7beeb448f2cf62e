import { AppError, cleanText } from '../../../base/index.ts';
import { ListBudget, type ListLimits } from '../list-budget.ts';

/** Tokens are kept, to detect a server that goes in circles. S3's own have a few hundred characters. */
const MAX_TOKEN = 4096;

export interface PageOf<T> {
  items: T[];
  /** Where the next page begins; undefined on the last. */
  next: string | undefined;
}

/** The items of all pages. A server that goes in circles is `badAnswer`, an endless listing is `tooLarge`. */
export async function* allPages<T extends string | { key: string; id?: string }>(
  what: string,
  limits: ListLimits,
  fetchPage: (token: string | undefined) => Promise<PageOf<T>>,
): AsyncGenerator<T> {
  const budget = new ListBudget(what, limits);
  const seen = new Set<string>();
  let token: string | undefined;
  do {
    const asked = performance.now();
    const { items, next } = await fetchPage(token);
    budget.page(performance.now() - asked);
    for (const item of items) {
      if (typeof item === 'string') budget.entry(item);
      else budget.entry(item.key, item.id ?? '');
      yield item;
    }
    token = next;
    if (next === undefined) continue;
    if (next.length > MAX_TOKEN) {
      throw new AppError('badAnswer', `${what}: expected a token for the next page, got ${next.length} characters`);
    }
    if (seen.has(next)) {
      const again = JSON.stringify(cleanText(next, 100));
      throw new AppError('badAnswer', `${what}: expected a new page, the server began again at ${again}`);
    }
    seen.add(next);
  } while (token !== undefined);
}
