import { expect, it } from 'vitest';
import type { ItemKey } from '../../core/progress/index.ts';
import { ItemIndex } from './item-index.ts';

const MIB = 1024 ** 2;
const keyOf = (at: number): ItemKey =>
  at % 3 === 0
    ? { groupResource: 'nodes', name: `n-${at}` }
    : { groupResource: `type-${at % 7}.example.org`, namespace: `näme-${at % 5}`, name: `n-${at}` };

it('finds each of very many items again, in order, and no other', () => {
  const index = new ItemIndex(8 * MIB);
  const count = 50_000;
  for (let at = 0; at < count; at += 1) {
    const number = index.add(keyOf(at));
    expect(number).toBe(at);
    index.place(at, { offset: at * 10_000_000_000, length: at });
  }
  expect(index.size).toBe(count);
  expect(index.bytes / count).toBeLessThan(100);
  expect([...index.keys()]).toEqual(Array.from({ length: count }, (_, at) => keyOf(at)));
  for (let at = 0; at < count; at += 997) {
    expect(index.find(keyOf(at))).toEqual({ offset: at * 10_000_000_000, length: at });
  }
  expect(index.find({ groupResource: 'nodes', name: 'n-1' })).toBeUndefined();
  expect(index.find({ groupResource: 'nodes', namespace: 'a', name: 'n-0' })).toBeUndefined();
  expect(index.find({ groupResource: 'nodes', name: 'x'.repeat(5000) })).toBeUndefined();
});

it('knows one that has no place only as there', () => {
  const index = new ItemIndex(MIB);
  index.add(keyOf(1));
  expect(index.add(keyOf(1))).toBeUndefined();
  expect(index.find(keyOf(1))).toBeUndefined();
  expect([...index.keys()]).toEqual([]);
});

it('refuses names that take too much memory together', () => {
  const index = new ItemIndex(2 * MIB);
  const fill = (): void => {
    for (let at = 0; at < 10_000; at += 1) index.add({ groupResource: 'pods', name: `${at}-${'x'.repeat(900)}` });
  };
  expect(fill).toThrow('expected names of at most 2097152 bytes together');
  expect(index.size).toBeGreaterThan(2000);
});
