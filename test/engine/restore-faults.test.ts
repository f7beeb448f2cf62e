import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { AppError, type JsonObject } from '../../src/base/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAP, listAll, NAMESPACE_TYPE } from './cluster-objects.ts';
import { ended, request, startCluster, startEngine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup, type Stored } from './stored-backup.ts';

let cluster: EngineCluster;

beforeEach(async () => {
  cluster = await startCluster();
}, 60_000);

afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
});

type Create = KubeClient['createText'];
const asIs: Create = (target, text, options) => cluster.kube.createText(target, text, options);

/** Runs one restore in a cluster whose creates of ConfigMaps may go wrong; with a phase it is one that was begun. */
async function restoreWith(
  items: Stored[],
  create: Create,
  spec: JsonObject = {},
  phase?: 'InProgress',
): Promise<Restore['status']> {
  await storeBackup(cluster, 'b', items);
  const kube: KubeClient = {
    ...cluster.kube,
    createText: (target, text, options) =>
      target.type.kind === 'ConfigMap' ? create(target, text, options) : cluster.kube.createText(target, text, options),
  };
  const engine = await startEngine(cluster, {
    kube,
    controllers: (deps, caches) => createRestoreController({ parallel: 10 }, deps, caches).parts,
  });
  const status = phase === undefined ? {} : { status: { phase, startTimestamp: '2026-01-01T00:00:00Z' } };
  await request(cluster.kube, Restore, 'r', { spec: { backupName: 'b', ...spec }, ...status });
  try {
    return Restore.parse(await ended(cluster.kube, Restore, 'r', 30_000)).value.status;
  } finally {
    await engine.stop();
  }
}

const many = [namespace('app'), ...Array.from({ length: 40 }, (_, index) => configMap('app', `item-${index}`))];

describe('an API server in trouble', () => {
  it('is waited for while it is away or turns everybody away', async () => {
    let calls = 0;
    const status = await restoreWith(many, async (...args) => {
      calls += 1;
      if (calls > 10 && calls < 25) throw new AppError('unreachable', 'connect ECONNREFUSED');
      if (calls > 24 && calls < 30) throw new AppError('throttled', 'too many requests', { retry: { afterMs: 10 } });
      return await cluster.kube.createText(...args);
    });
    expect(status).toMatchObject({ phase: 'Completed', errors: 0, progress: { created: 41, failed: 0 } });
  }, 40_000);

  it('costs only the items that it keeps refusing', async () => {
    const status = await restoreWith(many, async (target, text, options) => {
      if (target.name.endsWith('7')) throw new AppError('serverError', 'failed calling webhook "x": refused');
      return await cluster.kube.createText(target, text, options);
    });
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 4, progress: { created: 37, failed: 4 } });
  }, 40_000);

  it('that refuses to create what is there has nothing to refuse', async () => {
    const app = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'app' } };
    await cluster.kube.create({ type: NAMESPACE_TYPE }, app);
    for (const [name, value] of Object.entries({ same: 'v', other: 'w' })) {
      const { object } = configMap('app', name, { k: value });
      await cluster.kube.create({ type: CONFIG_MAP, namespace: 'app' }, object as unknown as KubeObject);
    }
    const items = ['same', 'other', 'absent'].map((name) => configMap('app', name));
    const status = await restoreWith([namespace('app'), ...items], () => {
      throw new AppError('forbidden', 'exceeded quota: q, requested: configmaps=1, used: configmaps=2');
    });
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 1, warnings: 1 });
    expect(status.progress).toMatchObject({ created: 0, skipped: 3, failed: 1 });
  }, 40_000);

  it('that took an object and lost the answer has restored it once', async () => {
    let lost = 0;
    const status = await restoreWith(many, async (...args) => {
      const created = await cluster.kube.createText(...args);
      lost += 1;
      if (lost % 4 === 0) throw new AppError('unreachable', 'connection broke', { details: { maybeDone: true } });
      return created;
    });
    expect(status).toMatchObject({ phase: 'Completed', warnings: 0, progress: { created: 41, skipped: 0, failed: 0 } });
  }, 40_000);
});

