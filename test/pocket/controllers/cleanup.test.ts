import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG_MAPS,
  CUSTOM_RESOURCE_DEFINITIONS,
  DEPLOYMENTS,
  NAMESPACES,
  PODS,
  REPLICA_SETS,
  SERVICE_ACCOUNTS,
  type ConfigMap,
  type KubeObject,
  type OwnerReference,
} from '../../../src/pocket/controllers/kinds/index.ts';
import { eventually } from '../../eventually.ts';
import { Cluster, workload } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
});
afterAll(() => cluster[Symbol.asyncDispose]());

let count = 0;
/** A config map of its own, in the namespace `default` unless said otherwise. */
const configMap = async (metadata: Partial<KubeObject['metadata']> = {}): Promise<ConfigMap> => {
  count += 1;
  return (await cluster.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `cm-${count}`, ...metadata },
  })) as ConfigMap;
};
const ref = ({ metadata }: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: metadata.name,
  uid: metadata.uid ?? '',
  ...more,
});
const read = ({ metadata }: KubeObject) => cluster.client.get(CONFIG_MAPS, metadata.namespace ?? '', metadata.name);
const gone = (object: KubeObject) =>
  eventually(() => {
    expect(read(object)).toBeUndefined();
  });
const remove = (object: KubeObject, propagation: string) =>
  cluster.client.delete(CONFIG_MAPS, object.metadata.namespace ?? '', object.metadata.name, { propagation });
const withoutFinalizers = <T extends KubeObject>(object: T): T => {
  const { finalizers: _all, ...metadata } = object.metadata;
  return { ...object, metadata };
};
const letGo = ({ metadata }: KubeObject) =>
  cluster.change(CONFIG_MAPS, `${metadata.namespace ?? ''}/${metadata.name}`, withoutFinalizers);

