import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Backup,
  PERSISTENT_VOLUME_CLAIM,
  Restore,
  VolumePluginBackup,
  VolumePluginRestore,
} from '../../src/api/index.ts';
import { textAt, textsAt } from '../../src/base/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { ended, NAMESPACE, request, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { KopiaPlace } from '../volumes/kopia-place.ts';
import { moverProcesses } from '../volumes/mover-processes.ts';
import { KOPIA_AT, type OddKopia } from '../volumes/odd-kopia.ts';
import { useOddKopia } from '../volumes/odd-suite.ts';
import {
  createApplication,
  moversIn,
  requestBackup,
  startVolumeEngine,
  volumesOf,
} from '../volumes/volume-application.ts';
import { directoryOf, startVolumeCluster } from '../volumes/volume-cluster.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 120_000;
const CANCEL = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
const HELD = `${KOPIA_AT('1 MB', '4 MB')}hold\n`;
const need = needs('kopia');
const fill = (directory: string, claim: string): void => {
  writeFileSync(join(directory, 'file'), content(2 * MIB, claim.length));
};

describe.skipIf(need.missing)(need.title('volumes that nobody wants any more'), { timeout: 240_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let odd: OddKopia;
  useOddKopia(async (kopia) => {
    odd = kopia;
    cluster = await startVolumeCluster(odd.tools);
    ({ kube } = cluster);
    return { cluster, bucket: cluster.bucket };
  });

  const held = async (volume: string): Promise<void> => {
    await odd.held(volume);
  };
  const cancel = async (type: typeof Backup | typeof Restore, name: string): Promise<void> => {
    await kube.patch({ type, namespace: NAMESPACE, name }, { kind: 'merge', body: CANCEL });
  };
  const snapshotsIn = async (namespace: string): Promise<unknown[]> => {
    using place = new KopiaPlace();
    const repository = { kind: 'filesystem' as const, path: join(cluster.bucket, 'kopia', namespace) };
    return await place.snapshots(repository, { password: REPOSITORY_SECRET.defaultPassword });
  };
  const nothingLeft = async (namespace: string): Promise<void> => {
    await eventually(
      async () => {
        expect(await moversIn(kube, namespace)).toEqual([]);
        expect(moverProcesses(cluster.directory)).toEqual([]);
      },
      { withinMs: 30_000 },
    );
    expect(await snapshotsIn(namespace)).toEqual([]);
  };

  it('go within seconds, with all that was stored, and the next backup finds no lock', async () => {
    await using _ = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['slow', 'quick'], fill);
    odd.does('slow', HELD);
    await requestBackup(kube, 'unwanted', [namespace]);
    await held('slow');
    await eventually(
      async () => {
        const quick = (await volumesOf(kube, VolumePluginBackup, 'unwanted')).get('quick');
        expect(textAt(quick, 'status', 'phase')).toBe('Completed');
      },
      { withinMs: 60_000 },
    );
    const began = performance.now();
    await cancel(Backup, 'unwanted');
    await eventually(
      () => {
        expect(moverProcesses(cluster.directory)).toEqual([]);
      },
      { withinMs: 25_000 },
    );
    // A mover has 12 s to clear away, and is killed then.
    expect(performance.now() - began, 'until the last mover had ended').toBeLessThan(15_000);
    const backup = await ended(kube, Backup, 'unwanted', WITHIN_MS);
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect((await volumesOf(kube, VolumePluginBackup, 'unwanted')).size).toBe(0);
    expect(await moversIn(kube, NAMESPACE)).toEqual([]);
    await nothingLeft(namespace);
    odd.forget();
    await requestBackup(kube, 'wanted', [namespace]);
    expect(textAt(await ended(kube, Backup, 'wanted', WITHIN_MS), 'status', 'phase')).toBe('Completed');
  });

  it('go when a backup was canceled while no server ran', async () => {
    const first = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['slow'], fill);
    odd.does('slow', HELD);
    await requestBackup(kube, 'unheard', [namespace]);
    await held('slow');
    await first.kill();
    expect(moverProcesses(cluster.directory)).toHaveLength(1);
    await cancel(Backup, 'unheard');
    await using _ = await startVolumeEngine(cluster);
    const backup = await ended(kube, Backup, 'unheard', WITHIN_MS);
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect((await volumesOf(kube, VolumePluginBackup, 'unheard')).size).toBe(0);
    await nothingLeft(namespace);
  });

  it('go when a backup was deleted while no server ran', async () => {
    const first = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['slow'], fill);
    odd.does('slow', HELD);
    await requestBackup(kube, 'forgotten', [namespace]);
    await held('slow');
    await first.kill();
    await kube.delete({ type: Backup, namespace: NAMESPACE, name: 'forgotten' });
    await using _ = await startVolumeEngine(cluster);
    await nothingLeft(namespace);
  });

  it('go when a restore was canceled while no server ran, and their claims say that they are not filled', async () => {
    let engine = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['slow'], fill);
    await requestBackup(kube, 'source', [namespace]);
    expect(textAt(await ended(kube, Backup, 'source', WITHIN_MS), 'status', 'phase')).toBe('Completed');
    odd.does('restore', 'hold\n');
    const target = `${namespace}-again`;
    const spec = { backupName: 'source', namespaceMapping: { [namespace]: target } };
    await request(kube, Restore, 'unheard', { spec });
    await held('restore');
    await engine.kill();
    await cancel(Restore, 'unheard');
    engine = await startVolumeEngine(cluster);
    const restore = await ended(kube, Restore, 'unheard', WITHIN_MS);
    expect(restore['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    const volume = (await volumesOf(kube, VolumePluginRestore, 'unheard')).get('slow');
    expect(textAt(volume, 'status', 'phase')).toBe('Canceled');
    expect(moverProcesses(cluster.directory)).toEqual([]);
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'slow' });
    expect(textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled']).toBe('unheard');

    // Not even one that may change everything takes that word away.
    odd.forget();
    await request(kube, Restore, 'changer', { spec: { ...spec, existingResourcePolicy: 'update' } });
    expect(textAt(await ended(kube, Restore, 'changer', WITHIN_MS), 'status', 'phase')).toBe('PartiallyFailed');
    const after = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'slow' });
    expect(textsAt(after, 'metadata', 'annotations')['headway.io/unfilled']).toBe('unheard');
    await engine.stop();
  });

  it('are not written to when somebody has taken the claim for his own meanwhile', async () => {
    const first = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['slow'], fill);
    await requestBackup(kube, 'taken', [namespace]);
    expect(textAt(await ended(kube, Backup, 'taken', WITHIN_MS), 'status', 'phase')).toBe('Completed');
    odd.does('restore', 'hold\n');
    const target = `${namespace}-again`;
    const spec = { backupName: 'taken', namespaceMapping: { [namespace]: target } };
    await request(kube, Restore, 'taken', { spec });
    await held('restore');
    await first.kill();
    const body = { metadata: { annotations: { 'headway.io/unfilled': null } } };
    await kube.patch({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'slow' }, { kind: 'merge', body });
    for (const { metadata } of (await volumesOf(kube, VolumePluginRestore, 'taken')).values()) {
      await kube.delete({ type: VolumePluginRestore, namespace: NAMESPACE, name: metadata.name });
    }
    for (const pid of moverProcesses(cluster.directory)) process.kill(pid, 'SIGKILL');
    writeFileSync(join(await directoryOf(kube, target, 'slow'), 'file'), 'newer');
    odd.forget();
    await using _ = await startVolumeEngine(cluster);
    const restore = await ended(kube, Restore, 'taken', WITHIN_MS);
    expect(textAt(restore, 'status', 'phase')).toBe('PartiallyFailed');
    const volume = (await volumesOf(kube, VolumePluginRestore, 'taken')).get('slow');
    expect(textAt(volume, 'status', 'message')).toContain('somebody may be using it');
    expect(readFileSync(join(await directoryOf(kube, target, 'slow'), 'file'), 'utf8')).toBe('newer');
  });
});
