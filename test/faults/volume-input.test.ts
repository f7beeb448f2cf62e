import { execFileSync } from 'node:child_process';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  Backup,
  PERSISTENT_VOLUME_CLAIM,
  POD,
  PodVolumeBackup,
  PodVolumeRestore,
  Restore,
  SECRET,
  VolumePluginBackup,
  VolumePluginRestore,
  type ResourceType,
} from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { REPOSITORY_SECRET, volumeId, volumeRestoreId } from '../../src/core/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { needs } from '../bed/index.ts';
import { BackupFiles } from '../engine/backup-files.ts';
import { ended, NAMESPACE, request, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { moverProcesses } from '../volumes/mover-processes.ts';
import type { OddKopia } from '../volumes/odd-kopia.ts';
import { useOddKopia } from '../volumes/odd-suite.ts';
import {
  createApplication,
  moversIn,
  requestBackup,
  startVolumeEngine,
  volumesOf,
} from '../volumes/volume-application.ts';
import { startVolumeCluster } from '../volumes/volume-cluster.ts';
import { IS_CAMPAIGN } from './seeded-random.ts';
import { VolumeRecord } from './volume-record.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 120_000;
const need = needs('kopia');
const fill = (directory: string, claim: string): void => {
  writeFileSync(join(directory, 'file'), content(MIB, claim.length));
};
const progress = (numbers: object): string =>
  `tell '${JSON.stringify({ line: 'progress', step: 'copying', ...numbers })}'\n`;
/** What an object of Velero's for a volume needs to have. */
const FORGED = { pod: {}, volume: 'none', backupStorageLocation: 'default', repoIdentifier: '', uploaderType: 'kopia' };
/** The volume's own id, as every honest line of its mover has it. */
const OWN = `id=$(printf '%s\\n' "$*" | sed -n 's/.*--tags=headway-volume:\\([^ ]*\\).*/\\1/p')\n`;
const own = (numbers: string): string =>
  `tell "{\\"id\\":\\"$id\\",\\"line\\":\\"progress\\",\\"step\\":\\"copying\\",${numbers}}"\nsleep 0.6\n`;

describe.skipIf(need.missing)(need.title('volumes that come to grief'), { timeout: 240_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let odd: OddKopia;
  useOddKopia(async (kopia) => {
    odd = kopia;
    cluster = await startVolumeCluster(odd.tools);
    ({ kube } = cluster);
    return { cluster, bucket: cluster.bucket };
  });

  const forge = async (
    type: ResourceType,
    metadata: { name: string; labels: Record<string, string> },
    object: JsonObject,
  ): Promise<void> => {
    await kube.create(
      { type, namespace: NAMESPACE },
      {
        ...object,
        apiVersion: 'velero.io/v1',
        kind: type.kind,
        metadata: { ...metadata, namespace: NAMESPACE },
      },
    );
  };

  it('believe of a mover what can be true, and fail alone', async () => {
    await using _ = await startVolumeEngine(cluster, { moversPerNode: 8 });
    const claims = ['good', 'garbage', 'numbers', 'stranger', 'liar', 'mute', 'special'];
    const namespace = await createApplication(kube, claims, (directory, claim) => {
      fill(directory, claim);
      if (claim !== 'special') return;
      execFileSync('sh', ['-c', 'mkfifo "$0"', join(directory, 'fifo')]);
      execFileSync('ln', [join(directory, 'file'), join(directory, 'second-name')]);
      execFileSync('ln', ['-s', '/etc/passwd', join(directory, 'way-out')]);
      writeFileSync(join(directory, 'sparse'), '');
      truncateSync(join(directory, 'sparse'), 20 * MIB);
      writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x62, 0xff])]), 'no name');
    });
    odd.does(
      'garbage',
      `for i in 1 2 3 4 5 6 7 8; do tell '{"line":"progr'; tell '\\000 \\033[2J'; tell '[1,2'; done\nhead -c 300000 /dev/zero | tr '\\0' x >/proc/$mover/fd/2\ntell ''\n`,
    );
    const lies = ['700000,"totalBytes":1048576', '-5,"totalBytes":-1', '3,"totalBytes":2', '900000,"totalBytes":5'];
    odd.does('numbers', `${OWN}${lies.map((lie) => own(`"bytesDone":${lie}`)).join('')}`);
    odd.does(
      'stranger',
      `${progress({ id: 'another', bytesDone: 5, totalBytes: 5 })}tell '{"line":"completed","id":"another","bytesDone":5,"snapshotID":"0123456789abcdef"}'\n`,
    );
    odd.does(
      'liar',
      `${OWN}tell "{\\"line\\":\\"completed\\",\\"id\\":\\"$id\\",\\"bytesDone\\":5,\\"snapshotID\\":\\"0123456789abcdef\\"}"\nsay 'ERROR no luck today'\nexit 1\n`,
    );
    odd.does('mute', `exit 0\n`);
    await using record = new VolumeRecord(kube, VolumePluginBackup, 'hostile');
    await requestBackup(kube, 'hostile', [namespace]);
    const backup = await ended(kube, Backup, 'hostile', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase')).toBe('PartiallyFailed');
    const volumes = await volumesOf(kube, VolumePluginBackup, 'hostile');
    const phases = Object.fromEntries([...volumes].map(([claim, one]) => [claim, textAt(one, 'status', 'phase')]));
    expect(phases).toEqual({
      ...{ good: 'Completed', garbage: 'Completed', numbers: 'Completed', stranger: 'Completed', special: 'Completed' },
      ...{ liar: 'Failed', mute: 'Failed' },
    });
    for (const claim of ['liar', 'mute']) {
      const message = textAt(volumes.get(claim), 'status', 'message') ?? '';
      expect(message.split('\n')).toHaveLength(1);
      expect(message.length).toBeGreaterThan(20);
      expect(textAt(volumes.get(claim), 'status', 'completionTimestamp')).toBeDefined();
      expect(JSON.stringify(objectsAt(backup, 'status', 'conditions'))).toContain(`${namespace}/${claim}`);
    }
    const note = textAt(volumes.get('special'), 'status', 'message');
    expect(note).toContain('left out, being no files or links: 1 file: fifo');
    expect(note).toContain('theirs being no UTF-8: 1 file');
    record.expectLaws();
    expect(await moversIn(kube, namespace)).toEqual([]);
  });

  it('name a repository that cannot be used, and go on where there is another', async () => {
    await using _ = await startVolumeEngine(cluster);
    const [broken, whole] = [await createApplication(kube, ['b'], fill), await createApplication(kube, ['w'], fill)];
    const both = [broken, whole];
    await requestBackup(kube, 'sound', both);
    expect(textAt(await ended(kube, Backup, 'sound', WITHIN_MS), 'status', 'phase')).toBe('Completed');
    rmSync(join(cluster.bucket, 'kopia', broken, 'kopia.repository.f'));
    await requestBackup(kube, 'half', both);
    expect(textAt(await ended(kube, Backup, 'half', WITHIN_MS), 'status', 'phase')).toBe('PartiallyFailed');
    const volumes = await volumesOf(kube, VolumePluginBackup, 'half');
    expect(textAt(volumes.get('b'), 'status', 'message')).toContain(
      'what is there is no repository, and not empty either',
    );
    expect(textAt(volumes.get('w'), 'status', 'phase')).toBe('Completed');
    const secret = { type: SECRET, namespace: NAMESPACE, name: REPOSITORY_SECRET.name };
    const before = await kube.get(secret);
    const password = { [REPOSITORY_SECRET.key]: Buffer.from('another').toString('base64') };
    await kube.patch(secret, { kind: 'merge', body: { data: password } });
    await requestBackup(kube, 'locked', [whole]);
    expect(textAt(await ended(kube, Backup, 'locked', WITHIN_MS), 'status', 'phase')).toBe('PartiallyFailed');
    const [locked] = [...(await volumesOf(kube, VolumePluginBackup, 'locked')).values()];
    expect(textAt(locked, 'status', 'message')).toContain('velero-repo-credentials');
    // It is no use to try that again.
    expect(valueAt(locked, 'status', 'attempt')).toBe(1);
    await kube.patch(secret, { kind: 'merge', body: { data: before['data'] } });
  });

  const expectFailed = ({ status }: KubeObject, message: string): void => {
    const completionTimestamp: unknown = expect.any(String);
    expect(status).toMatchObject({ phase: 'Failed', message, completionTimestamp });
  };

  it('are not taken from somebody who forged them', async () => {
    const namespace = await createApplication(kube, ['good', 'forged', 'half', 'back'], fill);
    const { metadata } = await requestBackup(kube, 'forged', [namespace]);
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'forged' });
    const volume = textAt(claim, 'spec', 'volumeName') ?? '';
    const id = volumeId({ name: 'forged', uid: metadata.uid ?? '' }, volume);
    const labels = { 'velero.io/backup-uid': metadata.uid ?? '', 'velero.io/backup-name': 'forged' };
    const spec = { volume, backup: 'forged', plugin: 'kopia', pluginSpecific: { kopiaSnapshotID: '0123456789abcdef' } };
    const lies = { percent: 100, bytesDone: 5_000_000_000, totalBytes: 5_000_000_000 };
    await forge(VolumePluginBackup, { name: id, labels }, { spec, status: { phase: 'Completed', snapshotID: id } });
    // Only Velero's object of this one is somebody else's.
    const half = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'half' });
    const halfId = volumeId({ name: 'forged', uid: metadata.uid ?? '' }, textAt(half, 'spec', 'volumeName') ?? '');
    await forge(PodVolumeBackup, { name: halfId, labels }, { spec: { ...FORGED, node: '' } });
    // This one has nothing but the labels of the backup's own.
    const other = { spec: { ...spec, volume: 'none' }, status: { phase: 'InProgress', progress: lies } };
    await forge(VolumePluginBackup, { name: 'forged-by-label', labels }, other);
    const engine = await startVolumeEngine(cluster);
    const backup = await ended(kube, Backup, 'forged', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase')).toBe('PartiallyFailed');
    const conditions = JSON.stringify(objectsAt(backup, 'status', 'conditions'));
    expect(conditions).toContain(
      `${namespace}/forged (create VolumePluginBackup ${id}: there is one which is not of this backup`,
    );
    expect(backup['status']).toMatchObject({ progress: { bytesDone: 2 * MIB, totalBytes: 2 * MIB } });
    const stored = new BackupFiles(cluster, 'forged').json('-volumepluginbackups.json.gz') as JsonObject[];
    const phases = stored.map((one) => [textAt(one, 'metadata', 'name'), textAt(one, 'status', 'phase')]);
    expect(phases).toHaveLength(4);
    expect(phases).toContainEqual([id, 'Failed']);
    expect(phases).toContainEqual([halfId, 'Failed']);
    expectFailed(
      await kube.get({ type: VolumePluginBackup, namespace: NAMESPACE, name: halfId }),
      `create PodVolumeBackup ${halfId}: there is one which is not of this backup`,
    );
    expect(phases.map(([, phase]) => phase)).toContain('Completed');
    await engine.stop();

    // The same with the way back.
    const again = `${namespace}-again`;
    const restored = await request(kube, Restore, 'forged', {
      spec: { backupName: 'forged', namespaceMapping: { [namespace]: again } },
    });
    const name = volumeRestoreId({ name: 'forged', uid: restored.metadata.uid ?? '' }, `${again}/good`);
    await forge(
      VolumePluginRestore,
      { name, labels: { 'velero.io/restore-uid': restored.metadata.uid ?? '' } },
      { spec: { backup: 'forged', plugin: 'kopia', snapshotID: id }, status: { phase: 'Completed' } },
    );
    const backId = volumeRestoreId({ name: 'forged', uid: restored.metadata.uid ?? '' }, `${again}/back`);
    await forge(
      PodVolumeRestore,
      { name: backId, labels: { 'velero.io/restore-uid': restored.metadata.uid ?? '' } },
      { spec: { ...FORGED, snapshotID: '0123456789abcdef', sourceNamespace: namespace } },
    );
    await using _ = await startVolumeEngine(cluster);
    const restore = await ended(kube, Restore, 'forged', WITHIN_MS);
    expectFailed(
      await kube.get({ type: VolumePluginRestore, namespace: NAMESPACE, name: backId }),
      `create PodVolumeRestore ${backId}: there is one which is not of this restore`,
    );
    expect(textAt(restore, 'status', 'phase')).toBe('PartiallyFailed');
    const { metadata: good } = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: again, name: 'good' });
    // Nobody may take it for filled because somebody has said so.
    expect(good.annotations?.['headway.io/unfilled']).toBe('forged');
    expect(await moversIn(kube, again)).toEqual([]);
  });

  it('end when their claim and its pod are deleted in the middle', async () => {
    await using _ = await startVolumeEngine(cluster);
    const namespace = await createApplication(kube, ['lost'], fill);
    odd.does('lost', 'hold\n');
    await requestBackup(kube, 'deleted', [namespace]);
    await eventually(
      () => {
        expect(odd.isHeld('lost')).toBe(true);
      },
      { withinMs: 60_000 },
    );
    await kube.delete({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'lost' });
    await kube.delete({ type: POD, namespace, name: 'db-0' });
    odd.letGo('lost');
    const backup = await ended(kube, Backup, 'deleted', WITHIN_MS);
    const volume = (await volumesOf(kube, VolumePluginBackup, 'deleted')).get('lost');
    // Whatever was there to copy is copied; if nothing was, one sentence says so.
    const wanted = textAt(volume, 'status', 'phase') === 'Completed' ? 'Completed' : 'PartiallyFailed';
    expect(textAt(backup, 'status', 'phase')).toBe(wanted);
    expect(await moversIn(kube, namespace)).toEqual([]);
  });

  it('end when their claim is deleted before their mover begins, or while it is filled', async () => {
    await using _ = await startVolumeEngine(cluster, { moversPerNode: 1 });
    const claims = ['one', 'two'];
    const namespace = await createApplication(kube, claims, fill);
    for (const claim of claims) odd.does(claim, 'hold\n');
    await requestBackup(kube, 'early', [namespace]);
    const first = await eventually(
      () => {
        const held = claims.find((claim) => odd.isHeld(claim));
        expect(held).toBeDefined();
        return held!;
      },
      { withinMs: 60_000 },
    );
    const second = claims.find((claim) => claim !== first)!;
    await kube.delete({ type: POD, namespace, name: 'db-0' });
    await kube.delete({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: second });
    odd.letGo(first);
    expect(textAt(await ended(kube, Backup, 'early', WITHIN_MS), 'status', 'phase')).toBe('PartiallyFailed');
    const volumes = await volumesOf(kube, VolumePluginBackup, 'early');
    expect(volumes.get(first)).toMatchObject({ status: { phase: 'Completed' } });
    const message = `mount PersistentVolumeClaim ${namespace}/${second}: it was deleted before its mover began`;
    expect(volumes.get(second)).toMatchObject({ status: { phase: 'Failed', attempt: 1, message } });
    expect(await moversIn(kube, namespace)).toEqual([]);

    odd.forget();
    odd.does('restore', 'hold\n');
    const again = `${namespace}-again`;
    const spec = { backupName: 'early', namespaceMapping: { [namespace]: again } };
    await using record = new VolumeRecord(kube, VolumePluginRestore, 'early');
    await request(kube, Restore, 'early', { spec });
    await eventually(
      () => {
        expect(odd.isHeld('restore')).toBe(true);
      },
      { withinMs: 60_000 },
    );
    await kube.delete({ type: PERSISTENT_VOLUME_CLAIM, namespace: again, name: first });
    odd.letGo('restore');
    expect(textAt(await ended(kube, Restore, 'early', WITHIN_MS), 'status', 'phase')).toBe('PartiallyFailed');
    expect(record.of(first).map(({ phase }) => phase)).not.toContain('Completed');
    const end = record.last(first)!.object['status'];
    expect(end).toMatchObject({
      phase: 'Failed',
      message: expect.stringContaining('it was deleted meanwhile') as string,
    });
    record.expectLaws();
    expect(await moversIn(kube, again)).toEqual([]);
  });

  const left = IS_CAMPAIGN ? '' : ' (skipped: npm run campaign does it)';
  // A hung process goes when its pod's time is up, which takes half a minute.
  it.runIf(IS_CAMPAIGN)(`are tried again when their mover hangs, and its last words do not count${left}`, async () => {
    let laterMs = 0;
    const clock = { ...systemClock, uptime: () => systemClock.uptime() + laterMs };
    await using _ = await startVolumeEngine(cluster, {}, clock);
    const namespace = await createApplication(kube, ['good', 'hung'], fill);
    odd.does('hung', `echo held >>"$odd/turns"\n[ "$(wc -l <"$odd/turns")" = 1 ] && hold\n`);
    await using record = new VolumeRecord(kube, VolumePluginBackup, 'hung');
    await requestBackup(kube, 'hung', [namespace]);
    await record.until('good', 'done', ({ phase }) => phase === 'Completed');
    await eventually(
      () => {
        expect(odd.isHeld('hung')).toBe(true);
      },
      { withinMs: 60_000 },
    );
    for (const pid of moverProcesses(cluster.directory)) process.kill(pid, 'SIGSTOP');
    const [pod] = (await moversIn(kube, namespace)).filter((name) => name.startsWith('headway-snapshot-'));
    // Its last words may still be on their way when the ten minutes begin.
    const aged = setInterval(() => (laterMs += 11 * 60_000), 5_000);
    await eventually(
      async () => {
        const { metadata } = await kube.get({ type: POD, namespace, name: pod! });
        expect(metadata.deletionTimestamp).toBeDefined();
      },
      { withinMs: 60_000 },
    ).finally(() => {
      clearInterval(aged);
    });
    const backup = await ended(kube, Backup, 'hung', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(record.last('hung')).toMatchObject({ phase: 'Completed', attempt: 2 });
    record.expectLaws();
    expect(await moversIn(kube, namespace)).toEqual([]);
  });

  it('are frozen at every word of the mover, and never after', async () => {
    await using _ = await startVolumeEngine(cluster, { moversPerNode: 1 });
    const annotations = {
      'pre.hook.backup.velero.io/command': '["touch", "/data/one/frozen", "/data/two/frozen"]',
      'post.hook.backup.velero.io/command': '["rm", "/data/one/frozen", "/data/two/frozen"]',
    };
    const namespace = await createApplication(kube, ['one', 'two'], fill, { annotations });
    // From the first run of kopia to the last, five times a second.
    odd.does('every', `[ -e $volume/frozen ] || echo "$*" >>$odd/thawed\n`);
    const looks =
      'for i in 1 2 3 4 5 6 7 8; do [ -e $volume/frozen ] || echo copying >>$odd/thawed; sleep 0.2; done; echo "$name" >>$odd/copied\n';
    for (const claim of ['one', 'two']) odd.does(claim, looks);
    await requestBackup(kube, 'frozen', [namespace]);
    const backup = await ended(kube, Backup, 'frozen', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(odd.said('thawed')).toBe('');
    // One mover at a time, and the pod did not wait for a second turn.
    expect(odd.said('copied').trim().split('\n').toSorted()).toEqual(['one', 'two']);
    expect(backup['status']).toMatchObject({ hookStatus: { hooksAttempted: 2 } });
    const found = execFileSync('find', [cluster.directory, '-name', 'frozen', '-type', 'f']).toString();
    expect(found).toBe('');
  });
});