describe('the garbage collector', () => {
  it('takes dependents and theirs in the background', async () => {
    const owner = await configMap();
    const child = await configMap({ ownerReferences: [ref(owner)] });
    const grandchild = await configMap({ ownerReferences: [ref(child)] });
    await remove(owner, 'Background');
    expect(read(owner)).toBeUndefined();
    await gone(child);
    await gone(grandchild);
  });

  it('takes dependents first in the foreground', async () => {
    const owner = await configMap();
    const held = await configMap({
      ownerReferences: [ref(owner, { blockOwnerDeletion: true })],
      finalizers: ['test/hold'],
    });
    const free = await configMap({ ownerReferences: [ref(owner)] });
    await remove(owner, 'Foreground');
    await gone(free);
    await eventually(() => {
      expect(read(held)?.metadata.deletionTimestamp).toBeDefined();
    });
    expect(read(owner)?.metadata.finalizers).toEqual(['foregroundDeletion']);
    await letGo(held);
    await gone(owner);
  });

  it('leaves dependents behind when orphaning', async () => {
    const owner = await configMap();
    const child = await configMap({ ownerReferences: [ref(owner)] });
    await remove(owner, 'Orphan');
    await gone(owner);
    expect(read(child)?.metadata.ownerReferences).toBeUndefined();
  });

  it('only forgets one owner of two', async () => {
    const [first, second] = [await configMap(), await configMap()];
    const child = await configMap({ ownerReferences: [ref(first), ref(second)] });
    await remove(first, 'Background');
    await eventually(() => {
      expect(read(child)?.metadata.ownerReferences).toEqual([ref(second)]);
    });
  });

  it('takes what names an owner that never was, or is in another namespace, or is another of that name', async () => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    const far = await configMap({ namespace: 'other' });
    const near = await configMap();
    await gone(await configMap({ ownerReferences: [ref(near, { uid: '00000000-0000-4000-8000-000000000000' })] }));
    await gone(await configMap({ ownerReferences: [ref(far)] }));
  });

  it('does not touch a cluster-scoped object with an owner in a namespace', async () => {
    const owner = await configMap();
    const metadata = { name: 'odd', ownerReferences: [ref(owner)] };
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata });
    await remove(owner, 'Background');
    await gone(await configMap({ ownerReferences: [ref(owner)] }));
    expect(cluster.client.get(NAMESPACES, '', 'odd')?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('waits for a kind that is not served yet', async () => {
    const uid = '00000000-0000-4000-8000-000000000001';
    const child = await configMap({ ownerReferences: [{ apiVersion: 'x.io/v1', kind: 'Foo', name: 'a', uid }] });
    await gone(await configMap({ ownerReferences: [ref(child, { uid })] }));
    expect(read(child)).toBeDefined();
    await cluster.client.create(CUSTOM_RESOURCE_DEFINITIONS, {
      metadata: { name: 'foos.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Namespaced',
        names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await gone(child);
  });

  it('goes on after a restart', async () => {
    const owner = await configMap({ finalizers: ['test/hold'] });
    const child = await configMap({
      ownerReferences: [ref(owner, { blockOwnerDeletion: true })],
      finalizers: ['test/hold'],
    });
    await remove(owner, 'Foreground');
    await cluster.restart();
    await eventually(() => {
      expect(read(child)?.metadata.deletionTimestamp).toBeDefined();
    });
    await letGo(child);
    await eventually(() => {
      expect(read(owner)?.metadata.finalizers).toEqual(['test/hold']);
    });
  });

  it.each(['Background', 'Foreground'])('takes the replica sets and pods of a deployment (%s)', async (propagation) => {
    const name = `app-${propagation.toLowerCase()}`;
    const owned = () =>
      [...cluster.client.list(REPLICA_SETS, 'default'), ...cluster.client.list(PODS, 'default')].filter(
        (object) => object.metadata.labels?.['app'] === name,
      ).length;
    await cluster.create(workload('Deployment', name, { replicas: 3 }));
    await eventually(() => {
      expect(cluster.client.get(DEPLOYMENTS, 'default', name)?.status?.availableReplicas).toBe(3);
    });
    await cluster.client.delete(DEPLOYMENTS, 'default', name, { propagation });
    await eventually(() => {
      expect([owned(), cluster.client.get(DEPLOYMENTS, 'default', name)]).toEqual([0, undefined]);
    });
  });
});

describe('the end of a namespace', () => {
  it('takes everything in it, says what holds it up, and comes to an end', async () => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'doomed' } });
    const held = await configMap({ namespace: 'doomed', finalizers: ['test/hold'] });
    const app = workload('Deployment', 'web', { replicas: 2 });
    await cluster.create({ ...app, metadata: { name: 'web', namespace: 'doomed' } });
    await eventually(() => {
      expect(cluster.client.get(DEPLOYMENTS, 'doomed', 'web')?.status?.availableReplicas).toBe(2);
    });
    await cluster.client.delete(NAMESPACES, '', 'doomed');
    await eventually(() => {
      const { conditions = [] } = cluster.client.get(NAMESPACES, '', 'doomed')?.status ?? {};
      expect(conditions.find(({ type }) => type === 'NamespaceContentRemaining')?.message).toBe(
        'Some resources are remaining: configmaps. has 1 resource instances',
      );
    });
    expect(cluster.client.list(PODS, 'doomed')).toEqual([]);
    expect(cluster.client.list(SERVICE_ACCOUNTS, 'doomed')).toEqual([]);
    await cluster.restart();
    await letGo(held);
    await eventually(() => {
      expect(cluster.client.get(NAMESPACES, '', 'doomed')).toBeUndefined();
    });
  });

  it('waits for finalizers of its own', async () => {
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'sticky', finalizers: ['test/hold'] },
    });
    await eventually(() => {
      expect(cluster.client.get(SERVICE_ACCOUNTS, 'sticky', 'default')).toBeDefined();
    });
    await cluster.client.delete(NAMESPACES, '', 'sticky');
    await eventually(() => {
      expect(cluster.client.get(NAMESPACES, '', 'sticky')?.spec?.finalizers ?? []).toEqual([]);
    });
    await cluster.change(NAMESPACES, '/sticky', withoutFinalizers);
    expect(cluster.client.get(NAMESPACES, '', 'sticky')).toBeUndefined();
  });
});

describe('every namespace', () => {
  it('has a default service account and the certificate authority, also when somebody takes them away', async () => {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'fresh' } });
    const expectDefaults = () => {
      expect(cluster.client.get(SERVICE_ACCOUNTS, 'fresh', 'default')).toBeDefined();
      expect(cluster.client.get(CONFIG_MAPS, 'fresh', 'kube-root-ca.crt')?.data).toEqual({ 'ca.crt': 'PEM' });
    };
    await eventually(expectDefaults);
    await cluster.client.delete(SERVICE_ACCOUNTS, 'fresh', 'default');
    await cluster.change(CONFIG_MAPS, 'fresh/kube-root-ca.crt', (map) => ({ ...map, data: {} }));
    await eventually(expectDefaults);
  });
});
