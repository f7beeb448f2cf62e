import { describe, expect, it } from 'vitest';
import { hrefOf, readPlace } from '../frame/place.ts';
import { countChosen, treeOf } from '../backups/contents-tree.ts';
import { draftOf, queryOf, specOf } from './restore-draft.ts';

const BACKUP = 'demo.backup.velero.nightly.14';

describe('the restore that the wizard makes', () => {
  it('is everything when nothing was chosen', () => {
    expect(specOf('nightly.14', draftOf(BACKUP, {}, {}), {})).toEqual({ backupName: 'nightly.14' });
  });

  it('comes back from the address as it was', () => {
    const draft = {
      name: 'copy',
      namespaces: ['shop', 'orders'],
      resources: ['deployments.apps'],
      labels: 'app=shop,tier=front',
      cluster: 'other',
      mapping: { shop: 'shop-copy' },
      policy: 'update' as const,
    };
    const { query } = readPlace(hrefOf(['restore', BACKUP], queryOf(draft)));
    expect(draftOf(BACKUP, query, {})).toEqual(draft);
    expect(specOf('nightly.14', draft, {})).toEqual({
      backupName: 'nightly.14',
      includedNamespaces: ['shop', 'orders'],
      includedResources: ['deployments.apps'],
      labelSelector: { matchLabels: { app: 'shop', tier: 'front' } },
      namespaceMapping: { shop: 'shop-copy' },
      existingResourcePolicy: 'update',
    });
  });

  it('repeats a restore with what the wizard does not ask about', () => {
    const base = { includedNamespaces: ['shop'], restorePVs: false, namespaceMapping: { shop: 'b' } };
    const draft = draftOf(BACKUP, {}, base);
    expect(specOf('nightly.14', draft, base)).toEqual({ ...base, backupName: 'nightly.14' });
    const all = draftOf(BACKUP, queryOf({ namespaces: [] }), base);
    expect(specOf('nightly.14', all, base)).not.toHaveProperty('includedNamespaces');
  });
});

describe('the contents of a backup', () => {
  const groups = [
    { resource: 'namespaces', count: 2 },
    { namespace: 'shop', resource: 'pods', count: 3 },
    { namespace: 'shop', resource: 'services', count: 4 },
    { namespace: 'orders', resource: 'pods', count: 5 },
  ];

  it('are a tree by namespace', () => {
    expect(treeOf(groups).map(({ namespace, count }) => [namespace, count])).toEqual([
      ['', 2],
      ['orders', 5],
      ['shop', 7],
    ]);
  });

  it('are counted as they are chosen', () => {
    const count = (namespaces: string[], resources: string[]): number =>
      countChosen(groups, {
        namespaces: new Set(namespaces),
        resources: new Set(resources),
        takesClusterScoped: namespaces.length === 0,
      });
    expect(count([], [])).toBe(14);
    expect(count(['shop'], [])).toBe(7);
    expect(count([], ['pods'])).toBe(8);
  });
});

describe('readPlace', () => {
  it('survives an address that somebody typed', () => {
    expect(readPlace('#/operations/50%?tab=log')).toEqual({ path: ['operations', '50%'], query: { tab: 'log' } });
    expect(readPlace('')).toEqual({ path: [], query: {} });
  });
});
