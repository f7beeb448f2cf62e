import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Restore } from '../../api/index.ts';
import { ItemCounting, exact } from '../progress/index.ts';
import {
  DEFAULT_PRIORITIES,
  RestorePlan,
  collectRestore,
  restoreFilters,
  type ArchiveKey,
  type Collection,
  type RestoreResource,
} from './index.ts';
import { fineFilter, parseResourcePolicies } from '../selection/index.ts';

type Spec = Restore['spec'];
const NAMES = { resolve: (name: string) => ({ cm: 'configmaps', deploy: 'deployments.apps' })[name] };
const KINDS: Record<string, string> = { 'widgets.example.com': 'Widget' };
const CRDS = 'customresourcedefinitions.apiextensions.k8s.io';

const key = (path: string): ArchiveKey => {
  const [groupResource = '', namespace = '', name = ''] = path.split('/');
  return namespace === '' ? { groupResource, name } : { groupResource, namespace, name };
};
const pathOf = ({ groupResource, namespace = '', name }: ArchiveKey): string => `${groupResource}/${namespace}/${name}`;

interface World {
  spec?: Spec;
  labels?: Record<string, Record<string, string>>;
  unserved?: string[];
  policies?: object;
}

function collect(paths: readonly string[], world: World = {}): Promise<Collection> {
  const { spec = {}, labels = {}, unserved = [], policies } = world;
  const parsed = policies && parseResourcePolicies({ version: 'v1', ...policies }).policies;
  return collectRestore({
    spec,
    entries: paths.map(key),
    lookInto: (item) => Promise.resolve({ kind: KINDS[item.groupResource] ?? '', labels: labels[pathOf(item)] ?? {} }),
    ...(parsed === undefined ? {} : { policies: fineFilter(parsed, NAMES) }),
    priorities: DEFAULT_PRIORITIES,
    names: NAMES,
    serves: (resource) => !unserved.includes(resource),
  });
}

/** As `resource/namespace/name -> target namespace`. */
const listed = (resources: readonly RestoreResource[]): string[] =>
  resources.flatMap(({ resource, itemsByNamespace }) =>
    [...itemsByNamespace].flatMap(([namespace, items]) =>
      items.map(({ name, targetNamespace }) => `${resource}/${namespace}/${name} -> ${targetNamespace}`),
    ),
  );
const collected = (collection: Collection): string[] => listed(collection.tiers.flat());
const reasons = ({ leftOut }: Collection): string[] =>
  leftOut.flatMap(({ groupResource, namespace = '', reason, names }) =>
    names.map((name) => `${groupResource}/${namespace}/${name}: ${reason}`),
  );

const ARCHIVE = [
  'namespaces//a',
  'namespaces//b',
  'configmaps/a/one',
  'configmaps/b/two',
  'deployments.apps/a/web',
  'clusterroles.rbac.authorization.k8s.io//admin',
  'events/a/e',
];
const A = ['namespaces//a -> ', 'configmaps/a/one -> a', 'deployments.apps/a/web -> a'];

describe('policies about single kinds', () => {
  const WIDGETS = ['widgets.example.com/a/w', 'widgets.example.com/b/w'];
  const policies = {
    namespacedFilterPolicies: [
      { namespaces: ['a'], resourceFilters: [{ kinds: ['cm'], names: ['one'] }, { kinds: ['Widget'] }] },
      { namespaces: ['*'], resourceFilters: [{ kinds: ['*'], labelSelector: { matchLabels: { app: 'x' } } }] },
    ],
    clusterScopedFilterPolicy: {
      resourceFilters: [{ kinds: ['clusterroles.rbac.authorization.k8s.io'], excludedNames: ['admin'] }],
    },
  };

  it('choose by kind, name and labels, also kinds that the cluster does not know yet', async () => {
    const labels = { 'configmaps/b/two': { app: 'x' } };
    const collection = await collect([...ARCHIVE, 'configmaps/a/other', ...WIDGETS], { policies, labels });
    expect(collected(collection)).toEqual([
      'namespaces//a -> ',
      'namespaces//b -> ',
      'configmaps/a/one -> a',
      'configmaps/b/two -> b',
      'widgets.example.com/a/w -> a',
    ]);
    expect(reasons(collection)).toEqual([
      'deployments.apps/a/web: policies',
      'clusterroles.rbac.authorization.k8s.io//admin: policies',
      'events/a/e: neverRestored',
      'configmaps/a/other: policies',
      'widgets.example.com/b/w: policies',
    ]);
  });

  it('take the place of the selectors where they say something, and leave them the rest', async () => {
    const spec = { labelSelector: { matchLabels: { tier: 'db' } } };
    const some = { namespacedFilterPolicies: policies.namespacedFilterPolicies.slice(0, 1) };
    expect(collected(await collect(ARCHIVE, { policies: some, spec }))).toEqual([
      'namespaces//a -> ',
      'configmaps/a/one -> a',
    ]);
  });
});

