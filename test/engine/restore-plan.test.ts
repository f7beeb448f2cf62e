import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import type { RestorePlanAnswer, SelectionAnswer } from '../../src/core/operations/index.ts';
import {
  planOfRestore,
  selectionOfRestore,
  type RestorePlanDeps,
} from '../../src/control/controllers/restore/index.ts';
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
    configMap('app', 'Bad_Name'),
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
  return await planOfRestore(restoreOf(spec), readingDeps(), {}, AbortSignal.timeout(30_000));
}

async function selection(spec: JsonObject): Promise<SelectionAnswer> {
  return await selectionOfRestore(restoreOf(spec), readingDeps(), {}, AbortSignal.timeout(30_000));
}

function restoreOf(spec: JsonObject): JsonObject {
  return { apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name: 'r' }, spec };
}

function readingDeps(): RestorePlanDeps {
  const noted =
    (name: string): (() => never) =>
    () => {
      writes.push(name);
      throw new Error(`a dry run may not ${name}`);
    };
  const kube: KubeClient = {
    ...cluster.kube,
    ...{ create: noted('create'), createText: noted('create'), patch: noted('patch'), patchUnread: noted('patch') },
    ...{ replace: noted('replace'), delete: noted('delete') },
  };
  return { ...engine.deps, kube };
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
      ...{ resource: 'configmaps', namespace: 'app', name: 'Bad_Name', action: 'fail' },
      reason: 'the API server takes no object of that name',
    },
    {
      ...{ resource: 'deployments.apps', namespace: 'app', name: 'old', action: 'fail' },
      reason: 'the backup has it as apps/v1beta1, which the cluster does not serve',
    },
  ]);
  expect(counts).toEqual({ create: 1, update: 1, exists: 2, fail: 2 });
  expect(leftOut.map(({ count, examples }) => ({ count, examples }))).toEqual([
    { count: 1, examples: ['widgets.example.com app/w'] },
    { count: 1, examples: ['pods app/done'] },
  ]);
  expect(writes).toEqual([]);
});

it('looks into the namespaces that things would go to', async () => {
  const { counts, items } = await plan({ backupName: 'b', namespaceMapping: { app: 'other' } });
  expect(counts).toEqual({ create: 4, update: 0, exists: 0, fail: 2 });
  expect(items[0]).toEqual({ resource: 'namespaces', name: 'other', action: 'create' });
});

it('refuses what a restore would refuse', async () => {
  const { validationErrors, items } = await plan({ backupName: 'nowhere', includedResources: ['nodes'] });
  expect(validationErrors).toHaveLength(3);
  expect(items).toEqual([]);
});

it.each([
  [{ app: 'Shop New' }, '"Shop New" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -'],
  [{ app: 'shop_new' }, '"shop_new" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -'],
  [{ appp: 'x' }, 'the backup has no namespace "appp"; did you mean "app"?'],
])('refuses the mapping %j, before anything begins', async (namespaceMapping, problem) => {
  const spec = { backupName: 'b', namespaceMapping };
  const [from, to] = Object.entries(namespaceMapping)[0] ?? [];
  const validationErrors = [`Invalid namespace mapping "${from}:${to}": ${problem}`];
  expect(await plan(spec)).toMatchObject({ validationErrors, items: [] });
  expect(await selection(spec)).toEqual({ validationErrors, unmatched: [], isNothing: false });
});

it('names what matches nothing, and says when nothing is left', async () => {
  const unmatched = [
    {
      ...{ field: 'includedNamespaces', name: 'ap' },
      message: 'the backup has no namespace "ap"; did you mean "app"?',
    },
  ];
  const some = { backupName: 'b', includedNamespaces: ['ap', 'app'] };
  expect(await plan(some)).toMatchObject({ unmatched, validationErrors: [], counts: { create: 1 } });
  expect(await selection(some)).toEqual({ validationErrors: [], unmatched, isNothing: false });
  expect(await selection({ backupName: 'b', includedNamespaces: ['ap'] })).toMatchObject({
    unmatched,
    isNothing: true,
  });
});
