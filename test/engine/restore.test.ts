import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { isObject, textAt, textsAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { recordedRestore } from '../recorded-velero.ts';
import { CONFIG_MAP, NAMESPACE_TYPE, listAll } from './cluster-objects.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { configMap, createBackup, namespace, storeBackup, storeRecordedBackup, type Stored } from './stored-backup.ts';

let cluster: EngineCluster;
let engine: Engine;

beforeAll(async () => {
  cluster = await startCluster();
  engine = await startEngine(cluster, {
    controllers: (deps, caches) => createRestoreController({}, deps, caches).parts,
  });
}, 60_000);

afterAll(async () => {
  await engine.stop();
  await cluster[Symbol.asyncDispose]();
});

async function restored(name: string, spec: JsonObject, metadata: JsonObject = {}): Promise<KubeObject> {
  await request(cluster.kube, Restore, name, { spec, metadata });
  return await ended(cluster.kube, Restore, name);
}

const fileOf = (name: string, file: string): unknown =>
  JSON.parse(gunzipSync(readFileSync(join(cluster.bucket, 'restores', name, file))).toString());
const statusOf = (restore: KubeObject): Restore['status'] => Restore.parse(restore).value.status;
const dataOf = async (space: string, name: string): Promise<Record<string, string>> =>
  textsAt(await cluster.kube.get({ type: CONFIG_MAP, namespace: space, name }), 'data');

describe('the bucket that Velero 1.18.3 was recorded with', () => {
  it('comes back as the recorded objects, counted and listed as recorded', async () => {
    await storeRecordedBackup(cluster);
    const { phase, progress, errors, conditions } = statusOf(
      await restored('shop-r2', { backupName: 'shop-1', namespaceMapping: { shop: 'shop2' } }),
    );
    expect({ phase, errors }).toEqual({ phase: 'Completed', errors: 0 });
    expect(progress).toMatchObject({ totalItems: 34, itemsRestored: 34, percent: 100, failed: 0 });
    expect(conditions).toMatchObject([{ type: 'VolumeDataMissing', status: 'True' }]);
    const recorded = await recordedRestore();
    const listOf = (list: unknown): string[] =>
      Object.entries(list as Record<string, string[]>)
        .flatMap(([kind, names]) => names.map((name) => `${kind} ${name.replace(/\(\w+\)$/, '')}`))
        .toSorted();
    const theirs = listOf(recorded.json('restores/shop-r2/restore-shop-r2-resource-list.json.gz'));
    expect(listOf(fileOf('shop-r2', 'restore-shop-r2-resource-list.json.gz'))).toEqual(theirs);
    for (const wanted of recorded.restored.filter(isStill)) {
      const [kind = '', name = ''] = [textAt(wanted, 'kind'), textAt(wanted, 'metadata', 'name')];
      const found = (await listAll(cluster.kube, textAt(wanted, 'apiVersion') ?? '', kind, 'shop2')).find(
        (object) => object.metadata.name === name,
      );
      expect(found, `${kind} ${name}`).toBeDefined();
      expect(differing(essence(wanted), essence(found!), `${kind}/${name}`)).toEqual([]);
    }
  });

  it('stores what Velero stores of a restore', () => {
    expect(fileOf('shop-r2', 'restore-shop-r2-itemoperations.json.gz')).toEqual([]);
    expect(fileOf('shop-r2', 'shop-r2-volumeinfo.json.gz')).toEqual([]);
    expect(fileOf('shop-r2', 'restore-shop-r2-not-restored.json.gz')).toEqual([]);
    const { warnings } = fileOf('shop-r2', 'restore-shop-r2-results.gz') as { warnings: JsonObject };
    expect(textAt(warnings, 'namespaces')).toBeUndefined();
    const log = gunzipSync(readFileSync(join(cluster.bucket, 'restores/shop-r2/restore-shop-r2-logs.gz'))).toString();
    expect(log).toMatch(/^time=".*" level=info msg="restore begins" restore=velero\/shop-r2/);
  });
});

describe('objects that are there already', () => {
  it('stay as they are, or are updated where the spec says so', async () => {
    await cluster.kube.create({ type: NAMESPACE_TYPE }, { ...namespace('c06').object } as KubeObject);
    const make = (name: string, data: Record<string, string>): Promise<KubeObject> =>
      cluster.kube.create({ type: CONFIG_MAP, namespace: 'c06' }, configMap('c06', name, data).object as KubeObject);
    await storeBackup(cluster, 'c06', [
      namespace('c06'),
      configMap('c06', 'same'),
      configMap('c06', 'changed', { k: 'old' }),
      configMap('c06', 'gone'),
    ]);
    await make('same', { k: 'v' });
    await make('changed', { k: 'new', extra: '1' });
    const none = statusOf(await restored('c06-none', { backupName: 'c06' }));
    expect(none).toMatchObject({ phase: 'Completed', warnings: 1, progress: { created: 1, skipped: 3, updated: 0 } });
    expect(await dataOf('c06', 'changed')).toEqual({ k: 'new', extra: '1' });
    const update = statusOf(await restored('c06-update', { backupName: 'c06', existingResourcePolicy: 'update' }));
    expect(update).toMatchObject({ phase: 'Completed', progress: { created: 0, updated: 1, skipped: 3 } });
    expect(await dataOf('c06', 'changed')).toEqual({ k: 'old' });
    const same = await cluster.kube.get({ type: CONFIG_MAP, namespace: 'c06', name: 'same' });
    expect(same.metadata.labels).toEqual({ 'velero.io/backup-name': 'c06', 'velero.io/restore-name': 'c06-update' });
  });
});

describe('names that match nothing', () => {
  const conditionsOf = (status: Restore['status']) => status.conditions?.map(({ type, message }) => [type, message]);

  it('leave nothing to do, and say so in a condition that Velero does not count', async () => {
    await storeBackup(cluster, 'typo', [configMap('typo', 'a')]);
    const status = statusOf(await restored('typo', { backupName: 'typo', includedNamespaces: ['tpyo'] }));
    expect(status).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    const message = 'nothing in the backup was selected: the backup has no namespace "tpyo"; did you mean "typo"?';
    expect(conditionsOf(status)).toEqual([['NothingSelected', message]]);
    expect(fileOf('typo', 'restore-typo-results.gz')).toMatchObject({ warnings: { velero: [message] } });
  });

  it('are named beside what was restored', async () => {
    await storeBackup(cluster, 'half', [configMap('half', 'a')]);
    const status = statusOf(await restored('half', { backupName: 'half', namespaceMapping: { halv: 'x' } }));
    expect(status).toMatchObject({ phase: 'Completed', warnings: 0, progress: { created: 2 } });
    expect(conditionsOf(status)).toEqual([
      ['UnmatchedNames', 'the backup has no namespace "halv"; did you mean "half"?'],
    ]);
  });
});

describe('what cannot be restored', () => {
  it('is skipped with a hint when the cluster does not serve its type', async () => {
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'unserved' } };
    await storeBackup(cluster, 'unserved', [
      { groupResource: 'widgets.example.com', object: widget },
      configMap('unserved', 'a'),
    ]);
    const status = statusOf(await restored('unserved', { backupName: 'unserved' }));
    expect(status).toMatchObject({ phase: 'Completed', warnings: 1, progress: { created: 2, skipped: 1 } });
    const { warnings } = fileOf('unserved', 'restore-unserved-results.gz') as { warnings: { velero: string[] } };
    expect(warnings.velero[0]).toContain(
      'widgets.example.com are skipped: the cluster does not serve that type; install',
    );
  });

  it('does not even look at items that are never restored', async () => {
    const metadata = { name: 'e', namespace: 'eventful' };
    const event: Stored = { groupResource: 'events', object: { apiVersion: 'v1', kind: 'NoEvent', metadata } };
    await storeBackup(cluster, 'eventful', [namespace('eventful'), configMap('eventful', 'a'), event]);
    const { phase, progress, warnings } = statusOf(await restored('eventful', { backupName: 'eventful' }));
    expect({ phase, progress, warnings }).toMatchObject({ phase: 'Completed', progress: { totalItems: 2 } });
    expect(warnings ?? 0).toBe(0);
    const log = gunzipSync(readFileSync(join(cluster.bucket, 'restores/eventful/restore-eventful-logs.gz'))).toString();
    expect(log).toMatch(/msg="read and checked the archive" .*items=3 problems=0/);
    expect(log).toMatch(
      /groupResource=events namespace=eventful count=1 reason="items of this type are never restored"/,
    );
  });

  it('is one line for each item, and the rest is restored; a retry goes for those alone', async () => {
    const bad = configMap('partly', 'Bad_Name');
    await storeBackup(cluster, 'partly', [namespace('partly'), bad, configMap('partly', 'good')]);
    const status = statusOf(await restored('partly', { backupName: 'partly' }));
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 1, progress: { created: 2, failed: 1 } });
    expect(status.progress?.percent).toBeLessThan(100);
    const { errors } = fileOf('partly', 'restore-partly-results.gz') as { errors: JsonObject };
    expect(JSON.stringify(errors)).toContain('error restoring configmaps partly/Bad_Name');
    const failed = [{ groupResource: 'configmaps', namespace: 'partly', name: 'Bad_Name' }];
    expect(fileOf('partly', 'restore-partly-not-restored.json.gz')).toEqual(failed);
    const again = statusOf(
      await restored('partly-2', { backupName: 'partly' }, { annotations: { 'headway.io/retry-of': 'partly' } }),
    );
    // The namespace it goes into is looked at as well.
    expect(again).toMatchObject({ phase: 'PartiallyFailed', progress: { totalItems: 2, failed: 1, skipped: 1 } });
  });

  it.each(['by its volume information', 'by the files of an old backup'])(
    'is an error for a volume whose data was backed up by a method that is not there, known %s',
    async (way) => {
      const name = way.includes('old') ? 'vol-old' : 'vol-new';
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data', namespace: name },
        spec: { volumeName: 'pv1', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        status: { phase: 'Bound' },
      };
      const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
      const pod = {
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: name }, status: { phase: 'Succeeded' } },
        spec: { containers: [{ name: 'c', image: 'i' }], volumes },
      };
      const info = {
        ...{ pvcName: 'data', pvcNamespace: name, pvName: 'pv1', backupMethod: 'PodVolumeBackup', skipped: false },
      };
      const podVolume = { spec: { pod: { namespace: name, name: 'p' }, volume: 'v' }, status: { phase: 'Completed' } };
      const items = [
        configMap(name, 'a'),
        { groupResource: 'persistentvolumeclaims', object: claim },
        { groupResource: 'pods', object: pod },
      ];
      const isOld = name === 'vol-old';
      await storeBackup(cluster, name, items, isOld ? { podVolumeBackups: [podVolume] } : { volumeInfo: [info] });
      const status = statusOf(await restored(name, { backupName: name }));
      expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 1, progress: { created: 2, failed: 1 } });
      expect(JSON.stringify(fileOf(name, `restore-${name}-results.gz`))).toContain('nothing that reads that');
    },
  );
});

