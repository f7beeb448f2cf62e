import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip, gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { SampleCluster, type } from './sample-cluster.ts';
import { collect } from '../collect.ts';
import { openArchive } from '../../src/edge/archive/index.ts';
import {
  claimAction,
  customResourceAction,
  podAction,
  serviceAccountAction,
  VELERO_LAYOUT,
  type ItemAction,
} from '../../src/core/backup/index.ts';
import type { DiscoveredType, ResourceList } from '../../src/core/selection/index.ts';

// What the stock command line and server of Velero 1.18.3 answered.
const FIXTURES = new URL('../fixtures/velero/', import.meta.url);
async function golden(name: string): Promise<Record<string, { list: ResourceList }>> {
  return JSON.parse(await readFile(new URL(`compat-${name}.json`, FIXTURES), 'utf8')) as Record<
    string,
    { list: ResourceList }
  >;
}

describe('selects what Velero selected', () => {
  it('by namespaces', async () => {
    const cluster = new SampleCluster();
    for (const namespace of ['c02-a', 'c02-b', 'c02-c', 'other']) {
      cluster.make('namespaces', undefined, namespace).make('configmaps', namespace, 'm');
    }
    cluster.make('clusterroles.rbac.authorization.k8s.io', undefined, 'admin');
    const { b1 } = await golden('02-namespace-filters');
    expect(cluster.backUp({ includedNamespaces: ['c02-a', 'c02-b'] }).list).toEqual(b1?.list);
    expect(cluster.backUp({ includedNamespaces: ['c02-[ab]'] }).list).toEqual(b1?.list);
    expect(cluster.backUp({ includedNamespaces: ['c02-*'], excludedNamespaces: ['*-c'] }).list).toEqual(b1?.list);
  });

  it('by resources', async () => {
    const cluster = new SampleCluster();
    cluster.make('namespaces', undefined, 'c03').make('configmaps', 'c03', 'm').make('secrets', 'c03', 's');
    cluster.make('namespaces', undefined, 'other').make('configmaps', 'other', 'm');
    const { b1, b2, b3 } = await golden('03-resource-filters');
    const includedNamespaces = ['c03'];
    expect(cluster.backUp({ includedNamespaces, includedResources: ['configmaps'] }).list).toEqual(b1?.list);
    const excludedResources = ['secrets', 'serviceaccounts'];
    expect(cluster.backUp({ includedNamespaces, excludedResources }).list).toEqual(b2?.list);
    expect(cluster.backUp({ includedNamespaces }).list).toEqual(b3?.list);
  });

  it('by labels', async () => {
    const cluster = new SampleCluster().make('namespaces', undefined, 'c04').make('namespaces', undefined, 'other');
    cluster.make('configmaps', 'c04', 'yes', { keep: 'true' }).make('configmaps', 'c04', 'no');
    cluster.make('configmaps', 'c04', 'never', { keep: 'true', 'velero.io/exclude-from-backup': 'true' });
    cluster.make('configmaps', 'c04', 'other', { tier: 'x' }).make('configmaps', 'other', 'yes', { keep: 'true' });
    const { b1, b2, b3 } = await golden('04-selectors');
    const includedNamespaces = ['c04'];
    const keep = { matchLabels: { keep: 'true' } };
    const tier = { matchExpressions: [{ key: 'tier', operator: 'In', values: ['x'] }] };
    expect(cluster.backUp({ includedNamespaces, labelSelector: keep }).list).toEqual(b1?.list);
    expect(cluster.backUp({ includedNamespaces, orLabelSelectors: [keep, tier] }).list).toEqual(b2?.list);
    expect(cluster.backUp({ includedNamespaces }).list).toEqual(b3?.list);
  });
});

it('backs the recorded application up as Velero did, object for object', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'headway-selection-'));
  const files = new Map<string, Buffer>();
  const bucket = extract();
  createReadStream(new URL('velero-1.18.3-bucket.tar.gz', FIXTURES))
    .pipe(createGunzip())
    .pipe(bucket as never);
  for await (const entry of bucket) {
    files.set(entry.header.name.replace('./', ''), Buffer.concat(await collect(entry as AsyncIterable<Uint8Array>)));
  }
  const tarball = files.get('backups/shop-1/shop-1.tar.gz')!;
  const source = (async function* () {
    yield await Promise.resolve(tarball);
  })();
  const archive = await openArchive(source, { layout: VELERO_LAYOUT, spoolPath: join(directory, 'spool') });
  const recorded = await Promise.all(
    (await collect(archive.entries())).map(async (key) => ({ key, object: await archive.read(key) })),
  );
  await archive.close();
  await rm(directory, { recursive: true });

  const types = new Map<string, DiscoveredType>([['events.events.k8s.io', type('events.k8s.io', 'Event', 'events')]]);
  for (const { key, object } of recorded) {
    const [plural = '', ...group] = key.groupResource.split('.');
    const version = (object['apiVersion'] as string).split('/').at(-1)!;
    const namespaced = key.namespace !== undefined;
    types.set(key.groupResource, type(group.join('.'), object['kind'] as string, plural, { version, namespaced }));
  }
  const cluster = new SampleCluster([...types.values()]);
  for (const { key, object } of recorded) cluster.add(key.groupResource, object);
  // What must stay out.
  cluster
    .make('namespaces', undefined, 'other')
    .make('configmaps', 'other', 'm')
    .make('persistentvolumes', undefined, 'free');
  cluster
    .make('clusterroles.rbac.authorization.k8s.io', undefined, 'admin')
    .make('events.events.k8s.io', 'shop', 'twin');

  const bindings = recorded.filter(({ object }) => object['kind'] === 'ClusterRoleBinding').map(({ object }) => object);
  const actions: ItemAction[] = [
    podAction,
    claimAction('shop-1'),
    serviceAccountAction(bindings),
    customResourceAction(new Set(['carts.shop.example.com'])),
  ];
  const { list, objects } = cluster.backUp({ includedNamespaces: ['shop'] }, actions);
  const theirs = gunzipSync(files.get('backups/shop-1/shop-1-resource-list.json.gz')!).toString();
  expect(JSON.stringify(list)).toBe(theirs.trim());
  expect(objects).toHaveLength(recorded.length);
  expect(new Set(objects)).toEqual(new Set(recorded.map(({ object }) => object)));
});
