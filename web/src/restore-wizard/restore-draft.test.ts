import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/index.ts';
import { wrongLabel } from '../forms/labels.ts';
import { hrefOf, readPlace } from '../frame/place.ts';
import { countChosen, treeOf } from '../backups/contents-tree.ts';
import { draftOf as draft, queryOf, specOf, type DraftQuery } from './restore-draft.ts';

const BACKUP = 'demo.backup.velero.nightly.14';
const draftOf = (query: DraftQuery, spec: JsonObject = {}) => draft(BACKUP, query, { name: 'nightly.14-1', spec });

describe('the restore that the wizard makes', () => {
  it('is everything when nothing was chosen', () => {
    expect(specOf('nightly.14', draftOf({}), {})).toEqual({ backupName: 'nightly.14' });
  });

  it('comes back from the address as it was', () => {
    const chosen = {
      name: 'copy',
      namespaces: ['shop', 'orders'],
      resources: ['deployments.apps'],
      labels: 'app=shop,tier=front',
      cluster: 'other',
      mapping: { shop: 'shop-copy' },
      policy: 'update' as const,
      isVerified: true,
    };
    const { query } = readPlace(hrefOf(['restore', BACKUP], queryOf(chosen)));
    expect(draftOf(query)).toEqual(chosen);
    expect(specOf('nightly.14', chosen, {})).toEqual({
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
    expect(specOf('nightly.14', draftOf({}, base), base)).toEqual({ ...base, backupName: 'nightly.14' });
    const all = draftOf(queryOf({ namespaces: [] }), base);
    expect(specOf('nightly.14', all, base)).not.toHaveProperty('includedNamespaces');
  });
});

describe('a restore that is tried again', () => {
  it('keeps what its selector says beyond labels', () => {
    const matchExpressions = [{ key: 'tier', operator: 'NotIn', values: ['test'] }];
    const base = { labelSelector: { matchLabels: { app: 'shop' }, matchExpressions } };
    expect(specOf('b', draftOf({}, base), base)).toEqual({ backupName: 'b', ...base });
    expect(specOf('b', draftOf({ labels: '' }, base), base)).toEqual({
      backupName: 'b',
      labelSelector: { matchExpressions },
    });
  });

  it('names the backup alone, not also the schedule that made it', () => {
    const base = { backupName: 'nightly.14', scheduleName: 'nightly' };
    expect(specOf('nightly.14', draftOf({}, base), base)).toEqual({ backupName: 'nightly.14' });
  });
});

it.each([
  ['', undefined],
  ['app=shop, tier=', undefined],
  ['app', 'app'],
  ['app=shop,tier!=test', 'tier!=test'],
  ['app==shop', 'app==shop'],
])('tells which part of the labels %j is none', (labels, wrong) => {
  expect(wrongLabel(labels)).toBe(wrong);
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
