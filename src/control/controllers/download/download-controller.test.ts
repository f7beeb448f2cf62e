import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { Backup, DownloadRequest, Restore, type DownloadTarget } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import { Downloads, type WantedLink } from './download-controller.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
  const bench = new Workbench(cluster);
  await bench.create(Backup, 'b', { spec: { storageLocation: 'default' } });
  await bench.create(Backup, 'nowhere', { spec: { storageLocation: 'gone' } });
  await bench.create(Restore, 'r', { spec: { backupName: 'b' } });
  await bench.create(Restore, 'early', { spec: {} });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const linkTo = ({ request, of, location, key, seconds }: WantedLink): string =>
  `http://x/${location}/${key}?${seconds}&${request.kind}&${of.kind}/${of.metadata.name}`;

async function ask(kind: DownloadTarget, name: string, options = { linkTo } as object) {
  const bench = new Workbench(cluster);
  const downloads = new Downloads(options, bench.deps);
  const request = Workbench.newName('request');
  await bench.create(DownloadRequest, request, { spec: { target: { kind, name } } });
  const turn = async () => await downloads.reconcile(await bench.get(DownloadRequest, request), bench.signal);
  const status = async () => ((await bench.get(DownloadRequest, request))['status'] ?? {}) as JsonObject;
  return { bench, request, turn, status };
}

describe('a download request', () => {
  it.each<[DownloadTarget, string, string]>([
    ['BackupLog', 'b', 'backups/b/b-logs.gz'],
    ['BackupContents', 'b', 'backups/b/b.tar.gz'],
    ['BackupVolumeSnapshots', 'b', 'backups/b/b-volumesnapshots.json.gz'],
    ['BackupItemOperations', 'b', 'backups/b/b-itemoperations.json.gz'],
    ['BackupResourceList', 'b', 'backups/b/b-resource-list.json.gz'],
    ['BackupResults', 'b', 'backups/b/b-results.gz'],
    ['BackupVolumeInfos', 'b', 'backups/b/b-volumeinfo.json.gz'],
    ['CSIBackupVolumeSnapshots', 'b', 'backups/b/b-csi-volumesnapshots.json.gz'],
    ['CSIBackupVolumeSnapshotContents', 'b', 'backups/b/b-csi-volumesnapshotcontents.json.gz'],
    ['RestoreLog', 'r', 'restores/r/restore-r-logs.gz'],
    ['RestoreResults', 'r', 'restores/r/restore-r-results.gz'],
    ['RestoreResourceList', 'r', 'restores/r/restore-r-resource-list.json.gz'],
    ['RestoreItemOperations', 'r', 'restores/r/restore-r-itemoperations.json.gz'],
    ['RestoreVolumeInfo', 'r', 'restores/r/r-volumeinfo.json.gz'],
  ])('for %s of %s gets a link to %s', async (kind, name, key) => {
    const { turn, status } = await ask(kind, name);
    await turn();
    const of = `${kind.startsWith('Restore') ? 'Restore' : 'Backup'}/${name}`;
    const downloadURL = `http://x/default/${key}?600&DownloadRequest&${of}`;
    expect(await status()).toMatchObject({ phase: 'Processed', downloadURL });
  });

  it('lives as long as its link, then it is deleted', async () => {
    const { bench, request, turn, status } = await ask('BackupLog', 'b');
    bench.now = Date.parse('2026-01-01T00:00:00Z');
    await turn();
    expect((await status())['expiration']).toBe('2026-01-01T00:10:00Z');
    bench.now += 599_000;
    expect(await turn()).toEqual({ requeueAfterMs: 1_000 });
    bench.now += 1_000;
    await turn();
    expect(await bench.exists(DownloadRequest, request)).toBe(false);
  });

  it.each<{ kind: DownloadTarget; name: string; options?: object; message: RegExp }>([
    { kind: 'BackupLog', name: 'none', message: /there is no such Backup/ },
    { kind: 'RestoreLog', name: 'none', message: /there is no such Restore/ },
    { kind: 'RestoreLog', name: 'early', message: /has no backup yet/ },
    { kind: 'BackupLog', name: 'nowhere', message: /gone/ },
    { kind: 'BackupLog', name: 'b', options: {}, message: /has no address/ },
  ])('for $kind of $name without a link says $message, and goes away too', async ({ kind, name, options, message }) => {
    const { bench, request, turn, status } = await ask(kind, name, options);
    bench.now = Date.parse('2026-01-01T00:00:00Z');
    await turn();
    expect(await status()).toMatchObject({
      phase: 'New',
      conditions: [{ type: 'Ready', status: 'False', message: expect.stringMatching(message) as string }],
    });
    expect((await status())['downloadURL']).toBeUndefined();
    expect(bench.events.map(({ reason }) => reason)).toEqual(['NoDownload']);
    bench.now += 600_000;
    await turn();
    expect(await bench.exists(DownloadRequest, request)).toBe(false);
  });
});