describe('claims', () => {
  const claim = (name: string, volumeName?: string): Stored => ({
    groupResource: 'persistentvolumeclaims',
    object: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace: 'claims' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        ...(volumeName === undefined ? {} : { volumeName }),
      },
    },
  });
  const pod = {
    groupResource: 'pods',
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'claims', labels: { app: 'x' } },
      spec: {
        containers: [{ name: 'c', image: 'none' }],
        volumes: ['bound', 'unbound'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
      },
    },
  };

  it('that other items bring are named too when their data is missing, but not those that never had any', async () => {
    await storeBackup(cluster, 'claims', [claim('bound', 'pv'), claim('unbound'), claim('other', 'pv2'), pod]);
    const spec = { backupName: 'claims', labelSelector: { matchLabels: { app: 'x' } } };
    const { phase, conditions, progress } = statusOf(await restored('claims', spec));
    expect({ phase, created: progress?.created }).toEqual({ phase: 'Completed', created: 4 });
    expect(conditions).toMatchObject([
      { type: 'VolumeDataMissing', message: 'the data of 1 claim is not in the backup: claims/bound' },
    ]);
  });

  it('that the restore leaves out cost no warning', async () => {
    const spec = { backupName: 'claims', namespaceMapping: { claims: 'without' }, includedResources: ['pods'] };
    expect(statusOf(await restored('claims-out', spec))).toMatchObject({ phase: 'Completed', warnings: 0 });
  });
});

