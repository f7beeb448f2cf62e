import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  PodVolumeBackup,
  PodVolumeRestore,
  Restore,
  SECRET,
  VolumePluginBackup,
  VolumePluginRestore,
  type ResourceType,
} from '../../src/api/index.ts';
import { isAppError, objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createDeleteControllers } from '../../src/control/controllers/delete/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { createSyncController } from '../../src/control/controllers/sync/index.ts';
import type { Uploader } from '../../src/control/volumes/index.ts';
import { adapterFor, readOperation } from '../../src/core/operations/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { describeTree, makeTree, type TreeFacts } from '../../src/edge/volumes/samples.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { BackupFiles } from '../engine/backup-files.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { checkBucket } from '../interop/check-bucket.ts';
import { NAMESPACES, newNamespace, objectOf } from '../kube-kinds.ts';
import { inS3, KopiaPlace } from './kopia-place.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster, topOf, useBucket } from './volume-cluster.ts';

const WITHIN_MS = 90_000;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const LOCATION = 's3';
const DEFAULT_PASSWORD = 'DefaultRepositoryPassword';

const withBed = needsBed({ clusters: 0, s3: true });
const need = withBed.missing ? withBed : needs('kopia');

/** What one backup is known by, in either cluster. */
interface Told {
  uploader: Uploader;
  backup: string;
  namespace: string;
  tree: Record<string, TreeFacts>;
}

