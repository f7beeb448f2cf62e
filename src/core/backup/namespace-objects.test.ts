import { describe, expect, it } from 'vitest';
import { SampleCluster } from '../../../test/backup/sample-cluster.ts';
import type { BackupSpec } from '../../api/index.ts';

const cluster = new SampleCluster();
cluster.make('namespaces', undefined, 'full').make('configmaps', 'full', 'm', { app: 'x' });
cluster.make('namespaces', undefined, 'labelled', { app: 'x' });
cluster.make('namespaces', undefined, 'empty');
const labelSelector = { matchLabels: { app: 'x' } };

describe('the objects of namespaces', () => {
  it.each<[string, BackupSpec, string[]]>([
    ['all', {}, ['empty', 'full', 'labelled']],
    ['by name, empty ones too', { includedNamespaces: ['empty'] }, ['empty']],
    ['with a selector: those with items, and those it selects', { labelSelector }, ['full', 'labelled']],
    ['with a selector and names: both', { labelSelector, includedNamespaces: ['empty'] }, ['empty', 'labelled']],
    ['never an excluded one', { labelSelector, excludedNamespaces: ['labelled'] }, ['empty', 'full']],
    [
      'never one that only a pattern excludes',
      { includedNamespaces: ['*'], excludedNamespaces: ['e*', 'lab*'] },
      ['full'],
    ],
  ])('%s', (_, spec, expected) => {
    expect(cluster.backUp(spec).list['v1/Namespace'] ?? []).toEqual(expected);
  });
});