describe('what was over', () => {
  it('is counted as skipped, but no list of restored objects names it', async () => {
    const job = {
      groupResource: 'jobs.batch',
      object: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'done', namespace: 'over' },
        status: { completionTime: '2026-01-01T00:00:00Z' },
      },
    };
    await storeBackup(cluster, 'over', [namespace('over'), job, configMap('over', 'm')]);
    const status = statusOf(await restored('over', { backupName: 'over' }));
    expect(status).toMatchObject({ phase: 'Completed', progress: { created: 2, skipped: 1, totalItems: 3 } });
    expect(fileOf('over', 'restore-over-resource-list.json.gz')).toEqual({
      'v1/ConfigMap': ['over/m(created)'],
      'v1/Namespace': ['over(created)'],
    });
  });
});

describe('a wrong request', () => {
  it('is refused with every problem named', async () => {
    const spec = {
      backupName: 'shop-1',
      scheduleName: 'x',
      includedResources: ['nodes'],
      includedNamespaces: ['a'],
      excludedNamespaces: ['a'],
    };
    const restore = await restored('two', spec);
    const { phase, validationErrors } = statusOf(restore);
    expect(phase).toBe('FailedValidation');
    expect(validationErrors).toHaveLength(4);
    // What the server filled in is there to be read, as on one that runs.
    expect(restore['spec']).toMatchObject({ ...spec, itemOperationTimeout: '4h0m0s' });
    expect(valueAt(restore, 'spec', 'excludedResources')).toContain('nodes');
  });

  it('fails when the backup is not in the store', async () => {
    await createBackup(cluster, 'not-there');
    const { phase, failureReason } = statusOf(await restored('not-there', { backupName: 'not-there' }));
    expect(phase).toBe('Failed');
    expect(failureReason).toContain('the archive of backup not-there is not in directory');
  });

  it('restores the newest completed backup of a schedule and writes down which', async () => {
    await storeBackup(cluster, 'nightly-1', [configMap('nightly', 'a')]);
    await cluster.kube.patch(
      { type: Backup, namespace: NAMESPACE, name: 'nightly-1' },
      { kind: 'merge', body: { metadata: { labels: { 'velero.io/schedule-name': 'nightly' } } } },
    );
    const restore = await restored('nightly-r', { scheduleName: 'nightly' });
    expect(statusOf(restore).phase).toBe('Completed');
    expect(textAt(restore, 'spec', 'backupName')).toBe('nightly-1');
  });
});