describe.skipIf(need.missing)(need.title('volumes in a bucket, seen by two clusters'), { timeout: 240_000 }, () => {
  let b: Bed;
  let first: EngineCluster;
  let second: EngineCluster;
  const told = new Map<Uploader, Told>();
  beforeAll(async () => {
    [b, first, second] = await Promise.all([
      bed({ clusters: 0, s3: true }),
      startVolumeCluster(),
      startVolumeCluster(),
    ]);
    for (const { kube } of [first, second]) await useBucket(kube, b.s3!, LOCATION);
  }, 120_000);
  afterAll(async () => {
    await first?.[Symbol.asyncDispose]();
    await second?.[Symbol.asyncDispose]();
    await b?.[Symbol.asyncDispose]();
  });

  const bucket = () => join(b.s3!.directory, b.s3!.bucket);
  const engine = (cluster: EngineCluster, uploader: Uploader): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({}, deps, caches).parts,
        ...createDeleteControllers(deps, caches),
        createSyncController({}, deps, caches),
      ],
      movers: { uploader },
    });
  const listed = async (kube: KubeClient, type: ResourceType, labelSelector: string): Promise<KubeObject[]> => {
    const found: KubeObject[] = [];
    for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) found.push(...items);
    return found;
  };
  const ofBackup = (kube: KubeClient, type: ResourceType, backup: string) =>
    listed(kube, type, `velero.io/backup-name=${backup}`);
  const restored = async (kube: KubeClient, name: string, spec: JsonObject) => {
    await request(kube, Restore, name, { spec });
    const restore = await ended(kube, Restore, name, WITHIN_MS);
    expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
  };
  /** A new application of the first cluster, with one volume. */
  const backedUp = async (backup: string) => {
    const { kube } = first;
    const namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'] });
    const directory = await directoryOf(kube, namespace, 'data');
    makeTree(directory, KEEPS);
    const tree = describeTree(directory, KEEPS);
    await request(kube, Backup, backup, {
      spec: { includedNamespaces: [namespace], defaultVolumesToFsBackup: true, storageLocation: LOCATION },
    });
    const done = await ended(kube, Backup, backup, WITHIN_MS);
    expect(textAt(done, 'status', 'phase'), JSON.stringify(done['status'])).toBe('Completed');
    return { namespace, tree };
  };
  const isThere = async (kube: KubeClient, type: ResourceType, name: string): Promise<boolean> => {
    try {
      await kube.get({ type, name, ...(type.namespaced ? { namespace: NAMESPACE } : {}) });
      return true;
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      return false;
    }
  };
  const conditionsOf = async (kube: KubeClient): Promise<JsonObject[]> => {
    const location = await kube.get({ type: BackupStorageLocation, namespace: NAMESPACE, name: LOCATION });
    return objectsAt(location, 'status', 'conditions');
  };
  const kopia = (namespace: string) => {
    const { repository, secrets } = inS3(b.s3!, namespace);
    return { repository, keys: { ...secrets, password: REPOSITORY_SECRET.defaultPassword } };
  };

  it.each<Uploader>(['stream', 'kopia'])('come back where they were, with %s', async (uploader) => {
    const { kube } = first;
    await using _ = await engine(first, uploader);
    const backup = `b-${uploader}`;
    const { namespace, tree } = await backedUp(backup);

    await kube.delete({ type: NAMESPACES, name: namespace });
    await eventually(
      async () => {
        expect(await isThere(kube, NAMESPACES, namespace)).toBe(false);
      },
      {
        withinMs: WITHIN_MS,
      },
    );
    await restored(kube, `r-${uploader}`, { backupName: backup });
    expect(describeTree(await directoryOf(kube, namespace, 'data'), KEEPS)).toEqual(tree);

    expect(topOf(b.s3!)).toEqual(['backups', ...(uploader === 'kopia' ? ['kopia'] : []), 'restores']);
    expect(await checkBucket(bucket())).toEqual([]);
    told.set(uploader, { uploader, backup, namespace, tree });
  });

  it('of which kopia are there for its own command line', async () => {
    const { namespace, backup, tree } = told.get('kopia')!;
    using place = new KopiaPlace();
    const { repository, keys } = kopia(namespace);
    const found = await place.snapshots(repository, keys);
    expect(found).toHaveLength(1);
    const [podVolume] = new BackupFiles({ bucket: bucket() }, backup).json('-podvolumebackups.json.gz') as JsonObject[];
    expect(textAt(podVolume, 'status', 'snapshotID')).toBe(found[0]!.id);
    const target = place.directory('target');
    await place.kopia(repository, ['restore', found[0]!.id, target], keys);
    expect(describeTree(target, KEEPS)).toEqual(tree);
  });

  it('of which kopia are encrypted with a password that the location tells of, where nobody has chosen one', async () => {
    const { kube } = first;
    const secret = await kube.get({ type: SECRET, namespace: NAMESPACE, name: REPOSITORY_SECRET.name });
    const password = Buffer.from(textAt(secret, 'data', REPOSITORY_SECRET.key) ?? '', 'base64').toString();
    expect(password).toBe(REPOSITORY_SECRET.defaultPassword);
    expect(await conditionsOf(kube)).toContainEqual(
      expect.objectContaining({
        type: DEFAULT_PASSWORD,
        message: expect.stringContaining(REPOSITORY_SECRET.name) as string,
      }),
    );
  });

  it.each<Uploader>(['stream', 'kopia'])(
    'are told of to stock clients and in the files of the restore, with %s',
    async (by) => {
      const { namespace, uploader } = told.get(by)!;
      const { kube } = first;
      const selector = `velero.io/restore-name=r-${uploader}`;
      const [volume] = await listed(kube, VolumePluginRestore, selector);
      const velero = await listed(kube, PodVolumeRestore, selector);
      const name = `r-${uploader}`;
      const file = readFileSync(join(bucket(), 'restores', name, `${name}-volumeinfo.json.gz`));
      const [info, ...others] = JSON.parse(gunzipSync(file).toString()) as JsonObject[];
      expect(others).toEqual([]);
      const pvName = textAt(volume, 'status', 'volumeID');
      const common = { pvcName: 'data', pvcNamespace: namespace, pvName, snapshotDataMoved: false };
      if (uploader === 'stream') {
        expect(velero).toEqual([]);
        expect(info).toEqual(common);
        return;
      }
      const snapshotHandle = textAt(velero[0], 'spec', 'snapshotID');
      const bytes = (volume!['status'] as { progress: { totalBytes: number } }).progress.totalBytes;
      expect(velero).toMatchObject([
        {
          metadata: { name: volume!.metadata.name },
          spec: { pod: { namespace, name: 'db-0' }, volume: 'data', sourceNamespace: namespace, uploaderType: 'kopia' },
          status: { phase: 'Completed', progress: { bytesDone: bytes, totalBytes: bytes } },
        },
      ]);
      const pod = { podName: 'db-0', podNamespace: namespace, volumeName: 'data', uploaderType: 'kopia' };
      const pvrInfo = { snapshotHandle, size: bytes, ...pod, Phase: '' };
      expect(info).toEqual({ ...common, restoreMethod: 'PodVolumeRestore', pvrInfo });
    },
  );

  it('have their objects in the other cluster within a period, also for a Backup that was imported before them', async () => {
    const { kube } = second;
    const types = [VolumePluginBackup, PodVolumeBackup];
    const objectsIn = async (cluster: EngineCluster) => {
      const found: Record<string, JsonObject> = {};
      for (const { backup } of told.values()) {
        for (const type of types) {
          for (const one of await ofBackup(cluster.kube, type, backup)) {
            const { name, annotations = {} } = one.metadata;
            found[`${type.kind} ${name}`] = { annotations, status: one['status'] };
          }
        }
      }
      return found;
    };
    const wanted = await objectsIn(first);
    expect(Object.keys(wanted)).toHaveLength(3);
    const isSynced = () =>
      eventually(
        async () => {
          expect(await objectsIn(second)).toEqual(wanted);
        },
        { withinMs: 15_000 },
      );
    {
      await using _ = await engine(second, 'stream');
      await isSynced();
    }
    for (const { backup } of told.values()) {
      for (const type of types) {
        for (const { metadata } of await ofBackup(kube, type, backup)) {
          await kube.delete({ type, namespace: NAMESPACE, name: metadata.name });
        }
      }
    }
    await using _ = await engine(second, 'stream');
    await isSynced();
  });

  it.each<Uploader>(['stream', 'kopia'])(
    'come back in the other cluster, which tells what they were, with %s',
    async (by) => {
      const { namespace, backup, tree } = told.get(by)!;
      const { kube } = second;
      await using _ = await engine(second, 'stream');
      await restored(kube, `there-${by}`, { backupName: backup });
      expect(describeTree(await directoryOf(kube, namespace, 'data'), KEEPS)).toEqual(tree);
      const [volume] = await listed(kube, VolumePluginRestore, `velero.io/restore-name=there-${by}`);
      const [source] = await ofBackup(kube, VolumePluginBackup, backup);
      expect(volume).toMatchObject({ spec: { plugin: by, backup, snapshotID: source!.metadata.name } });
      const { facts } = readOperation(adapterFor('VolumePluginRestore'), volume!, {
        cluster: 'second',
        now: Date.now(),
      });
      expect(facts).toMatchObject({ plugin: by, backup });
      expect(facts.backedUp).toEqual({
        claim: `${namespace}/data`,
        bytes: valueAt(source, 'status', 'progress', 'totalBytes'),
        at: textAt(source, 'status', 'completionTimestamp'),
      });
    },
  );

  it('go with their backup: snapshots, files, and the objects of either cluster', async () => {
    await using _ = await engine(first, 'stream');
    await using _other = await engine(second, 'stream');
    for (const { backup } of told.values()) {
      const spec = { backupName: backup };
      const wanted = objectOf(DeleteBackupRequest, `delete-${backup}`, { spec, metadata: { namespace: NAMESPACE } });
      await first.kube.create({ type: DeleteBackupRequest, namespace: NAMESPACE }, wanted);
    }
    await eventually(
      async () => {
        // Else nothing is removed where more than half is gone.
        const body = { metadata: { annotations: { 'headway.io/remove-missing-backups': 'true' } } };
        const location = { type: BackupStorageLocation, namespace: NAMESPACE, name: LOCATION };
        await second.kube.patch(location, { kind: 'merge', body });
        for (const { kube } of [first, second]) {
          for (const { backup } of told.values()) {
            expect(await isThere(kube, Backup, backup)).toBe(false);
            for (const type of [VolumePluginBackup, PodVolumeBackup]) {
              expect(await ofBackup(kube, type, backup)).toEqual([]);
            }
          }
        }
      },
      { withinMs: WITHIN_MS },
    );
    expect(topOf(b.s3!)).toEqual(['kopia', 'restores']);
    using place = new KopiaPlace();
    const { repository, keys } = kopia(told.get('kopia')!.namespace);
    expect(await place.snapshots(repository, keys)).toEqual([]);
  });

  it('are encrypted with another password as soon as somebody chooses one', async () => {
    const { kube } = first;
    const data = { [REPOSITORY_SECRET.key]: Buffer.from('chosen').toString('base64') };
    const secret = { type: SECRET, namespace: NAMESPACE, name: REPOSITORY_SECRET.name };
    await kube.patch(secret, { kind: 'merge', body: { data } });
    await using _ = await engine(first, 'kopia');
    const { namespace } = await backedUp('b-chosen');
    using place = new KopiaPlace();
    const { repository, keys } = kopia(namespace);
    expect(await place.snapshots(repository, { ...keys, password: 'chosen' })).toHaveLength(1);
    expect((await conditionsOf(kube)).map(({ type }) => type)).not.toContain(DEFAULT_PASSWORD);
  });
});
