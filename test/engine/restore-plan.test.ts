import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import type { RestorePlanAnswer } from '../../src/core/operations/index.ts';
import { planOfRestore } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { CONFIG_MAP, NAMESPACE_TYPE } from './cluster-objects.ts';
import { startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup } from './stored-backup.ts';

let cluster: EngineCluster;
let engine: Engine;
const writes: string[] = [];

beforeAll(async () => {
  cluster = await startCluster();
  engine = await startEngine(cluster, { controllers: () => [] });
  const inCluster = (name: string, data: Record<string, string>): Promise<KubeObject> =>
    cluster.kube.create({ type: CONFIG_MAP, namespace: 'app' }, configMap('app', name, data).object as KubeObject);
  await cluster.kube.create({ type: NAMESPACE_TYPE }, namespace('app').object as KubeObject);
  await inCluster('same', { k: 'v' });
  await inCluster('changed', { k: 'new' });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'done', namespace: 'app' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
    status: { phase: 'Succeeded' },
  };
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'app' } };
  const old = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'old', namespace: 'app' } };
  await storeBackup(cluster, 'b', [
    namespace('app'),
    configMap('app', 'same'),
    configMap('app', 'changed', { k: 'old' }),
    configMap('app', 'gone'),
    { groupResource: 'pods', object: pod },
    { groupResource: 'widgets.example.com', object: widget },
    { groupResource: 'deployments.apps', object: old },
  ]);
}, 60_000);

afterAll(async () => {
  await engine.stop();
  await cluster[Symbol.asyncDispose]();
});

async function plan(spec: JsonObject): Promise<RestorePlanAnswer> {
  const noted =
    (name: string): (() => never) =>
    () => {
      writes.push(name);
      throw new Error(`a dry run may not ${name}`);
    };
  const kube: KubeClient = {
    ...cluster.kube,
    ...{ create: noted('create'), patch: noted('patch'), replace: noted('replace'), delete: noted('delete') },
  };
  const restore = { apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name: 'r' }, spec };
  return await planOfRestore(restore, { ...engine.deps, kube }, {}, AbortSignal.timeout(30_000));
}

it('says what would be created, changed, left and refused, and creates nothing', async () => {
  const { items, counts, leftOut, validationErrors } = await plan({
    backupName: 'b',
    existingResourcePolicy: 'update',
  });
  expect(validationErrors).toEqual([]);
  expect(items).toEqual([
    { resource: 'namespaces', name: 'app', action: 'exists' },
    { resource: 'configmaps', namespace: 'app', name: 'same', action: 'exists' },
    {
      ...{ resource: 'configmaps', namespace: 'app', name: 'changed', action: 'update' },
      reason: 'changes data.k, metadata.labels',
    },
    { resource: 'configmaps', namespace: 'app', name: 'gone', action: 'create' },
    {
      ...{ resource: 'deployments.apps', namespace: 'app', name: 'old', action: 'fail' },
      reason: 'the backup has it as apps/v1beta1, which the cluster does not serve',
    },
  ]);
  expect(counts).toEqual({ create: 1, update: 1, exists: 2, fail: 1 });
  expect(leftOut.map(({ count, examples }) => ({ count, examples }))).toEqual([
    { count: 1, examples: ['widgets.example.com app/w'] },
    { count: 1, examples: ['pods app/done'] },
  ]);
  expect(writes).toEqual([]);
});

it('looks into the namespaces that things would go to', async () => {
  const { counts, items } = await plan({ backupName: 'b', namespaceMapping: { app: 'other' } });
  expect(counts).toEqual({ create: 4, update: 0, exists: 0, fail: 1 });
  expect(items[0]).toEqual({ resource: 'namespaces', name: 'other', action: 'create' });
});

it('refuses what a restore would refuse', async () => {
  const { validationErrors, items } = await plan({ backupName: 'nowhere', includedResources: ['nodes'] });
  expect(validationErrors).toHaveLength(3);
  expect(items).toEqual([]);
});