describe('what is collected', () => {
  it('is everything but what is never restored, in the structures of the seed', async () => {
    const collection = await collect(ARCHIVE);
    expect(collection.totalItems).toBe(6);
    expect(collection.tiers.map((tier) => tier.map(({ resource, totalItems }) => [resource, totalItems]))).toEqual([
      [['namespaces', 2]],
      [['clusterroles.rbac.authorization.k8s.io', 1]],
      [['configmaps', 2]],
      [['deployments.apps', 1]],
    ]);
    expect(collection.tiers[2]?.[0]?.itemsByNamespace).toEqual(
      new Map([
        ['a', [{ targetNamespace: 'a', name: 'one' }]],
        ['b', [{ targetNamespace: 'b', name: 'two' }]],
      ]),
    );
    expect(reasons(collection)).toEqual(['events/a/e: neverRestored']);
  });

  it.each<[string, Spec, string[]]>([
    ['a namespace, without cluster-scoped items', { includedNamespaces: ['a'] }, A],
    ['a namespace by glob', { includedNamespaces: ['[ax]*'] }, A],
    ['all but a namespace', { excludedNamespaces: ['b'] }, A],
    [
      'a namespace and cluster-scoped items',
      { includedNamespaces: ['a'], includeClusterResources: true },
      [A[0]!, 'clusterroles.rbac.authorization.k8s.io//admin -> ', ...A.slice(1)],
    ],
    [
      'no cluster-scoped items; namespaces are made all the same',
      { includeClusterResources: false, includedResources: ['cm'] },
      ['namespaces//a -> ', 'namespaces//b -> ', 'configmaps/a/one -> a', 'configmaps/b/two -> b'],
    ],
    ['types by any of their names', { includedResources: ['deploy'] }, [A[0]!, A[2]!]],
    [
      'all but a type',
      { excludedResources: ['cm', 'namespaces'] },
      ['namespaces//a -> ', 'clusterroles.rbac.authorization.k8s.io//admin -> ', 'deployments.apps/a/web -> a'],
    ],
    [
      'namespaces under other names, chosen by their old ones',
      { includedNamespaces: ['a'], namespaceMapping: { a: 'x', x: 'y' } },
      ['namespaces//a -> ', 'configmaps/a/one -> x', 'deployments.apps/a/web -> x'],
    ],
  ])('%s', async (_, spec, expected) => {
    expect(collected(await collect(ARCHIVE, { spec }))).toEqual(expected);
  });

  it.each<[string, Spec, string[]]>([
    ['one selector', { labelSelector: { matchLabels: { app: 'x' } } }, ['one']],
    [
      'any of several',
      { orLabelSelectors: [{ matchLabels: { app: 'x' } }, { matchLabels: { app: 'y' } }] },
      ['one', 'web'],
    ],
  ])('by labels: %s', async (_, spec, expected) => {
    const labels = { 'configmaps/a/one': { app: 'x' }, 'deployments.apps/a/web': { app: 'y' } };
    const collection = await collect(ARCHIVE, { spec, labels });
    expect(collected(collection)).toEqual(
      A.filter((path) => /\/a -> /.test(path) || expected.some((n) => path.includes(n))),
    );
    expect(reasons(collection)).toContain('configmaps/b/two: labels');
  });

  it('what tells where volume data is, whatever the filters say', async () => {
    const spec = { includedNamespaces: ['a'], includedResources: ['cm'], labelSelector: { matchLabels: { app: 'x' } } };
    const paths = ['datauploads.velero.io/velero/d', 'volumesnapshotcontents.snapshot.storage.k8s.io//v'];
    const collection = await collect(paths, { spec });
    expect(collected(collection)).toHaveLength(2);
    expect(collection.totalItems).toBe(2);
  });

  it('one of two items that a mapping brings to the same place; the other is named', async () => {
    const collection = await collect(ARCHIVE.concat('configmaps/b/one'), { spec: { namespaceMapping: { b: 'a' } } });
    expect(reasons(collection)).toContain('configmaps/b/one: sameTarget');
    expect(reasons(collection)).toContain('namespaces//b: sameTarget');
    expect(collected(collection)).toContain('configmaps/b/two -> a');
  });
});

