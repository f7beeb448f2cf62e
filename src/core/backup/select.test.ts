import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleCluster, TYPES } from '../../../test/backup/sample-cluster.ts';
import type { BackupSpec } from '../../api/index.ts';
import type { JsonObject } from '../../base/index.ts';
import { reasonToLeaveOut } from './admit.ts';
import { planBackup } from './select.ts';
import { groupResourceOf } from '../selection/index.ts';

const NAMESPACES = ['default', 'kube-system', 'shop', 'shop-eu', 'velero'];
const plan = (spec: BackupSpec, namespaces = NAMESPACES) => planBackup({ spec, types: TYPES, namespaces });
const listed = (spec: BackupSpec) => plan(spec).lists.map((list) => list.groupResource);
const reasonFor = (spec: BackupSpec, groupResource: string) =>
  plan(spec).leftOut.find((one) => one.groupResource === groupResource)?.reason;
const CLUSTER_SCOPED = TYPES.filter((type) => !type.namespaced).map(groupResourceOf);
const SNAPSHOTS = ['volumesnapshots.snapshot.storage.k8s.io', 'volumesnapshotcontents.snapshot.storage.k8s.io'];

describe('a whole backup', () => {
  it('takes every type once, pods and their volumes first, old groups last', () => {
    expect(listed({})).toEqual([
      ...['pods', 'persistentvolumeclaims', 'persistentvolumes'],
      ...['configmaps', 'events', 'namespaces', 'secrets', 'serviceaccounts'],
      ...['deployments.apps', 'ingresses.networking.k8s.io', 'clusterroles.rbac.authorization.k8s.io'],
      'customresourcedefinitions.apiextensions.k8s.io',
    ]);
  });

  it('says why it leaves the others out', () => {
    expect(Object.fromEntries(plan({}).leftOut.map(({ groupResource, reason }) => [groupResource, reason]))).toEqual({
      bindings: 'the cluster does not list, get, delete it',
      'deployments.extensions': 'its objects are backed up as deployments.apps',
      'events.events.k8s.io': 'its objects are backed up as events',
      'volumesnapshots.snapshot.storage.k8s.io': 'snapshots are made by the backup itself',
      'volumesnapshotcontents.snapshot.storage.k8s.io': 'snapshots are made by the backup itself',
    });
  });

  it('takes the preferred version', () => {
    const deployments = plan({}).lists.find((list) => list.groupResource === 'deployments.apps');
    expect(deployments?.type.version).toBe('v1');
  });

  // Velero writes the excludes of snapshots into the spec, and then no longer treats it as a whole backup.
  it('is still whole with the excludes that the server wrote into it', () => {
    const spec = {
      includedNamespaces: ['*'],
      excludedNamespaceScopedResources: SNAPSHOTS.slice(0, 1),
      excludedClusterScopedResources: SNAPSHOTS.slice(1),
    };
    expect(listed(spec)).toEqual(listed({}));
  });
});

describe('cluster-scoped types', () => {
  it.each<[string, BackupSpec, string[]]>([
    ['some namespaces', { includedNamespaces: ['shop'] }, ['namespaces']],
    ['an excluded namespace', { excludedNamespaces: ['shop'] }, ['namespaces']],
    [
      'old filters, not said, some namespaces',
      { includedNamespaces: ['shop'], excludedResources: ['pods'] },
      ['namespaces'],
    ],
    ['old filters, false', { includeClusterResources: false }, []],
    ['old filters, named types only', { includedResources: ['cm', 'pv'] }, ['persistentvolumes']],
    [
      'new filters, named',
      { includedNamespaces: ['shop'], includedClusterScopedResources: ['pv'] },
      ['namespaces', 'persistentvolumes'],
    ],
    ['new filters, some namespaced types', { includedNamespaceScopedResources: ['cm'] }, ['namespaces']],
    ['new filters, none', { excludedClusterScopedResources: ['*'] }, []],
    ['new filters, one excluded', { excludedClusterScopedResources: ['pv'] }, ['namespaces']],
  ])('%s', (_, spec, expected) => {
    expect(
      listed(spec)
        .filter((name) => CLUSTER_SCOPED.includes(name))
        .toSorted(),
    ).toEqual(expected);
  });

  it('are all taken when includeClusterResources is true', () => {
    const taken = listed({ includeClusterResources: true, includedNamespaces: ['shop'] });
    expect(CLUSTER_SCOPED.filter((name) => !taken.includes(name))).toEqual([SNAPSHOTS[1]]);
  });
});