/** What a controller of either cluster makes or changes by itself is not compared. */
function isStill(object: JsonObject): boolean {
  const made = [
    'EndpointSlice',
    'Endpoints',
    'Event',
    'Pod',
    'ControllerRevision',
    'ReplicaSet',
    'Job',
    'PersistentVolumeClaim',
  ];
  const kind = textAt(object, 'kind') ?? '';
  const name = textAt(object, 'metadata', 'name') ?? '';
  return !made.includes(kind) && !(kind === 'ConfigMap' && name === 'kube-root-ca.crt') && name !== 'default';
}

function essence(object: JsonObject): JsonObject {
  const { labels, annotations } = object['metadata'] as JsonObject;
  const { status: _status, metadata: _metadata, ...rest } = object;
  return { ...rest, labels, annotations };
}

const GIVEN = /clusterIPs?$|nodePort$|uid$/;

function differing(wanted: unknown, found: unknown, path: string): string[] {
  if (GIVEN.test(path)) return [];
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((item, at) => differing(item, found[at], `${path}/${at}`));
  }
  if (isObject(wanted) && isObject(found)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(found)]);
    return [...keys].flatMap((key) => differing(wanted[key], found[key], `${path}/${key}`));
  }
  return Object.is(wanted, found) ? [] : [`${path}: ${JSON.stringify(wanted)} became ${JSON.stringify(found)}`];
}
