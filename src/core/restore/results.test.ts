import { describe, expect, it } from 'vitest';
import { RestoreMessages, aboutItem, labelValue, restoredResourceList, type RestoredItem } from './index.ts';

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

describe('messages', () => {
  it('are grouped as Velero does', () => {
    const messages = new RestoreMessages();
    messages.add({ level: 'warnings', about: aboutItem(undefined), text: 'w' });
    messages.add({ level: 'errors', about: aboutItem('n'), text: 'e' });
    messages.add({ level: 'errors', about: 'operation', text: 'v' });
    expect(messages.results()).toEqual({
      warnings: { cluster: ['w'] },
      errors: { namespaces: { n: ['e'] }, velero: ['v'] },
    });
    expect(messages.counts()).toEqual({ warnings: 1, errors: 2 });
  });

  it('are bounded, errors before warnings, and the counts stay exact', () => {
    const messages = new RestoreMessages();
    for (let i = 0; i < 12_000; i += 1) messages.add({ level: 'warnings', about: 'cluster', text: `w${i}` });
    messages.add({ level: 'errors', about: 'cluster', text: 'e' });
    const { warnings, errors } = messages.results();
    expect(errors).toEqual({ cluster: ['e'] });
    expect(warnings.cluster).toHaveLength(9_999);
    expect(warnings.velero).toEqual(['and 2001 more warnings']);
    expect(messages.counts()).toEqual({ warnings: 12_000, errors: 1 });
  });
});

it('shortens long names for labels as Velero does', () => {
  const name = 'x'.repeat(63);
  expect(labelValue(name)).toBe(name);
  // printf %0100d | tr 0 a | sha256sum
  expect(labelValue('a'.repeat(100))).toBe(`${'a'.repeat(57)}281659`);
});