it('a restore whose first read is forbidden does not ask without a pause', async () => {
  let reads = 0;
  const get: KubeClient['get'] = async (target, options) => {
    if (target.type.kind !== Backup.kind && target.type.kind !== Restore.kind)
      return await cluster.kube.get(target, options);
    reads += 1;
    throw new AppError('forbidden', `get ${target.type.plural}: forbidden`);
  };
  const status = { phase: 'InProgress', startTimestamp: '2026-01-01T00:00:00Z' };
  await request(cluster.kube, Restore, 'unread', { spec: { backupName: 'x' }, status });
  const controllers: Parameters<typeof startEngine>[1]['controllers'] = (deps, caches) =>
    createRestoreController({}, deps, caches).parts;
  await using _engine = await startEngine(cluster, { kube: { ...cluster.kube, get }, controllers });
  await eventually(() => {
    expect(reads).toBeGreaterThan(0);
  });
  await setTimeout(1500);
  // Without a pause there were 280 a second.
  expect(reads).toBeLessThan(10);
});

describe('a type that comes with the backup', () => {
  it('is served before its objects are sent', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    };
    const widget = (name: string): Stored => ({
      groupResource: 'widgets.example.com',
      object: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, namespace: 'app' }, size: 1 },
    });
    const items = [
      { groupResource: 'customresourcedefinitions.apiextensions.k8s.io', object: definition },
      widget('a'),
      widget('b'),
      widget('c'),
    ];
    const status = await restoreWith(items, asIs);
    expect(status).toMatchObject({ phase: 'Completed', progress: { created: 5, totalItems: 5 } });
    expect(await listAll(cluster.kube, 'example.com/v1', 'Widget', 'app')).toHaveLength(3);
  }, 40_000);
});

describe('resource modifiers', () => {
  it('change what is restored', async () => {
    const rules = `
version: v1
resourceModifierRules:
- conditions: {groupResource: configmaps, resourceNameRegex: "^item-1$"}
  mergePatches: [{patchData: '{"data":{"k":"changed"}}'}]
`;
    await cluster.kube.create(
      { type: CONFIG_MAP, namespace: 'velero' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'rules', namespace: 'velero' }, data: { rules } },
    );
    const resourceModifier = { kind: 'ConfigMap', name: 'rules' };
    const status = await restoreWith(many, asIs, { resourceModifier });
    expect(status.phase).toBe('Completed');
    const data = async (name: string) => (await cluster.kube.get({ type: CONFIG_MAP, namespace: 'app', name }))['data'];
    expect(await data('item-1')).toEqual({ k: 'changed' });
    expect(await data('item-2')).toEqual({ k: 'v' });
  }, 40_000);

  it('that do not fit leave the item as it was, and the restore is not whole', async () => {
    const rules = `
version: v1
resourceModifierRules:
- conditions: {groupResource: configmaps, resourceNameRegex: "^item-1$"}
  patches: [{operation: replace, path: /data/none, value: x}]
`;
    await cluster.kube.create(
      { type: CONFIG_MAP, namespace: 'velero' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'rules', namespace: 'velero' }, data: { rules } },
    );
    const status = await restoreWith(many, asIs, { resourceModifier: { kind: 'ConfigMap', name: 'rules' } });
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 1, progress: { created: 41, failed: 0 } });
  }, 40_000);

  it.each([
    ['resourceModifier', 'cannot read the resource modifiers: ConfigMap gone is not there any more'],
    ['resourcePolicy', 'cannot read the resource policies: ConfigMap velero/gone does not exist'],
  ])('that went while nobody worked on the restore end it before anything is created: %s', async (field, reason) => {
    const status = await restoreWith(many, asIs, { [field]: { kind: 'ConfigMap', name: 'gone' } }, 'InProgress');
    expect(status).toMatchObject({ phase: 'Failed', failureReason: reason });
    expect(status.progress?.created ?? 0).toBe(0);
  });
});

describe('resource policies', () => {
  it('choose single kinds by names and labels', async () => {
    const rules = `
version: v1
namespacedFilterPolicies:
- namespaces: ["a*"]
  resourceFilters: [{kinds: [ConfigMap], names: ["item-1?"], excludedNames: [item-11]}]
`;
    await cluster.kube.create(
      { type: CONFIG_MAP, namespace: 'velero' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'chosen', namespace: 'velero' }, data: { rules } },
    );
    const status = await restoreWith(many, asIs, { resourcePolicy: { kind: 'configmap', name: 'chosen' } });
    // Nine of ten, and their namespace.
    expect(status).toMatchObject({ phase: 'Completed', progress: { created: 10, totalItems: 10 } });
  }, 40_000);
});
