import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryTable } from './memory-table.ts';
import { Stored } from './stored.ts';

const stored = (namespace: string, name: string): Stored => new Stored('r', { namespace, name, rv: 1 }, '{}');

describe('MemoryTable', () => {
  it('lists like a sorted map, whatever was set and deleted', () => {
    const name = fc.constantFrom('a', 'a-b', 'a.b', 'b', '0', 'z');
    const step = fc.record({ isDelete: fc.boolean(), namespace: name, name });
    fc.assert(
      fc.property(fc.array(step), name, (steps, namespace) => {
        const table = new MemoryTable();
        const model = new Map<string, Stored>();
        for (const one of steps) {
          const object = stored(one.namespace, one.name);
          if (one.isDelete) table.delete(object.key);
          else table.set(object);
          if (one.isDelete) model.delete(object.key);
          else model.set(object.key, object);
        }
        const keys = [...model.keys()].sort();
        expect(table.keys(undefined)).toEqual(keys);
        expect(table.size).toBe(keys.length);
        expect(table.keys(namespace)).toEqual(keys.filter((key) => key.startsWith(`${namespace}/`)));
        expect(table.keys(undefined, `${namespace}/`)).toEqual(keys.filter((key) => key >= `${namespace}/`));
      }),
    );
  });

  it('sorts what it loads', () => {
    const table = new MemoryTable();
    table.load([stored('b', 'x'), stored('a', 'y'), stored('a', 'x')]);
    expect(table.values('a').map(({ key }) => key)).toEqual(['a/x', 'a/y']);
  });
});
