import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  PodVolumeBackup,
  PodVolumeRestore,
  Restore,
  SECRET,
  VolumePluginBackup,
  VolumePluginRestore,
  VolumeSnapshotLocation,
  type ResourceType,
} from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createDeleteControllers } from '../../src/control/controllers/delete/index.ts';
import { createDownloadController } from '../../src/control/controllers/download/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { createSyncController } from '../../src/control/controllers/sync/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { newNamespace, objectOf } from '../kube-kinds.ts';
import { inS3, KopiaPlace } from '../volumes/kopia-place.ts';
import {
  createClaim,
  createUser,
  directoryOf,
  startVolumeCluster,
  topOf,
  useBucket,
} from '../volumes/volume-cluster.ts';
import { checkBucket } from './check-bucket.ts';
import { NodeAgent } from './node-agent.ts';
import { PocketVelero, velero } from './pocket-velero.ts';

const withBed = needsBed({ clusters: 0, s3: true });
const need = withBed.missing ? withBed : needs('kopia', 'velero', 'velero-plugin-for-aws');
const isRoot = process.getuid?.() === 0;
const name = 'volumes, by real Velero and by Headway';
const title = isRoot ? need.title(name) : `${name} (skipped: needs root)`;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const WITHIN_MS = 120_000;

