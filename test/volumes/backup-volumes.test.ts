import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  BackupRepository,
  BackupStorageLocation,
  PodVolumeBackup,
  VolumePluginBackup,
} from '../../src/api/index.ts';
import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { Uploader } from '../../src/control/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content, makeTree } from '../../src/edge/volumes/samples.ts';
import { BackupFiles } from '../engine/backup-files.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { newNamespace } from '../kube-kinds.ts';
import { moversIn } from './volume-application.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster } from './volume-cluster.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 90_000;

describe('backups with volumes', { timeout: 180_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  beforeAll(async () => {
    cluster = await startVolumeCluster();
    ({ kube } = cluster);
  }, 60_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  const engine = (uploader: Uploader): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
      movers: { uploader },
    });
  const wanted = (namespace: string, spec: JsonObject = {}) => ({
    spec: { includedNamespaces: [namespace], defaultVolumesToFsBackup: true, storageLocation: 'default', ...spec },
  });
  const volumesOf = async (backup: string, type: typeof VolumePluginBackup | typeof PodVolumeBackup) => {
    const found: KubeObject[] = [];
    const labelSelector = `velero.io/backup-name=${backup}`;
    for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) found.push(...items);
    return found;
  };
  /** An application with one volume. */
  const application = async (files: (directory: string) => void, metadata: JsonObject = {}) => {
    const namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'], metadata });
    const directory = await directoryOf(kube, namespace, 'data');
    files(directory);
    return { namespace, directory };
  };
  const leftovers = (namespace: string): Promise<string[]> => moversIn(kube, namespace);

  it.each<Uploader>(['stream', 'kopia'])('hold the data and say so, with %s', async (uploader) => {
    await using _ = await engine(uploader);
    const { namespace } = await application((directory) => {
      makeTree(directory);
      writeFileSync(join(directory, 'big'), content(24 * MIB, 7));
    });
    const name = `b-${uploader}`;
    await request(kube, Backup, name, wanted(namespace));
    const backup = await ended(kube, Backup, name, WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(objectsAt(backup, 'status', 'conditions')).toEqual([]);
    const progress = objectAt(backup, 'status', 'progress');
    expect(progress).toMatchObject({ percent: 100, bytesDone: progress['totalBytes'] });
    expect(Number(progress['bytesDone'])).toBeGreaterThan(24 * MIB);
    const bytes = Number(valueAt(backup, 'status', 'archive', 'bytes'));
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MIB);
    const [volume, ...others] = await volumesOf(name, VolumePluginBackup);
    expect(others).toEqual([]);
    const { name: id } = volume!.metadata;
    expect(id).toMatch(new RegExp(`^${name}-[0-9a-f]{10}$`));
    expect(volume).toMatchObject({
      metadata: { annotations: { 'headway.io/claim': `${namespace}/data` } },
      spec: { backup: name, plugin: uploader },
      status: { phase: 'Completed', snapshotID: id, attempt: 1, progress: { percent: 100 } },
    });
    expect(textAt(volume, 'status', 'completionTimestamp')! <= textAt(backup, 'status', 'completionTimestamp')!).toBe(
      true,
    );
    const files = new BackupFiles(cluster, name);
    expect(files.json('-volumepluginbackups.json.gz')).toMatchObject([
      { metadata: { name: id }, status: { phase: 'Completed' } },
    ]);
    const pvbs = await volumesOf(name, PodVolumeBackup);
    if (uploader === 'stream') {
      expect(pvbs).toEqual([]);
      expect(readdirSync(join(cluster.bucket, 'backups', name, 'volumes'))).toEqual([`${id}.tar.zst`]);
      expect(files.json('-volumeinfo.json.gz')).toMatchObject([{ pvcName: 'data', skipped: true }]);
    } else {
      const snapshotID = textAt(pvbs[0], 'status', 'snapshotID');
      expect(snapshotID).toMatch(/^[0-9a-f]{16,}$/);
      expect(volume).toMatchObject({ spec: { pluginSpecific: { kopiaSnapshotID: snapshotID } } });
      expect(files.json('-podvolumebackups.json.gz')).toMatchObject([{ status: { snapshotID, phase: 'Completed' } }]);
      expect(files.json('-volumeinfo.json.gz')).toMatchObject([
        {
          pvcName: 'data',
          backupMethod: 'PodVolumeBackup',
          result: 'succeeded',
          pvbInfo: { snapshotHandle: snapshotID },
        },
      ]);
      expect(existsSync(join(cluster.bucket, 'kopia', namespace, 'kopia.repository.f'))).toBe(true);
      const repositories: string[] = [];
      for await (const { items } of kube.list({ type: BackupRepository, namespace: NAMESPACE })) {
        for (const { metadata } of items) repositories.push(metadata.name);
      }
      expect(repositories).toContain(`${namespace}-default-kopia`);
      const location = await kube.get({ type: BackupStorageLocation, namespace: NAMESPACE, name: 'default' });
      expect(objectsAt(location, 'status', 'conditions')).toMatchObject([{ type: 'DefaultRepositoryPassword' }]);
    }
    expect(await leftovers(namespace)).toEqual([]);
  });

  it('copy between the hooks of the pod', async () => {
    await using _ = await engine('stream');
    const hooks = {
      annotations: {
        'pre.hook.backup.velero.io/command': '["sh", "-c", "touch /data/data/frozen"]',
        'post.hook.backup.velero.io/command': '["rm", "/data/data/frozen"]',
      },
    };
    const { namespace, directory } = await application((at) => {
      writeFileSync(join(at, 'big'), content(8 * MIB, 7));
    }, hooks);
    await request(kube, Backup, 'hooked', wanted(namespace));
    const backup = await ended(kube, Backup, 'hooked', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(backup['status']).toMatchObject({ hookStatus: { hooksAttempted: 2 } });
    expect(valueAt(backup, 'status', 'openHooks')).toBeUndefined();
    expect(existsSync(join(directory, 'frozen'))).toBe(false);
    const [volume] = await volumesOf('hooked', VolumePluginBackup);
    // The file of the hook, too.
    expect(valueAt(volume, 'status', 'fileCount')).toBe(2);
  });

  it('end with their movers when they are canceled, and keep nothing', async () => {
    await using _ = await engine('kopia');
    const { namespace } = await application((directory) => {
      for (let index = 0; index < 16; index += 1) writeFileSync(join(directory, `f${index}`), content(16 * MIB, index));
    });
    await request(kube, Backup, 'canceled', wanted(namespace));
    await eventually(
      async () => {
        const [volume] = await volumesOf('canceled', VolumePluginBackup);
        expect(Number(valueAt(volume, 'status', 'progress', 'bytesDone') ?? 0)).toBeGreaterThan(0);
      },
      { withinMs: 60_000 },
    );
    const target = { type: Backup, namespace: NAMESPACE, name: 'canceled' };
    await kube.patch(target, { kind: 'merge', body: { metadata: { annotations: { 'headway.io/cancel': 'true' } } } });
    const backup = await ended(kube, Backup, 'canceled', WITHIN_MS);
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(await leftovers(namespace)).toEqual([]);
    expect(await leftovers(NAMESPACE)).toEqual([]);
  });

  it('name what they do not copy, and why', async () => {
    await using _ = await engine('stream');
    const { namespace } = await application((directory) => {
      writeFileSync(join(directory, 'file'), 'file');
    });
    await request(kube, Backup, 'unasked', wanted(namespace, { defaultVolumesToFsBackup: false }));
    const backup = await ended(kube, Backup, 'unasked', WITHIN_MS);
    const [condition] = objectsAt(backup, 'status', 'conditions');
    expect(textAt(condition, 'message')).toContain(`${namespace}/data (nobody asked for its files`);
    expect(await volumesOf('unasked', VolumePluginBackup)).toEqual([]);
  });
});
