import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NamespaceShare } from './namespace-share.ts';

it('says what part of the rest is wanted, in the order of the list', () => {
  // In etcd "a-b/" stands before "a/".
  const share = new NamespaceShare(['a-b', 'c'], ['a', 'a-b', 'b', 'c']);
  expect(share.whole).toBe(1 / 2);
  expect(['a-b', 'a', 'b', 'c'].map((name) => share.from(name))).toEqual([1 / 2, 1 / 3, 1 / 2, 1]);
  expect(share.from('new')).toBeUndefined();
  expect(['a', 'c', undefined].map((name) => share.has(name))).toEqual([false, true, false]);
});

it('is always a part', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/), { maxLength: 20 });
  fc.assert(
    fc.property(names, names, (wanted, existing) => {
      const share = new NamespaceShare(wanted, existing);
      for (const part of [share.whole, ...existing.map((name) => share.from(name))]) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
    }),
  );
});
