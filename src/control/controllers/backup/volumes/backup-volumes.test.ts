import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { ScriptedClient } from '../../../../../test/operation/client.ts';
import { BackupStorageLocation, VolumePluginBackup } from '../../../../api/index.ts';
import { AppError, isObjectName } from '../../../../base/index.ts';
import { pluginBackupObject, volumeId } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { Movers } from '../../../volumes/index.ts';
import { BackupVolumes } from './backup-volumes.ts';
import type { VolumeContext } from './volume-context.ts';

const namespace = 'velero';

type Deleted = Parameters<Movers['delete']>[0];

/** The second attempt at a backup that is gone, whose first one copied a volume in each of these namespaces. */
async function setUp({ name, namespaces, fails = false }: { name: string; namespaces: string[]; fails?: boolean }) {
  const kube = new ScriptedClient(new FakeClock());
  const { signal } = new AbortController();
  const backup = { name, namespace, uid: 'backup-uid' };
  const location = await kube.create(
    { type: BackupStorageLocation, namespace },
    { apiVersion: 'velero.io/v1', kind: 'BackupStorageLocation', metadata: { name: 'default', namespace } },
  );
  const ids = namespaces.map((one) => volumeId(backup, `pv-${one}`));
  for (const [at, one] of namespaces.entries()) {
    const claim = { namespace: one, name: 'data' };
    const volume = { id: ids[at] ?? '', backup, volume: `pv-${one}`, claim, plugin: 'kopia' };
    const object = pluginBackupObject(volume, false) as unknown as KubeObject;
    await kube.create({ type: VolumePluginBackup, namespace }, object);
  }
  const tasks: Deleted[] = [];
  const warnings: string[] = [];
  const movers = {
    delete: (task: Deleted) => {
      tasks.push(task);
      return fails ? Promise.reject(new AppError('timeout', 'no turn')) : Promise.resolve();
    },
  };
  const operation = {
    ...{ attempt: 2, object: { metadata: backup }, lasting: signal },
    api: () => ({ call: (request: () => unknown) => request() }),
  };
  const volumes = new BackupVolumes({
    ...{ operation, signal, location: { name: 'default' } },
    deps: { kube, movers, namespace, mayWrite: () => true },
    findings: { warn: (_: unknown, text: string) => warnings.push(text) },
  } as unknown as Omit<VolumeContext, 'onProgress'>);
  await volumes.open();
  await volumes.discard(signal);
  const left = ids.filter((id) => kube.peek({ type: VolumePluginBackup, namespace, name: id }) !== undefined);
  return { location, ids, tasks, warnings, left };
}

it('removes snapshots by movers of the location, because the backup may be gone', async () => {
  const { location, ids, tasks, left } = await setUp({ name: 'b', namespaces: ['blog', 'shop'] });
  expect(tasks.map(({ owner }) => owner.object.metadata.uid)).toEqual([location.metadata.uid, location.metadata.uid]);
  expect(tasks.map(({ volumes }) => volumes)).toEqual(ids.map((id) => [id]));
  // One location has movers for many backups and namespaces.
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(2);
  expect(left).toEqual([]);
});

it.each(['b'.repeat(253), `${'b'.repeat(199)}.${'c'.repeat(53)}`])('has a job for a backup named %s', async (name) => {
  const { tasks } = await setUp({ name, namespaces: ['shop'] });
  expect(tasks.map(({ id }) => isObjectName(id))).toEqual([true]);
});

it('keeps the objects of what could not be removed: the deletion of the backup reads them', async () => {
  const { ids, warnings, left } = await setUp({ name: 'b', namespaces: ['shop'], fails: true });
  expect(left).toEqual(ids);
  expect(warnings).toEqual([expect.stringContaining('no turn')]);
});
