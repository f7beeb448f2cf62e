import { expect, it } from 'vitest';
import type { Store } from '../../../edge/store/index.ts';
import { StoreCache } from './store-cache.ts';

/** Opens stores one by one as it is told, and knows which of them are open. */
function opener() {
  const open = new Set<number>();
  const waiting: (() => void)[] = [];
  let count = 0;
  const source = (fingerprint: string) => ({
    name: 'location default',
    fingerprint,
    open: async (): Promise<Store> => {
      count += 1;
      const id = count;
      await new Promise<void>((resolve) => waiting.push(resolve));
      open.add(id);
      return { close: () => open.delete(id) } as unknown as Store;
    },
  });
  return { open, source, next: () => waiting.shift()?.() };
}

it('closes the slower one of two that were opened for the same', async () => {
  const { open, source, next } = opener();
  const cache = new StoreCache();
  const both = [cache.open(source('a')), cache.open(source('a'))];
  next();
  next();
  const [one, other] = await Promise.all(both);
  expect(one!.store).toBe(other!.store);
  expect(open.size).toBe(1);
  one![Symbol.dispose]();
  other![Symbol.dispose]();
  cache.close();
  expect(open.size).toBe(0);
});

it('closes a replaced store only when its last user is done', async () => {
  const { open, source, next } = opener();
  const cache = new StoreCache();
  const opening = cache.open(source('a'));
  next();
  const used = await opening;
  const shared = used.share();
  const reopening = cache.open(source('b'));
  next();
  await reopening;
  expect(used.changed.aborted).toBe(true);
  used[Symbol.dispose]();
  used[Symbol.dispose]();
  expect(open.has(1)).toBe(true);
  shared[Symbol.dispose]();
  expect([...open]).toEqual([2]);
});

it('closes what is opened only after it was closed itself', async () => {
  const { open, source, next } = opener();
  const cache = new StoreCache();
  const opening = cache.open(source('a'));
  cache.close();
  next();
  await expect(opening).rejects.toThrow('the server is stopping');
  expect(open.size).toBe(0);
});
