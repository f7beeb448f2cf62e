import { describe, expect, it } from 'vitest';
import { labelValue, restoredResourceList, type RestoredItem } from './index.ts';

describe('the resource list', () => {
  it('marks what became of each item', () => {
    const of = (kind: string, name: string, outcome: RestoredItem['outcome'], namespace?: string): RestoredItem => ({
      apiVersion: 'v1',
      kind,
      name,
      outcome,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const items = [
      of('Secret', 'b', 'failed', 'n'),
      of('Secret', 'a', 'created', 'n'),
      of('PersistentVolume', 'v', 'updated'),
      of('Namespace', 'new', 'created'),
      of('Namespace', 'there', 'skipped'),
    ];
    expect(restoredResourceList(items)).toEqual({
      'v1/Namespace': ['new(created)'],
      'v1/PersistentVolume': ['v(updated)'],
      'v1/Secret': ['n/a(created)', 'n/b(failed)'],
    });
  });
});

it('shortens long names for labels as Velero does', () => {
  const name = 'x'.repeat(63);
  expect(labelValue(name)).toBe(name);
  // printf %0100d | tr 0 a | sha256sum
  expect(labelValue('a'.repeat(100))).toBe(`${'a'.repeat(57)}281659`);
});