describe('types that the cluster does not serve', () => {
  const unserved = ['carts.shop.io'];
  it('are named beforehand, with a hint, and counted', async () => {
    const collection = await collect(['carts.shop.io/a/big', 'configmaps/a/one'], { unserved });
    expect(listed(collection.unserved)).toEqual(['carts.shop.io/a/big -> a']);
    expect(collection.unserved[0]?.hint).toMatch(/install/);
    expect(collected(collection)).toEqual(['namespaces//a -> ', 'configmaps/a/one -> a']);
    expect(collection.totalItems).toBe(3);
  });

  it('are served once their definition is restored', async () => {
    const collection = await collect(['carts.shop.io/a/big', `${CRDS}//carts.shop.io`], { unserved });
    expect(collection.unserved).toEqual([]);
  });

  it('need their definition, if the restore leaves it out', async () => {
    const spec = { excludedResources: [CRDS] };
    const collection = await collect(['carts.shop.io/a/big', `${CRDS}//carts.shop.io`], { unserved, spec });
    expect(collection.unserved[0]?.hint).toMatch(/in the backup.*include customresourcedefinitions/);
  });
});

const RESOURCES = ['pods', 'configmaps', 'carts.shop.io', 'deployments.apps', 'events', 'zoo.example.com'];
const arbitraryArchive = fc.uniqueArray(
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...RESOURCES), fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z'))
      .map((parts) => parts.join('/')),
    fc.constantFrom('namespaces//a', 'namespaces//d', `${CRDS}//carts.shop.io`, 'persistentvolumes//p'),
  ),
);
const some = (...values: string[]) => fc.subarray(values);
const arbitrarySpec: fc.Arbitrary<Spec> = fc.record(
  {
    includedNamespaces: some('a', 'b', '*', '[cd]'),
    excludedNamespaces: some('a', 'b?', 'c'),
    includedResources: some('pods', 'cm', 'carts.shop.io', CRDS),
    excludedResources: some('deploy', 'pods'),
    includeClusterResources: fc.boolean(),
    namespaceMapping: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'new')),
  },
  { requiredKeys: [] },
);

describe('names in the spec that match nothing', () => {
  const paths = ['namespaces//shop', 'configmaps/shop/a', 'configmaps/other/b', 'secrets/shop/s'];
  const told = async (spec: Spec, labels: World['labels'] = {}): Promise<string[]> =>
    (await collect(paths, { spec, labels })).unmatched.map(({ field, message }) => `${field}: ${message}`);

  it.each<[Spec, string[]]>([
    [{ includedNamespaces: ['shop', 'other', 'sh*'], includedResources: ['cm', 'secrets'] }, []],
    [
      { includedNamespaces: ['shpo', 'x*'] },
      [
        'includedNamespaces: the backup has no namespace "shpo"; did you mean "shop"?',
        'includedNamespaces: the backup has no namespace "x*"',
      ],
    ],
    [
      { namespaceMapping: { shpo: 'x', other: 'y' } },
      ['namespaceMapping: the backup has no namespace "shpo"; did you mean "shop"?'],
    ],
    [{ includedResources: ['deploy'] }, ['includedResources: the backup has no items of the kind "deploy"']],
    [
      { labelSelector: { matchLabels: { app: 'x' } } },
      ['labelSelector: nothing that is chosen in the backup has the labels app=x'],
    ],
  ])('%j', async (spec, messages) => {
    expect(await told(spec)).toEqual(messages);
  });

  it('are not told of a selector that has matched', async () => {
    const labels = { 'configmaps/shop/a': { app: 'x' } };
    expect(await told({ labelSelector: { matchLabels: { app: 'x' } } }, labels)).toEqual([]);
  });

  it('leave nothing at all, or the rest', async () => {
    const nothing = await collect(paths, { spec: { includedNamespaces: ['shpo'] } });
    expect(nothing).toMatchObject({ isNothing: true, totalItems: 0 });
    const rest = await collect(paths, { spec: { includedNamespaces: ['shpo', 'other'] } });
    expect(rest).toMatchObject({ isNothing: false, unmatched: [{ name: 'shpo' }] });
  });

  it('are looked for in the whole archive, also by a restore of only a part of it', async () => {
    const { unmatched } = await collectRestore({
      ...{ spec: { namespaceMapping: { other: 'x', broken: 'y' } }, entries: paths.map(key) },
      ...{ isWanted: ({ namespace }) => namespace === 'shop', broken: [key('pods/broken/p')] },
      ...{ lookInto: () => Promise.reject(new Error('no labels are asked for')), serves: () => true },
      ...{ priorities: DEFAULT_PRIORITIES, names: NAMES },
    });
    expect(unmatched).toEqual([]);
  });
});

