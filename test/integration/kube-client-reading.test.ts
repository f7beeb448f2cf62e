import { expect, it } from 'vitest';
import {
  findKind,
  findResource,
  type KubeObject,
  type ListOptions,
  type Page,
  type Target,
} from '../../src/edge/kube/index.ts';
import { onEveryTarget } from '../client-target.ts';
import { collect } from '../collect.ts';
import { eventually } from '../eventually.ts';
import { API_SERVICES, CARTS, cartCrd, CONFIG_MAPS, CRDS, newNamespace, objectOf, SECRETS } from '../kube-kinds.ts';

const namesOf = (items: readonly KubeObject[]): string[] => items.map(({ metadata }) => metadata.name).sort();

onEveryTarget('reading a cluster', (place) => {
  const listed = async (target: Target, options?: ListOptions) =>
    (await collect(place.kube.list(target, options))).flatMap(({ items }) => [...items]);
  /** A namespace with so many ConfigMaps, every third one red, the others blue. */
  const withMaps = async (count: number) => {
    const maps = { type: CONFIG_MAPS, namespace: await newNamespace(place.kube) };
    const create = async (index: number) => {
      const labels = { set: 'numbered', colour: index % 3 === 0 ? 'red' : 'blue' };
      const name = `n-${String(index).padStart(3, '0')}`;
      await place.kube.create(
        maps,
        objectOf(CONFIG_MAPS, name, { metadata: { labels }, data: { index: String(index) } }),
      );
    };
    await Promise.all(Array.from({ length: count }, (_, index) => create(index)));
    return maps;
  };
  const numbered = { labelSelector: 'set=numbered' };

  it('says its version', async () => {
    expect(await place.kube.version()).toMatch(/^v1\.\d+/);
  });

  it('finds kinds by every name that kubectl takes', async () => {
    const discovery = await place.kube.discover();
    expect(discovery.failures).toEqual([]);
    const found = (text: string) => {
      const { group, version, kind } = findResource(discovery, text);
      return [group, version, kind];
    };
    for (const name of ['configmaps', 'configmap', 'ConfigMap', 'cm'])
      expect(found(name)).toEqual(['', 'v1', 'ConfigMap']);
    for (const name of ['deploy', 'deployments.apps', 'deployments.v1.apps']) {
      expect(found(name)).toEqual(['apps', 'v1', 'Deployment']);
    }
    expect(found('ev')).toEqual(['', 'v1', 'Event']);
    expect(found('sc')).toEqual(['storage.k8s.io', 'v1', 'StorageClass']);
    expect(findKind(discovery, 'v1', 'Secret')).toMatchObject({ plural: 'secrets', namespaced: true });
    expect(findKind(discovery, 'apps/v1', 'Deployment')?.subresources.map(({ name }) => name)).toContain('scale');
    expect(() => found('configmps')).toThrow('did you mean configmaps?');
  });

  it('sees a custom kind come and go', async () => {
    const { name } = cartCrd.metadata;
    await place.kube.create({ type: CRDS }, cartCrd);
    await eventually(
      async () => {
        const found = findResource(await place.kube.discover(), 'ca');
        expect(found).toMatchObject({ ...CARTS, preferred: true, singular: 'cart', shortNames: ['ca'] });
      },
      { withinMs: 40_000 },
    );
    await place.kube.delete({ type: CRDS, name });
    await eventually(
      async () => {
        expect(findKind(await place.kube.discover(), 'client.example.com/v1', 'Cart')).toBeUndefined();
      },
      { withinMs: 40_000 },
    );
  }, 100_000);

  place.itNeeds(
    'aggregation',
    'names a group whose extension server is down, and still finds everything else',
    async () => {
      const broken = objectOf(API_SERVICES, 'v1.broken.example.com', {
        spec: {
          group: 'broken.example.com',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { namespace: 'default', name: 'nowhere' },
        },
      });
      await place.kube.create({ type: API_SERVICES }, broken);
      await eventually(
        async () => {
          const discovery = await place.kube.discover();
          expect(discovery.failures).toMatchObject([{ group: 'broken.example.com', version: 'v1' }]);
          expect(findResource(discovery, 'pods').kind).toBe('Pod');
        },
        { withinMs: 30_000 },
      );
      await place.kube.delete({ type: API_SERVICES, name: broken.metadata.name });
      await eventually(
        async () => {
          expect((await place.kube.discover()).failures).toEqual([]);
        },
        { withinMs: 30_000 },
      );
    },
    70_000,
  );

  it('lists page by page what was there when it began', async () => {
    const maps = await withMaps(25);
    const pages: Page[] = [];
    for await (const page of place.kube.list(maps, { limit: 10, fieldSelector: 'metadata.name!=kube-root-ca.crt' })) {
      // Neither of these may show, because the list is of one moment.
      if (pages.push(page) === 1) {
        await place.kube.create(maps, objectOf(CONFIG_MAPS, 'n-zzz'));
        await place.kube.delete({ ...maps, name: 'n-024' });
      }
    }
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 5]);
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    expect(pages.every(({ restarted }) => !restarted)).toBe(true);
    const items = pages.flatMap((page) => [...page.items]);
    expect(namesOf(items)).toEqual(Array.from({ length: 25 }, (_, index) => `n-${String(index).padStart(3, '0')}`));
    expect(new Set(items.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))).toEqual(new Set(['v1 ConfigMap']));
    const now = await listed(maps, { fieldSelector: 'metadata.name!=kube-root-ca.crt' });
    expect(namesOf(now)).toContain('n-zzz');
    expect(namesOf(now)).not.toContain('n-024');
  });

  it('is told how many items follow, and with a selector only that none do', async () => {
    const maps = await withMaps(7);
    const all = (await listed(maps)).length;
    const remaining = async (options: ListOptions) =>
      (await collect(place.kube.list(maps, { limit: 3, ...options }))).map((page) => page.remaining);
    expect(await remaining({})).toEqual(all === 7 ? [4, 1, 0] : [5, 2, 0]);
    expect(await remaining(numbered)).toEqual([undefined, undefined, 0]);
  });

  it('selects by labels and by fields', async () => {
    const maps = await withMaps(9);
    const red = ['n-000', 'n-003', 'n-006'];
    expect(namesOf(await listed(maps, { labelSelector: 'colour=red' }))).toEqual(red);
    expect(namesOf(await listed(maps, { labelSelector: 'colour notin (blue),set' }))).toEqual(red);
    expect(namesOf(await listed(maps, { labelSelector: 'colour,!set' }))).toEqual([]);
    expect(namesOf(await listed(maps, { fieldSelector: 'metadata.name=n-004' }))).toEqual(['n-004']);
    const everywhere = { ...numbered, fieldSelector: `metadata.namespace=${maps.namespace}`, limit: 2 };
    expect(await listed({ type: CONFIG_MAPS }, everywhere)).toHaveLength(9);
    const secrets = { type: SECRETS, namespace: maps.namespace };
    const basic = objectOf(SECRETS, 'basic', { type: 'kubernetes.io/basic-auth', stringData: { username: 'shop' } });
    await place.kube.create(secrets, basic);
    await place.kube.create(secrets, objectOf(SECRETS, 'opaque'));
    expect(namesOf(await listed(secrets, { fieldSelector: 'type=kubernetes.io/basic-auth' }))).toEqual(['basic']);
    await expect(listed(maps, { labelSelector: 'colour==' + '!'.repeat(3) })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(listed(maps, { fieldSelector: 'data.index=1' })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('says which kind the cluster does not serve', async () => {
    await expect(listed({ type: { ...CARTS, plural: 'wheels' } })).rejects.toMatchObject({ code: 'notFound' });
  });

  const title = 'starts a list over when its past is gone, and says so';
  place.itNeeds(
    'etcd',
    title,
    async () => {
      const maps = await withMaps(25);
      const pages: Page[] = [];
      for await (const page of place.kube.list(maps, { limit: 10, ...numbered })) {
        if (pages.push(page) === 1) {
          await place.kube.create(maps, objectOf(CONFIG_MAPS, 'n-zzz', { metadata: { labels: { set: 'numbered' } } }));
          await place.target.bed!.clusters[0]!.forgetHistory();
          // A server that keeps running also has the past in memory.
          await place.target.restart();
        }
      }
      expect(pages.map(({ items, restarted }) => [items.length, restarted])).toEqual([
        [10, false],
        [10, true],
        [10, false],
        [6, false],
      ]);
      expect(namesOf(pages.slice(1).flatMap(({ items }) => [...items]))).toContain('n-zzz');
    },
    90_000,
  );
});