describe.skipIf(need.missing || !isRoot)(title, { timeout: 300_000 }, () => {
  let b: Bed;
  let cluster: EngineCluster;
  let kube: KubeClient;
  let shop: { namespace: string; directory: string };
  beforeAll(async () => {
    [b, cluster] = await Promise.all([bed({ clusters: 0, s3: true }), startVolumeCluster()]);
    ({ kube } = cluster);
    await kube.delete({ type: BackupStorageLocation, namespace: NAMESPACE, name: 'default' });
    await useBucket(kube, b.s3!, 'default');
    await PocketVelero.prepare(kube);
    const namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'] });
    const directory = await directoryOf(kube, namespace, 'data');
    makeTree(directory, KEEPS);
    shop = { namespace, directory };
  }, 120_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await b?.[Symbol.asyncDispose]();
  });

  const headway = (): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({}, deps, caches).parts,
        createDownloadController({}, deps, caches),
      ],
      movers: { uploader: 'kopia' },
    });
  const listed = async (type: ResourceType, labelSelector: string): Promise<KubeObject[]> => {
    const found: KubeObject[] = [];
    for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) found.push(...items);
    return found;
  };
  const backedUp = async (backup: string, spec: JsonObject = { defaultVolumesToFsBackup: true }) => {
    const common = { includedNamespaces: [shop.namespace], storageLocation: 'default', ttl: '720h0m0s' };
    await request(kube, Backup, backup, { spec: { ...common, ...spec } });
    const done = await ended(kube, Backup, backup, WITHIN_MS);
    expect(textAt(done, 'status', 'phase'), JSON.stringify(done['status'])).toBe('Completed');
  };
  const restored = async (restore: string, backupName: string) => {
    const target = `${shop.namespace}-${restore}`;
    const spec = { backupName, namespaceMapping: { [shop.namespace]: target } };
    await request(kube, Restore, restore, { spec });
    const done = await ended(kube, Restore, restore, WITHIN_MS);
    expect(textAt(done, 'status', 'phase'), JSON.stringify(done['status'])).toBe('Completed');
    return target;
  };
  const expectSame = async (namespace: string) => {
    const tree = describeTree(await directoryOf(kube, namespace, 'data'), KEEPS);
    // Velero leaves a mark by which its init container knows that the data is there.
    const own = Object.entries(tree).filter(([path]) => !path.startsWith('/.velero'));
    expect(Object.fromEntries(own)).toEqual(describeTree(shop.directory, KEEPS));
  };

  it("stock velero lists the volume of Headway's backup with its size", async () => {
    await using _ = await headway();
    await backedUp('by-headway');
    const [volume] = await listed(PodVolumeBackup, 'velero.io/backup-name=by-headway');
    const size = (volume!['status'] as { progress: { totalBytes: number } }).progress.totalBytes;
    const text = await velero(cluster, ['backup', 'describe', 'by-headway', '--details']);
    const line = `${shop.namespace}/db-0: data \\(size: ${size}, incremental size: ${size}\\)`;
    expect(text).toMatch(new RegExp(`Pod Volume Backups - kopia:\\s+Completed:\\s+${line}`));
    expect(await velero(cluster, ['repo', 'get'])).toMatch(new RegExp(`${shop.namespace}-default-kopia.*Ready`));
  });

  it("Velero restores Headway's backup, with its data, and makes one that Headway restores", async () => {
    {
      await using server = await PocketVelero.start(cluster, 'default');
      await using agent = new NodeAgent(cluster);
      const target = await restored('velero', 'by-headway').catch((error: unknown) => {
        throw new Error(`${String(error)}\n${agent.problems.join('\n')}\n${server.log}`, { cause: error });
      });
      await expectSame(target);
      const [back] = await listed(PodVolumeRestore, 'velero.io/restore-name=velero');
      expect(textAt(back, 'status', 'phase')).toBe('Completed');
      await backedUp('by-velero');
      const [made] = await listed(PodVolumeBackup, 'velero.io/backup-name=by-velero');
      expect(textAt(made, 'status', 'snapshotID')).toMatch(/^[0-9a-f]+$/);
    }
    await using _ = await headway();
    const target = await restored('headway', 'by-velero');
    await expectSame(target);
    const [volume] = await listed(VolumePluginRestore, 'velero.io/restore-name=headway');
    expect(volume).toMatchObject({ spec: { plugin: 'kopia', backup: 'by-velero' }, status: { phase: 'Completed' } });
    const text = await velero(cluster, ['restore', 'describe', 'headway', '--details']);
    expect(text).toMatch(new RegExp(`kopia Restores:\\s+Completed:\\s+${target}/db-0: data`));
  });

  it("both use one repository and one password, which kopia's own command line opens", async () => {
    const secret = await kube.get({ type: SECRET, namespace: NAMESPACE, name: REPOSITORY_SECRET.name });
    const password = Buffer.from(textAt(secret, 'data', REPOSITORY_SECRET.key) ?? '', 'base64').toString();
    using place = new KopiaPlace();
    const { repository, secrets } = inS3(b.s3!, shop.namespace);
    const found = await place.snapshots(repository, { ...secrets, password });
    expect(found).toHaveLength(2);
    for (const snapshot of found) {
      expect(snapshot).toMatchObject({ description: 'Kopia Uploader', pins: ['velero-pin'] });
    }
    const target = place.directory('target');
    await place.kopia(repository, ['restore', found[0]!.id, target], { ...secrets, password });
    expect(describeTree(target, KEEPS)).toEqual(describeTree(shop.directory, KEEPS));
    expect(topOf(b.s3!)).toEqual(['backups', 'kopia', 'restores']);
    expect(await checkBucket(join(b.s3!.directory, b.s3!.bucket))).toEqual([]);
  });

  it("Headway brings Velero's objects to other clusters, and deletes Velero's snapshot with its backup", async () => {
    const labels = 'velero.io/backup-name=by-velero';
    const [made] = await listed(PodVolumeBackup, labels);
    await kube.delete({ type: PodVolumeBackup, namespace: NAMESPACE, name: made!.metadata.name });
    await using _ = await startEngine(cluster, {
      controllers: (deps, caches) => [createSyncController({}, deps, caches), ...createDeleteControllers(deps, caches)],
    });
    await eventually(
      async () => {
        const [again] = await listed(PodVolumeBackup, labels);
        expect(again?.['status']).toEqual(made!['status']);
      },
      { withinMs: WITHIN_MS },
    );
    const spec = { backupName: 'by-velero' };
    const wanted = objectOf(DeleteBackupRequest, 'delete', { spec });
    await kube.create({ type: DeleteBackupRequest, namespace: NAMESPACE }, wanted);
    using place = new KopiaPlace();
    const { repository, secrets } = inS3(b.s3!, shop.namespace);
    await eventually(
      async () => {
        expect(await listed(Backup, 'velero.io/storage-location=default')).toHaveLength(1);
      },
      { withinMs: WITHIN_MS },
    );
    const keys = { ...secrets, password: REPOSITORY_SECRET.defaultPassword };
    const left = await place.snapshots(repository, keys);
    expect(left.map(({ id }) => id)).not.toContain(textAt(made, 'status', 'snapshotID'));
    expect(left).toHaveLength(1);
  });

  it("of a native plugin's snapshot Velero shows the id, and restores the old volume as it is", async () => {
    await kube.create(
      { type: VolumeSnapshotLocation, namespace: NAMESPACE },
      objectOf(VolumeSnapshotLocation, 'native', { spec: { provider: 'example.com/native' } }),
    );
    {
      await using _ = await headway();
      const answered = answerAll(kube, 'Projects/Shop/Snap-1');
      await backedUp('native', { volumeSnapshotLocations: ['native'] });
      await answered;
      const text = await velero(cluster, ['backup', 'describe', 'native', '--details']);
      expect(text).toMatch(/Snapshot ID:\s+Projects\/Shop\/Snap-1/);
    }
    await using _server = await PocketVelero.start(cluster, 'default');
    const target = await restored('native', 'native');
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'data' });
    const old = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: shop.namespace, name: 'data' });
    const volume = await kube.get({ type: PERSISTENT_VOLUME, name: textAt(claim, 'spec', 'volumeName') ?? '' });
    const before = await kube.get({ type: PERSISTENT_VOLUME, name: textAt(old, 'spec', 'volumeName') ?? '' });
    expect(volume.metadata.name).not.toBe(before.metadata.name);
    expect(textAt(volume, 'spec', 'local', 'path')).toBe(textAt(before, 'spec', 'local', 'path'));
    expect(await listed(VolumePluginRestore, 'velero.io/restore-name=native')).toEqual([]);
  });
});

/** A plugin in a few lines: what it is asked for is there at once. */
async function answerAll(kube: KubeClient, snapshotID: string): Promise<void> {
  const target = { type: VolumePluginBackup, namespace: NAMESPACE };
  await eventually(
    async () => {
      for await (const { items } of kube.list(target)) {
        const asked = [...items].find((object) => textAt(object, 'spec', 'plugin') === 'example.com/native');
        const body = { status: { phase: 'Completed', snapshotID } };
        if (asked) return await kube.patch({ ...target, name: asked.metadata.name }, { kind: 'merge', body });
      }
      throw new Error('nobody has asked');
    },
    { withinMs: 30_000 },
  );
}