describe('laws', () => {
  it('every entry is either collected, unserved or left out, and counted once', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryArchive, arbitrarySpec, async (paths, spec) => {
        const collection = await collect(paths, { spec, unserved: ['carts.shop.io'] });
        const all = [...collected(collection), ...listed(collection.unserved)];
        const taken = all.map((line) => line.replace(/ -> .*/, ''));
        const dropped = reasons(collection).map((line) => line.replace(/: .*/, ''));
        expect(collection.totalItems).toBe(all.length);
        expect(new Set(taken).size).toBe(taken.length);
        // A namespace that was left out as an item may still be created, because something goes into it.
        const made = taken.filter((path) => !paths.includes(path) || dropped.includes(path));
        expect(made.every((path) => path.startsWith('namespaces//'))).toBe(true);
        expect(new Set([...taken, ...dropped])).toEqual(new Set([...paths, ...made]));
      }),
    );
  });

  it('what is excluded is never there, and the order of tiers is kept', async () => {
    const rank = [...DEFAULT_PRIORITIES.first];
    await fc.assert(
      fc.asyncProperty(arbitraryArchive, arbitrarySpec, async (paths, spec) => {
        const collection = await collect(paths, { spec });
        const filters = restoreFilters(spec, NAMES);
        const resources = collection.tiers.flat();
        for (const line of listed(resources)) {
          const path = line.replace(/ -> .*/, '');
          expect(path.startsWith('events/')).toBe(false);
          if (!path.startsWith('namespaces/')) expect(filters.leaveOut(key(path))).toBeUndefined();
        }
        const ranks = resources.map(({ resource }) => rank.indexOf(resource)).filter((at) => at >= 0);
        expect(ranks).toEqual(ranks.toSorted((x, y) => x - y));
        const unlisted = resources.map(({ resource }) => resource).filter((resource) => !rank.includes(resource));
        expect(unlisted).toEqual(unlisted.toSorted());
        // Within a type, the archive's order.
        for (const { resource, itemsByNamespace } of resources) {
          for (const [namespace, items] of itemsByNamespace) {
            const at = items.map(({ name }) => paths.indexOf(`${resource}/${namespace}/${name}`)).filter((i) => i >= 0);
            expect(at).toEqual(at.toSorted((x, y) => x - y));
          }
        }
      }),
    );
  });

  it("a serial run without overlap counts by the seed's formula", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryArchive, fc.infiniteStream(fc.nat(2)), async (paths, additional) => {
        const collection = await collect(paths);
        const counting = new ItemCounting();
        const plan = new RestorePlan({
          collection,
          namespaceMapping: {},
          filters: restoreFilters({}, NAMES),
          inArchive: () => true,
          counting,
          parallel: 1,
        });
        for (const _ of plan.begin());
        const restoredItems = new Set<string>();
        let i = 0;
        for (let work = plan.next(); work !== undefined; work = plan.next()) {
          if (work === 'wait') throw new Error('a serial run never waits');
          for (let more = Number(additional.next().value); more > 0; more -= 1) {
            const claim = plan.claim({ groupResource: 'extras', name: `${i}-${more}` }, work.target);
            if (claim.kind !== 'restore') throw new Error(claim.kind);
            plan.settleClaimed(claim.item.target, 'created');
            restoredItems.add(pathOf(claim.item.target));
          }
          plan.settle(work.target, 'created');
          restoredItems.add(pathOf(work.target));
          i += 1;
          expect(counting.measure()).toEqual({
            unit: 'items',
            done: restoredItems.size,
            total: exact(restoredItems.size + (collection.totalItems - i)),
          });
        }
        expect(i).toBe(collection.totalItems);
      }),
    );
  });
});
