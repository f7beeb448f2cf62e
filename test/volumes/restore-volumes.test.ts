import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  DeleteBackupRequest,
  PERSISTENT_VOLUME_CLAIM,
  POD,
  Restore,
  VolumePluginBackup,
  VolumePluginRestore,
} from '../../src/api/index.ts';
import { objectAt, objectsAt, textAt, textsAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createDeleteControllers } from '../../src/control/controllers/delete/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { MoverSettings, Uploader } from '../../src/control/volumes/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import { readObject } from '../../src/control/runtime/objects/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content, describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { newNamespace } from '../kube-kinds.ts';
import { describeBringUp } from './bring-up-suite.ts';
import { KopiaPlace } from './kopia-place.ts';
import { moversIn } from './volume-application.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster } from './volume-cluster.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 120_000;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const VERIFIED = { annotations: { 'headway.io/verify-volumes': 'true' } };

describe('restores with volumes', { timeout: 300_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  beforeAll(async () => {
    cluster = await startVolumeCluster();
    ({ kube } = cluster);
  }, 90_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  const engine = (uploader: Uploader, movers: Partial<MoverSettings> = {}): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({}, deps, caches).parts,
        ...createDeleteControllers(deps, caches),
      ],
      movers: { ...movers, uploader },
    });
  const listed = async (
    type: typeof VolumePluginBackup | typeof VolumePluginRestore,
    labelSelector: string,
  ): Promise<KubeObject[]> => {
    const found: KubeObject[] = [];
    for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) found.push(...items);
    return found;
  };
  const volumesOf = (restore: string) => listed(VolumePluginRestore, `velero.io/restore-name=${restore}`);
  /** A backup of an application with one volume. */
  const backedUp = async (name: string, files: (directory: string) => void, metadata: JsonObject = {}) => {
    const namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'] });
    const directory = await directoryOf(kube, namespace, 'data');
    files(directory);
    const spec = { includedNamespaces: [namespace], defaultVolumesToFsBackup: true, storageLocation: 'default' };
    await request(kube, Backup, name, { spec, metadata });
    const backup = await ended(kube, Backup, name, WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    return { namespace, directory };
  };
  const restored = async (name: string, spec: JsonObject, metadata: JsonObject = {}) => {
    await request(kube, Restore, name, { spec, metadata });
    return await ended(kube, Restore, name, WITHIN_MS);
  };
  const leftovers = (namespace: string): Promise<string[]> => moversIn(kube, namespace);
  const isGone = async (type: typeof POD, namespace: string, name: string): Promise<boolean> =>
    (await readObject({ type, namespace, name }, { kube }, AbortSignal.timeout(30_000))) === undefined;

  it.each<Uploader>(['stream', 'kopia'])(
    'bring everything back, and delete it with its backup, with %s',
    async (uploader) => {
      await using _ = await engine(uploader);
      const backup = `r-${uploader}`;
      const { namespace, directory } = await backedUp(
        backup,
        (at) => {
          makeTree(at, KEEPS);
          writeFileSync(join(at, 'big'), content(24 * MIB, 7));
        },
        VERIFIED,
      );
      const target = `${namespace}-again`;
      const restore = await restored(
        backup,
        { backupName: backup, namespaceMapping: { [namespace]: target } },
        VERIFIED,
      );
      expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
      expect(objectsAt(restore, 'status', 'conditions')).toEqual([]);
      const progress = objectAt(restore, 'status', 'progress');
      expect(progress).toMatchObject({ percent: 100, bytesDone: progress['totalBytes'] });
      expect(Number(progress['bytesDone'])).toBeGreaterThan(24 * MIB);
      expect(objectsAt(restore, 'status', 'stages').map(({ stage }) => stage)).toContain('volumes');
      expect(describeTree(await directoryOf(kube, target, 'data'), KEEPS)).toEqual(describeTree(directory, KEEPS));
      const [volume, ...others] = await volumesOf(backup);
      expect(others).toEqual([]);
      const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'data' });
      const [stored] = await listed(VolumePluginBackup, `velero.io/backup-name=${backup}`);
      expect(volume).toMatchObject({
        metadata: { annotations: { 'headway.io/claim': `${target}/data` } },
        spec: { backup, plugin: uploader, snapshotID: stored!.metadata.name },
        status: { phase: 'Completed', volumeID: textAt(claim, 'spec', 'volumeName'), progress: { percent: 100 } },
      });
      expect(textAt(volume, 'status', 'checksum')).toBe(textAt(stored, 'status', 'checksum'));
      expect(textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled']).toBeUndefined();
      const pod = await kube.get({ type: POD, namespace: target, name: 'db-0' });
      const ready = textAt(volume, 'status', 'completionTimestamp') ?? '';
      expect((pod.metadata.creationTimestamp ?? '') >= ready).toBe(true);
      expect(await leftovers(target)).toEqual([]);

      // The same again: the claim is there.
      const again = await restored(`${backup}-2`, {
        backupName: backup,
        namespaceMapping: { [namespace]: target },
        existingResourcePolicy: 'update',
      });
      expect(objectsAt(again, 'status', 'conditions')).toMatchObject([
        { type: 'VolumeDataKept', message: `claims that exist keep what they have: ${target}/data` },
      ]);
      expect(await volumesOf(`${backup}-2`)).toEqual([]);

      await kube.create(
        { type: DeleteBackupRequest, namespace: NAMESPACE },
        {
          apiVersion: 'velero.io/v1',
          kind: 'DeleteBackupRequest',
          metadata: { name: `${backup}-delete`, namespace: NAMESPACE },
          spec: { backupName: backup },
        },
      );
      await eventually(
        async () => {
          expect(await isGone(Backup, NAMESPACE, backup)).toBe(true);
          expect(existsSync(join(cluster.bucket, 'backups', backup))).toBe(false);
          expect(await listed(VolumePluginBackup, `velero.io/backup-name=${backup}`)).toEqual([]);
        },
        { withinMs: WITHIN_MS },
      );
      if (uploader === 'kopia') {
        using place = new KopiaPlace();
        const repository = { kind: 'filesystem' as const, path: join(cluster.bucket, 'kopia', namespace) };
        expect(await place.snapshots(repository, { password: REPOSITORY_SECRET.defaultPassword })).toEqual([]);
      }
    },
  );

  it('end with their movers when they are canceled, and say on the claim that it is half filled', async () => {
    await using _ = await engine('kopia');
    const { namespace } = await backedUp('big', (at) => {
      for (let index = 0; index < 16; index += 1) writeFileSync(join(at, `f${index}`), content(16 * MIB, index));
    });
    const target = `${namespace}-again`;
    await request(kube, Restore, 'canceled', {
      spec: { backupName: 'big', namespaceMapping: { [namespace]: target } },
    });
    await eventually(
      async () => {
        const [volume] = await volumesOf('canceled');
        expect(textAt(volume, 'status', 'phase')).toBe('InProgress');
      },
      { withinMs: 60_000 },
    );
    const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
    await kube.patch({ type: Restore, namespace: NAMESPACE, name: 'canceled' }, { kind: 'merge', body });
    const restore = await ended(kube, Restore, 'canceled', WITHIN_MS);
    expect(restore['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    const [volume] = await volumesOf('canceled');
    expect(volume).toMatchObject({ status: { phase: 'Canceled' } });
    expect(await leftovers(target)).toEqual([]);
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'data' });
    expect(textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled']).toBe('canceled');
    expect(await isGone(POD, target, 'db-0')).toBe(true);
    // What would start with half of its data does not come.
    const next = await restored('after-cancel', { backupName: 'big', namespaceMapping: { [namespace]: target } });
    expect(textAt(next, 'status', 'phase')).toBe('PartiallyFailed');
    expect(await isGone(POD, target, 'db-0')).toBe(true);
  });

  describeBringUp({
    kube: () => kube,
    engine: ({ uploader, ...movers }) => engine(uploader, movers),
    backedUp,
    volumesOf,
  });

  it('go on after a lost mover and after a lost server, and their numbers with them', async () => {
    const first = await engine('stream');
    const { namespace, directory } = await backedUp('lost', (at) => {
      for (let index = 0; index < 8; index += 1) writeFileSync(join(at, `f${index}`), content(16 * MIB, index));
    });
    const target = `${namespace}-again`;
    const name = 'lost';
    await request(kube, Restore, name, { spec: { backupName: 'lost', namespaceMapping: { [namespace]: target } } });
    await eventually(
      async () => {
        const [volume] = await volumesOf(name);
        expect(textAt(volume, 'status', 'phase')).toBe('InProgress');
        expect((await leftovers(target)).length).toBeGreaterThan(0);
      },
      { withinMs: 60_000 },
    );
    await first.kill();
    await using _ = await engine('stream');
    const restore = await ended(kube, Restore, name, WITHIN_MS);
    expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
    const [volume] = await volumesOf(name);
    expect(Number(valueAt(volume, 'status', 'attempt'))).toBeGreaterThan(1);
    expect(describeTree(await directoryOf(kube, target, 'data'), KEEPS)).toEqual(describeTree(directory, KEEPS));
    // Pods of the process that was killed may still be ending.
    await eventually(async () => {
      expect(await leftovers(target)).toEqual([]);
    });
  });
});