describe('names of types', () => {
  it.each(['deploy', 'deployment', 'Deployments', 'deployments.apps', 'deploy.apps', 'Deployment.apps'])(
    '%s is deployments.apps',
    (name) => {
      expect(listed({ includedResources: [name] })).toEqual(['deployments.apps']);
    },
  );

  it('may be cut short in the group, or be patterns', () => {
    expect(listed({ includedResources: ['ingresses.networking'] })).toEqual(['ingresses.networking.k8s.io']);
    expect(listed({ includedResources: ['*.apps'] })).toEqual(['deployments.apps']);
  });

  it('that the cluster does not know select nothing and are reported', () => {
    const { lists, unmatched } = plan({ includedResources: ['unicorns.example.com'] });
    expect(lists).toEqual([]);
    const message = 'the cluster has no kind unicorns.example.com';
    expect(unmatched).toEqual([{ field: 'includedResources', name: 'unicorns.example.com', message }]);
    expect(plan({ excludedResources: ['unicorns.example.com'] }).unmatched).toEqual([]);
  });

  it('that stand in the list of the other scope are reported', () => {
    const spec = { includedNamespaceScopedResources: ['pv', 'cm'], includedClusterScopedResources: ['cm', 'pv', '*'] };
    expect(plan(spec).unmatched.map(({ message }) => message)).toEqual([
      'pv is cluster-scoped, so includedNamespaceScopedResources cannot take it',
      'cm is not cluster-scoped, so includedClusterScopedResources cannot take it',
    ]);
  });

  it('give the reason when they leave a type out', () => {
    expect(reasonFor({ excludedResources: ['cm'] }, 'configmaps')).toBe('excludedResources names it');
    expect(reasonFor({ includedResources: ['cm'] }, 'secrets')).toBe('includedResources does not name it');
    expect(reasonFor({ includedNamespaces: ['shop'], includedResources: ['*'] }, 'persistentvolumes')).toBe(
      'it is cluster-scoped and only some namespaces are backed up',
    );
  });
});

describe('a policy of the server', () => {
  const policy = {
    includedClusterScopedResources: ['pv'],
    excludedClusterScopedResources: [],
    includedNamespaceScopedResources: [],
    excludedNamespaceScopedResources: ['secrets', 'cm'],
  };
  it('adds to the spec, which has the last word', () => {
    const spec = { includedNamespaces: ['shop'], includedNamespaceScopedResources: ['cm', 'sa'] };
    const { lists } = planBackup({ spec, types: TYPES, namespaces: NAMESPACES, policy });
    expect(lists.map((list) => list.groupResource)).toEqual([
      ...['persistentvolumes', 'configmaps', 'namespaces', 'serviceaccounts'],
    ]);
  });
});

describe('where and how to list', () => {
  const scopeOf = (spec: BackupSpec, namespaces?: string[]) =>
    plan(spec, namespaces).lists.find((list) => list.groupResource === 'pods')?.scope;

  it('knows the namespaces, unless it is all of them', () => {
    expect(scopeOf({})).toEqual({ kind: 'allNamespaces' });
    expect(scopeOf({ includedNamespaces: [...NAMESPACES] })).toEqual({ kind: 'allNamespaces' });
    const others = NAMESPACES.filter((name) => name !== 'shop').toSorted();
    expect(scopeOf({ excludedNamespaces: ['shop'] })).toEqual({ kind: 'namespaces', namespaces: others });
    expect(scopeOf({ includedNamespaces: ['shop*'] })).toEqual({ kind: 'namespaces', namespaces: ['shop', 'shop-eu'] });
    expect(scopeOf({ includedNamespaces: ['none-*'] })).toEqual({ kind: 'namespaces', namespaces: [] });
  });

  it('names namespaces that are not there', () => {
    expect(plan({ includedNamespaces: ['shop', 'gone', 'none-*'] }).namespaces.missing).toEqual(['gone']);
  });

  it('passes selectors on, but not to namespaces', () => {
    const a = { matchLabels: { b: '2', a: '1' } };
    const b = { matchExpressions: [{ key: 'x', operator: 'NotIn', values: ['q', 'p'] }] };
    const selectors = (spec: BackupSpec, name: string) =>
      plan(spec).lists.find((list) => list.groupResource === name)?.labelSelectors;
    expect(selectors({}, 'pods')).toEqual(['']);
    expect(selectors({ labelSelector: a }, 'pods')).toEqual(['a=1,b=2']);
    expect(selectors({ orLabelSelectors: [a, b, a] }, 'pods')).toEqual(['a=1,b=2', 'x notin (p,q)']);
    expect(selectors({ labelSelector: a }, 'namespaces')).toEqual(['']);
  });

  it('finds the order of a type by any of its names', () => {
    const { lists } = plan({ orderedResources: { po: 'shop/b, shop/a', persistentvolumes: 'pv1' } });
    expect(
      lists.filter(({ order }) => order.length > 0).map(({ groupResource, order }) => [groupResource, order]),
    ).toEqual([
      ['pods', ['shop/b', 'shop/a']],
      ['persistentvolumes', ['pv1']],
    ]);
  });
});

