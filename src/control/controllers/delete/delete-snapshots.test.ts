import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedClient } from '../../../../test/operation/client.ts';
import { Backup, PodVolumeBackup, VolumePluginBackup, type ResourceType } from '../../../api/index.ts';
import { AppError, NO_LOG, type JsonObject } from '../../../base/index.ts';
import { volumeId } from '../../../core/volumes/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { backupKeys, type Store } from '../../../edge/store/index.ts';
import type { MoverLocation, Movers } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';
import { deleteSnapshots } from './delete-snapshots.ts';

const namespace = 'velero';
const apiVersion = 'velero.io/v1';
const SNAPSHOT = '0123456789abcdef0123456789abcdef';
const OTHER = 'fedcba9876543210fedcba9876543210';

type Deleted = Parameters<Movers['delete']>[0];
type Told = Pick<Deleted, 'repositoryNamespace' | 'snapshotIDs' | 'volumes'>;

/** A cluster with a Backup, and a store with the files that a test puts there. */
async function setUp(name = 'mine') {
  const clock = new FakeClock();
  const kube = new ScriptedClient(clock);
  const files = new Map<string, Uint8Array>();
  const told: Told[] = [];
  const movers = {
    delete: ({ repositoryNamespace, snapshotIDs, volumes }: Deleted) =>
      Promise.resolve(void told.push({ repositoryNamespace, snapshotIDs, volumes })),
  };
  const store = {
    where: 'the bucket',
    get: (key: string) => {
      const body = files.get(key);
      return body === undefined
        ? Promise.reject(new AppError('notFound', `no ${key}`))
        : Promise.resolve({ body: [body], size: body.length });
    },
  } as unknown as Store;
  const { signal } = new AbortController();
  const deps = { kube, namespace, movers, log: NO_LOG, term: () => signal } as unknown as ControlDeps;
  const createBackup = async (of: string): Promise<KubeObject> =>
    await kube.create({ type: Backup, namespace }, { apiVersion, kind: 'Backup', metadata: { name: of, namespace } });
  const backup = await createBackup(name);
  return {
    backup,
    createBackup,
    put: (key: string, objects: readonly JsonObject[]) => files.set(key, gzipSync(JSON.stringify(objects))),
    show: async (type: ResourceType, object: JsonObject) =>
      await kube.create({ type, namespace }, object as unknown as KubeObject),
    /** Deletes, and returns what movers were told. */
    remove: async (): Promise<Told[]> => {
      const location = { name: 'default' } as MoverLocation;
      await deleteSnapshots({ backup, location, store, deps, signal });
      return told;
    },
  };
}

function metadataOf({ metadata: { name, uid = '' } }: KubeObject, volume: string, owner = uid): JsonObject {
  const ownerReferences = [{ apiVersion, kind: 'Backup', name, uid: owner }];
  return { name: volume, namespace, labels: { 'velero.io/backup-uid': uid }, ownerReferences };
}

function podVolume(metadata: JsonObject, snapshotID?: string): JsonObject {
  const spec = {
    ...{ pod: { namespace: 'shop', name: 'db-0' }, node: 'n', volume: 'data', uploaderType: 'kopia' },
    ...{ backupStorageLocation: 'default', repoIdentifier: '' },
  };
  const status = snapshotID === undefined ? { phase: 'Canceled' } : { phase: 'Completed', snapshotID };
  return { apiVersion, kind: 'PodVolumeBackup', metadata, spec, status };
}

function plugin(metadata: JsonObject, backup: string): JsonObject {
  const spec = { volume: 'pv-1', backup, plugin: 'kopia' };
  return { apiVersion, kind: 'VolumePluginBackup', metadata, spec, status: { phase: 'Failed' } };
}

function idIn({ metadata: { name, uid = '' } }: KubeObject, volume = 'pv-1'): string {
  return volumeId({ name, uid }, volume);
}

it('removes what a backup without files has left, as its objects tell', async () => {
  const { backup, show, remove } = await setUp();
  const [whole, half] = [idIn(backup), idIn(backup, 'pv-2')];
  for (const [volume, snapshotID] of [[whole, SNAPSHOT], [half]] as const) {
    await show(PodVolumeBackup, podVolume(metadataOf(backup, volume), snapshotID));
    await show(VolumePluginBackup, plugin(metadataOf(backup, volume), 'mine'));
  }
  const told = await remove();
  expect(told).toMatchObject([{ repositoryNamespace: 'shop', snapshotIDs: [SNAPSHOT] }]);
  expect(new Set(told[0]?.volumes)).toEqual(new Set([whole, half]));
});

it('removes what is in its files and among its objects once, and as the files say', async () => {
  const { backup, put, show, remove } = await setUp();
  const volume = idIn(backup);
  const keys = backupKeys('mine');
  put(keys.podVolumeBackups, [podVolume(metadataOf(backup, volume), SNAPSHOT)]);
  put(keys.volumePluginBackups, [plugin(metadataOf(backup, volume), 'mine')]);
  await show(PodVolumeBackup, podVolume(metadataOf(backup, volume), OTHER));
  await show(VolumePluginBackup, plugin(metadataOf(backup, volume), 'mine'));
  expect(await remove()).toEqual([{ repositoryNamespace: 'shop', snapshotIDs: [SNAPSHOT], volumes: [volume] }]);
});

it('does not believe an object that is not of this very backup', async () => {
  const { backup, createBackup, show, remove } = await setUp();
  const other = await createBackup('other');
  const forged = metadataOf(backup, idIn(backup), other.metadata.uid);
  await show(PodVolumeBackup, podVolume(forged, SNAPSHOT));
  await show(VolumePluginBackup, plugin(forged, 'mine'));
  const theirs = metadataOf(other, idIn(other));
  await show(PodVolumeBackup, podVolume(theirs, OTHER));
  await show(VolumePluginBackup, plugin(theirs, 'other'));
  expect(await remove()).toEqual([]);
});

it('leaves the volumes of the backup alone whose files were copied to this one', async () => {
  const { backup, createBackup, put, show, remove } = await setUp('copy');
  const original = await createBackup('original');
  const [theirs, mine] = [idIn(original), idIn(backup)];
  const copied = metadataOf(original, theirs);
  const keys = backupKeys('copy');
  put(keys.podVolumeBackups, [podVolume(copied, SNAPSHOT), podVolume(metadataOf(backup, mine), OTHER)]);
  put(keys.volumePluginBackups, [plugin(copied, 'original'), plugin(metadataOf(backup, mine), 'copy')]);
  await show(PodVolumeBackup, podVolume(copied, SNAPSHOT));
  expect(await remove()).toEqual([{ repositoryNamespace: 'shop', snapshotIDs: [OTHER], volumes: [mine] }]);
});
