import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import {
  nativeVolumeInfo,
  pluginBackupObject,
  podVolumeInfo,
  podVolumeObject,
  podVolumeStatus,
  REPOSITORY_SECRET,
  toStored,
  volumeId,
  type BackedUpVolume,
} from '../../src/core/volumes/index.ts';
import { describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { type Bed, bed, needs, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { inS3, KopiaPlace } from '../volumes/kopia-place.ts';

const withBed = needsBed({ clusters: 1, velero: true });
const need = withBed.missing ? withBed : needs('kopia');
const isRoot = process.getuid?.() === 0;
const title = isRoot
  ? need.title('volumes, by Velero and by Headway')
  : 'volumes, by Velero and by Headway (skipped: needs root)';
/** Where Velero's data path writes its result, because in a pod Kubernetes reads it from there. */
const RESULT = '/dev/termination-log';
const KEEPS = { anyName: false, directoryTimes: false };
const never = new AbortController().signal;

describe.skipIf(need.missing || !isRoot)(title, { timeout: 240_000 }, () => {
  let b: Bed;
  let place: KopiaPlace;
  const kubectl = async (args: string[], input?: JsonObject) =>
    await run(b.bin('kubectl'), {
      args: ['--kubeconfig', b.clusters[0]!.kubeconfig, '-n', 'velero', ...args],
      ...(input && { input: JSON.stringify(input) }),
    });
  const create = async (object: JsonObject): Promise<JsonObject> => {
    return JSON.parse(await kubectl(['create', '-o', 'json', '-f', '-'], object)) as JsonObject;
  };
  const kopia = () => inS3(b.s3!, 'shop');
  const plugin = () => {
    const { repository, secrets } = kopia();
    return place.plugin(repository, { isPreparing: true }, { ...secrets, password: REPOSITORY_SECRET.defaultPassword });
  };

  /** Velero's data path as a plain process; it takes work that a node agent would have marked as its own. */
  async function dataPath(what: 'backup' | 'restore', name: string, path: string): Promise<JsonObject> {
    expect(existsSync(RESULT)).toBe(false);
    try {
      await run(b.bin('velero'), {
        args: [
          ...['pod-volume', what, `--pod-volume-${what}=${name}`, `--volume-path=${path}`, '--resource-timeout=2m'],
          ...['--namespace=velero', `--kubeconfig=${b.clusters[0]!.kubeconfig}`],
        ],
        env: {
          ...process.env,
          NODE_NAME: 'n1',
          HOME: place.directory('velero-home'),
          TMPDIR: place.directory('velero-tmp'),
        },
      });
      return JSON.parse(readFileSync(RESULT, 'utf8')) as JsonObject;
    } finally {
      rmSync(RESULT, { force: true });
    }
  }

  beforeAll(async () => {
    place = new KopiaPlace();
    b = await bed({ clusters: 1, velero: true });
  }, 240_000);
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });

  it('Velero makes the password that Headway uses by default', async () => {
    const secret = JSON.parse(await kubectl(['get', 'secret', REPOSITORY_SECRET.name, '-o', 'json'])) as {
      data: Record<string, string>;
    };
    const password = Buffer.from(secret.data[REPOSITORY_SECRET.key] ?? '', 'base64').toString();
    expect(password).toBe(REPOSITORY_SECRET.defaultPassword);
  });

  it('Velero restores what Headway wrote', async () => {
    const source = place.directory('by-headway');
    makeTree(source, KEEPS);
    const taken = await plugin().snapshot(
      { id: 'b-0000000001', path: source, source: { namespace: 'shop', pod: 'db-0', volume: 'data' } },
      { signal: never },
    );
    const target = place.directory('velero-target');
    await create({
      apiVersion: 'velero.io/v1',
      kind: 'PodVolumeRestore',
      metadata: { name: 'r-1', namespace: 'velero' },
      spec: {
        pod: { kind: 'Pod', namespace: 'shop', name: 'db-0', uid: 'u' },
        volume: 'd',
        backupStorageLocation: 'default',
        repoIdentifier: '',
        snapshotID: taken.snapshotID,
        sourceNamespace: 'shop',
        uploaderType: 'kopia',
      },
      status: { phase: 'InProgress' },
    });
    const result = await dataPath('restore', 'r-1', target);
    expect(result).toMatchObject({ totalBytes: taken.progress.bytesDone });
    expect(describeTree(target, KEEPS)).toEqual(describeTree(source, KEEPS));
    const repositories = await run(b.bin('velero'), {
      args: ['--kubeconfig', b.clusters[0]!.kubeconfig, 'repo', 'get'],
    });
    expect(repositories).toMatch(/shop-default-kopia.*Ready/);
  });

  it('Headway restores what Velero wrote, and builds upon it', async () => {
    const source = place.directory('by-velero');
    makeTree(source, KEEPS);
    const owner = { namespace: 'velero', name: 'shop-1', uid: 'b-uid' };
    const volume: BackedUpVolume = {
      id: 'shop-1-0123456789',
      backup: owner,
      volume: 'pv-1',
      claim: { namespace: 'shop', name: 'data-2' },
      plugin: 'kopia',
    };
    const pod = { namespace: 'shop', name: 'db-0', uid: 'p-uid', node: 'n1', volumeName: 'd' };
    const object = podVolumeObject(volume, pod, { location: 'default', claimUid: 'c-uid' });
    object.metadata.ownerReferences = [];
    object.status = { phase: 'InProgress' };
    await create(object);
    const { snapshotID } = (await dataPath('backup', volume.id, source)) as { snapshotID: string };
    expect(snapshotID).toMatch(/^[0-9a-f]+$/);

    const target = place.directory('headway-target');
    await plugin().restore({ id: 'r-0000000002', path: target, snapshotID, volumeId: 'x' }, { signal: never });
    expect(describeTree(target, KEEPS)).toEqual(describeTree(source, KEEPS));

    const again = await plugin().snapshot(
      { id: 'b-0000000003', path: source, source: { namespace: 'shop', pod: 'db-0', volume: 'data-2' } },
      { signal: never },
    );
    const { bytesReused = 0, bytesDone } = again.progress;
    expect(bytesReused / bytesDone).toBeGreaterThan(0.99);
  });

  it("kopia's own command line opens the repository, and finds both", async () => {
    const { repository, secrets } = kopia();
    const keys = { ...secrets, password: REPOSITORY_SECRET.defaultPassword };
    const found = await place.snapshots(repository, keys);
    expect(found).toHaveLength(3);
    expect(found).toContainEqual(
      expect.objectContaining({ description: 'Kopia Uploader', pins: ['velero-pin'] as string[] }),
    );
    const target = place.directory('kopia-target');
    await place.kopia(repository, ['restore', found[0]!.id, target], keys);
    expect(describeTree(target, KEEPS)).toEqual(describeTree(join(place.path, 'by-headway'), KEEPS));
  });

  it('stock velero describes the volumes of a backup as Headway stores them', async () => {
    const backup = await create({
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name: 'told', namespace: 'velero', labels: { 'velero.io/storage-location': 'default' } },
      spec: { storageLocation: 'default' },
      status: { phase: 'Completed', formatVersion: '1.1.0', expiration: '2099-01-01T00:00:00Z' },
    });
    const { uid } = backup['metadata'] as { uid: string };
    const owner = { namespace: 'velero', name: 'told', uid };
    const claim = { namespace: 'shop', name: 'data' };
    const copied: BackedUpVolume = {
      id: volumeId(owner, 'pv-1'),
      backup: owner,
      volume: 'pv-1',
      claim,
      plugin: 'kopia',
    };
    const told = pluginBackupObject({ ...copied, pluginSpecific: { kopiaSnapshotID: 'k1' } }, false);
    told.status = {
      phase: 'Completed',
      snapshotID: copied.id,
      progress: { bytesDone: 4711, totalBytes: 4711 },
      reusedBytes: 11,
    };
    const pod = { namespace: 'shop', name: 'db-0', uid: 'p-uid', node: 'n1', volumeName: 'd' };
    const podVolume = podVolumeObject(copied, pod, { location: 'default', claimUid: 'c-uid' });
    podVolume.status = podVolumeStatus(told, '/volume');
    await create(podVolume);
    const native = pluginBackupObject({ ...copied, id: 'told-native', volume: 'pv-2', plugin: 'example.com/x' }, true);
    native.status = { phase: 'Completed', snapshotID: 'Projects/Shop/Snap-1' };

    const folder = join(b.s3!.directory, b.s3!.bucket, 'backups/told');
    mkdirSync(folder, { recursive: true });
    const store = (name: string, value: unknown) => {
      writeFileSync(join(folder, name), gzipSync(JSON.stringify(value)));
    };
    store('told-volumeinfo.json.gz', [
      podVolumeInfo(podVolume, claim),
      nativeVolumeInfo(native, { ...claim, name: 'data-2' }),
    ]);
    store('told-podvolumebackups.json.gz', [toStored(podVolume)]);
    store('told-volumepluginbackups.json.gz', [toStored(told), toStored(native)]);
    writeFileSync(join(folder, 'velero-backup.json'), JSON.stringify(backup));

    const describe = await eventually(
      async () => {
        const text = await run(b.bin('velero'), {
          args: ['--kubeconfig', b.clusters[0]!.kubeconfig, 'backup', 'describe', 'told', '--details'],
        });
        expect(text).toContain('Snapshot ID');
        return text;
      },
      { withinMs: 60_000 },
    );
    expect(describe).toMatch(
      /Pod Volume Backups - kopia:\s+Completed:\s+shop\/db-0: d \(size: 4711, incremental size: 4700\)/,
    );
    expect(describe).toMatch(/pv-2:\s+Snapshot ID:\s+Projects\/Shop\/Snap-1/);
  });
});