describe('single items', () => {
  const typeOf = (groupResource: string) => TYPES.find((type) => groupResourceOf(type) === groupResource)!;

  it.each<[string, BackupSpec, JsonObject, string | undefined]>([
    ['a plain one', {}, { namespace: 'shop' }, undefined],
    ['one that is going', {}, { namespace: 'shop', deletionTimestamp: 'now' }, 'it is being deleted'],
    ['one elsewhere', { includedNamespaces: ['shop'] }, { namespace: 'b' }, 'namespace b is not in the backup'],
    ['of a type left out', { excludedResources: ['po'] }, { namespace: 'shop' }, 'excludedResources names it'],
    [
      'one that is labelled',
      {},
      { namespace: 'shop', labels: { 'velero.io/exclude-from-backup': 'true' } },
      'it has the label velero.io/exclude-from-backup=true',
    ],
  ])('%s', (_, spec, metadata, expected) => {
    expect(reasonToLeaveOut(plan(spec), typeOf('pods'), { metadata: { name: 'x', ...metadata } })).toBe(expected);
  });

  it.each<[string, BackupSpec, string | undefined]>([
    ['only namespaces asked for', { includedNamespaces: ['shop'] }, undefined],
    ['excluded', { excludedClusterScopedResources: ['pv'] }, 'excludedClusterScopedResources names it'],
    ['nothing of the cluster wanted', { includeClusterResources: false }, 'includeClusterResources is false'],
    ['other types asked for', { includedResources: ['pvc'] }, 'includedResources does not name it'],
    ['all of the cluster wanted', { includeClusterResources: true, includedResources: ['pvc'] }, undefined],
  ])('a volume that a claim needs, %s', (_, spec, expected) => {
    expect(reasonToLeaveOut(plan(spec), typeOf('persistentvolumes'), { metadata: { name: 'x' } })).toBe(expected);
  });
});

describe('laws', () => {
  const names = fc.subarray(['pods', 'cm', 'secret', 'pv', 'deploy', 'clusterroles', 'ns', 'ing', 'nothing']);
  const namespaces = fc.subarray(['shop', 'shop-*', 'velero', 'kube-?ystem', 'gone', '[d]efault']);
  const oldSpec = fc.record(
    {
      includedNamespaces: namespaces,
      excludedNamespaces: namespaces,
      includedResources: names,
      excludedResources: names,
      includeClusterResources: fc.constantFrom(true, false),
    },
    { requiredKeys: [] },
  );
  const newSpec = fc.record(
    {
      includedNamespaces: namespaces,
      excludedNamespaces: namespaces,
      includedClusterScopedResources: names,
      excludedClusterScopedResources: names,
      includedNamespaceScopedResources: names,
      excludedNamespaceScopedResources: names,
    },
    { requiredKeys: [] },
  );
  const anySpec = fc.oneof(oldSpec, newSpec);
  const cluster = new SampleCluster();
  for (const namespace of NAMESPACES) {
    cluster.make('namespaces', undefined, namespace);
    for (const type of TYPES.filter((one) => one.namespaced && one.preferred))
      cluster.make(groupResourceOf(type), namespace, 'x');
  }
  for (const type of TYPES.filter((one) => !one.namespaced && one.plural !== 'namespaces'))
    cluster.make(groupResourceOf(type), undefined, 'x');

  it('every type is either listed or left out with a reason, once', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const { lists, leftOut } = plan(spec);
        const all = [...lists, ...leftOut].map(({ groupResource }) => groupResource);
        expect(all.toSorted()).toEqual([...new Set(TYPES.map(groupResourceOf))].toSorted());
      }),
    );
  });

  it('what is excluded is never taken, and only what is included is', () => {
    fc.assert(
      fc.property(anySpec, (spec) => {
        const { objects } = cluster.backUp(spec);
        const { namespaces: selection, types } = plan(spec);
        for (const { kind, apiVersion, metadata } of objects) {
          const { name, namespace } = metadata as { name: string; namespace?: string };
          const type = [...types.values()].find(
            (one) => one.kind === kind && (apiVersion as string).startsWith(one.group),
          )!;
          expect(selection.excludes(kind === 'Namespace' ? name : (namespace ?? ''))).toBe(false);
          if (namespace !== undefined) expect(selection.includes(namespace)).toBe(true);
          expect(plan(spec).filter.reasonToSkip(type)).toBeUndefined();
        }
      }),
      { numRuns: 50 },
    );
  });

  it('one more exclude never takes more', () => {
    fc.assert(
      fc.property(
        oldSpec,
        fc.constantFrom('pods', 'cm', 'pv'),
        fc.constantFrom('shop', 'velero'),
        (spec, resource, namespace) => {
          const keys = (one: BackupSpec) => cluster.backUp({ includeClusterResources: true, ...one }).objects;
          const more = {
            ...spec,
            excludedResources: [...(spec.excludedResources ?? []), resource],
            excludedNamespaces: [...(spec.excludedNamespaces ?? []), namespace],
          };
          const before = new Set(keys(spec));
          expect(keys(more).filter((object) => !before.has(object))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
