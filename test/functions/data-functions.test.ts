import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { phasesOf, SPACE } from '../action/action-cluster.ts';
import { bed } from '../bed/index.ts';
import { needs } from '../bed/require.ts';
import { backup, FunctionCluster, phase } from './function-cluster.ts';

const need = needs('kopia', 'restic', 'versitygw');
const APPS = { group: 'apps', version: 'v1', kind: 'StatefulSet', plural: 'statefulsets', namespaced: true };
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const BYTES = 20_000_005;
const restore = (claim: string, args: JsonObject): JsonObject => {
  const place = { namespace: SPACE, image: 'debian', volumes: { [claim]: '/data' } };
  return phase('RestoreData', { ...place, backupArtifactPrefix: `bucket/${claim}`, ...args });
};

/** Of all processes of the machine, as everybody can read them. */
function commandLines(): string {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        // It has ended meanwhile.
        return '';
      }
    });
  return lines.join('\n');
}

describe.skipIf(need.missing)(need.title('data functions on pocket'), { timeout: 400_000 }, () => {
  let cluster: FunctionCluster;
  beforeAll(async () => {
    cluster = await FunctionCluster.start();
    await cluster.profile('store');
  }, 240_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  for (const mover of ['kopia', 'restic'] as const) {
    it(`back up a directory and restore it with ${mover}`, async () => {
      const app = `app-${mover}`;
      const args = { backupArtifactPrefix: `bucket/${app}` };
      await cluster.application(app, 20);
      const before = await cluster.hashes(app);
      const metadata = { annotations: { 'headway.io/data-mover': mover } };
      await cluster.begin(`up-${mover}`, [backup(app)], { metadata });
      const [output = {}] = await cluster.outputs(`up-${mover}`);
      expect(output).toEqual({
        ...{ backupID: like(/^[0-9a-f]{8,32}$/), backupTag: like(/^\w{10}$/) },
        ...{ fileCount: '2', size: '19.073 MiB', phySize: like(/MiB$/), version: 'v0.0.0' },
      });
      const [up] = phasesOf(await cluster.actions.ended(`up-${mover}`));
      const sizes = { sizeUploadedB: BYTES, estimatedUploadSizeB: BYTES };
      expect(up!['progress']).toMatchObject({ progressPercent: '100.00', ...sizes });
      const made = mover === 'kopia' ? 'kopia.repository.f' : 'config';
      expect(existsSync(join(cluster.store, 'bucket', app, made))).toBe(true);

      // Who reads does not have to say which: the repository decides.
      await cluster.say(app, 'rm -rf /data/*');
      const { backupID = '', backupTag = '' } = output;
      await cluster.begin(`down-${mover}`, [restore(app, { backupIdentifier: backupID })]);
      await cluster.outputs(`down-${mover}`);
      expect(await cluster.hashes(app)).toBe(before);
      const [down] = phasesOf(await cluster.actions.ended(`down-${mover}`));
      expect(Number(valueAt(down, 'progress', 'sizeDownloadedB'))).toBeGreaterThan(0.99 * BYTES);
      await cluster.begin(`part-${mover}`, [
        restore(app, { backupTag, backupPath: '/data/sub', restorePath: '/data/copy' }),
      ]);
      await cluster.outputs(`part-${mover}`);
      expect(await cluster.say(app, 'diff -r /data/sub /data/copy && echo same')).toBe('same\n');

      await cluster.begin(`ask-${mover}`, [
        phase('BackupDataStats', { namespace: SPACE, ...args, backupID }),
        phase('CheckRepository', args),
        phase('CheckRepository', { ...args, encryptionKey: 'wrong' }, { name: 'wrong' }),
        phase('CheckRepository', { backupArtifactPrefix: 'bucket/nothing' }, { name: 'missing' }),
        phase('DeleteData', { namespace: SPACE, ...args, backupID, reclaimSpace: mover === 'restic' }),
      ]);
      const answer = (passwordIncorrect: string, repoUnavailable: string) => ({
        ...{ passwordIncorrect, repoUnavailable, version: 'v0.0.0' },
      });
      expect(await cluster.outputs(`ask-${mover}`)).toEqual([
        expect.objectContaining({ mode: 'restore-size', size: '19.073 MiB', version: 'v0.0.0' }),
        answer('false', 'false'),
        answer('true', 'false'),
        answer('false', 'true'),
        { spaceFreed: mover === 'kopia' ? '0 B' : like(/^2\d{7} B$/) },
      ]);
      await cluster.begin(`gone-${mover}`, [restore(app, { backupIdentifier: backupID })]);
      expect(await cluster.failure(`gone-${mover}`)).toMatch(/Failed to restore backup.*(no backup|no matching ID)/s);
      expect(await cluster.leftovers()).toEqual([]);
    });
  }

  it('show bytes while they run, and percents that only grow', async () => {
    await cluster.application('slow', 150);
    await cluster.begin('slow', [backup('slow')]);
    const seen: number[] = [];
    const sizes = new Set<unknown>();
    await cluster.actions.status(
      'slow',
      (status) => {
        const [first] = phasesOf(status);
        seen.push(Number(textAt(first, 'progress', 'progressPercent') ?? '0'));
        sizes.add(valueAt(first, 'progress', 'sizeUploadedB'));
        return status['state'] === 'complete';
      },
      200_000,
    );
    expect(seen).toEqual([...seen].sort((one, other) => one - other));
    expect(seen.at(-1)).toBe(100);
    const isMiddle = (size: unknown): boolean => typeof size === 'number' && size > 0 && size < 150_000_000;
    expect([...sizes].filter(isMiddle).length).toBeGreaterThan(0);
  });

  it('restore a restic repository as Kanister makes it', async () => {
    await cluster.application('kanister', 3);
    const before = await cluster.hashes('kanister');
    // What its own commands are, with its usual password.
    const key = '9f735e0df9a1ddc702bf0a1a7b83033f9f7153a00c29de82cedadc9957289b05';
    const made = await cluster.say(
      'kanister',
      `export RESTIC_REPOSITORY=/store/bucket/kanister RESTIC_PASSWORD=${key} HOME=/tmp; restic init >/dev/null &&
       restic backup --tag abcdefghij /data | sed -n 's/^snapshot \\(.*\\) saved$/\\1/p'; rm -rf /data/*`,
    );
    await cluster.begin('kanister', [restore('kanister', { backupIdentifier: made.trim() })]);
    await cluster.outputs('kanister');
    expect(await cluster.hashes('kanister')).toBe(before);
  });

  it('do it for all pods of a workload, with a volume from outside, and delete it', async () => {
    const metadata = { labels: { app: 'many' } };
    const spec = {
      ...{ replicas: 2, serviceName: 'many', selector: { matchLabels: metadata.labels } },
      template: { metadata, spec: cluster.appSpec(['restic'], []) },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    };
    await cluster.kube.create(
      { type: APPS, namespace: SPACE },
      {
        ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'many', namespace: SPACE }, spec },
      },
    );
    const pods = ['many-0', 'many-1'];
    const before: string[] = [];
    for (const pod of pods) {
      await cluster.isUp(pod);
      await cluster.fill(pod, 2);
      before.push(await cluster.hashes(pod));
    }
    const action = { object: { kind: 'StatefulSet', name: 'many', namespace: SPACE } };
    const args = { namespace: SPACE, backupArtifactPrefix: 'many' };
    await cluster.begin(
      'all-up',
      [
        phase('BackupDataAll', { ...args, container: 'app', includePath: '/data' }),
        phase('CopyVolumeData', { namespace: SPACE, volume: 'data-many-0', dataArtifactPrefix: 'copy' }),
      ],
      { action },
    );
    const [all = {}, copy = {}] = await cluster.outputs('all-up');
    const backupInfo = textAt(all, 'BackupAllInfo') ?? '';
    expect(JSON.parse(backupInfo)).toMatchObject({ 'many-0': { PodName: 'many-0' }, 'many-1': { PodName: 'many-1' } });
    // There is only restic in the pods of the application, and both in the others.
    expect(existsSync(join(cluster.store, 'bucket/many/many-0/config'))).toBe(true);
    expect(existsSync(join(cluster.store, 'bucket/copy/kopia.repository.f'))).toBe(true);
    expect(copy).toMatchObject({ backupRoot: '/mnt/vol_data/data-many-0', backupArtifactLocation: 'bucket/copy' });
    for (const pod of pods) await cluster.say(pod, 'rm -rf /data/*');
    await cluster.begin('all-down', [phase('RestoreDataAll', { ...args, image: 'debian', backupInfo })], { action });
    await cluster.outputs('all-down');
    for (const [index, pod] of pods.entries()) expect(await cluster.hashes(pod)).toBe(before[index]);
    await cluster.begin('all-gone', [
      phase('DeleteDataAll', { ...args, backupInfo, reclaimSpace: true }),
      phase('LocationDelete', { artifact: 'bucket/copy' }),
    ]);
    const [freed] = await cluster.outputs('all-gone');
    expect(freed).toEqual({ spaceFreed: like(/^[4-9]\d{6} B$/) });
    expect(existsSync(join(cluster.store, 'bucket/copy'))).toBe(false);
    expect(existsSync(join(cluster.store, 'bucket/many'))).toBe(true);
    expect(await cluster.leftovers()).toEqual([]);
  });

  it('use S3, and keep its keys out of command lines, pods and logs', async () => {
    await using running = await bed({ s3: true });
    const { endpoint, region, bucket, accessKey, secretKey } = running.s3!;
    const location = { type: 's3Compliant', endpoint, region, bucket };
    await cluster.profile('s3', location, { id: accessKey, secret: secretKey });
    await cluster.application('cloud', 5);
    const before = await cluster.hashes('cloud');
    const args = { backupArtifactPrefix: 'a/b' };
    await cluster.begin('s3-up', [backup('cloud', args)], { profile: 's3' });
    const [{ backupID = '' } = {}] = await cluster.outputs('s3-up');
    await cluster.say('cloud', 'rm -rf /data/*');
    await cluster.begin('s3-down', [restore('cloud', { ...args, backupIdentifier: backupID })], { profile: 's3' });
    const shown: string[] = [];
    await cluster.actions.status('s3-down', (status) => {
      shown.push(JSON.stringify(status), commandLines());
      return status['state'] === 'complete';
    });
    expect(shown.join('\n')).toContain('kopia');
    expect(await cluster.hashes('cloud')).toBe(before);
    expect(shown.join('\n')).not.toContain(secretKey);
    await cluster.begin('s3-gone', [phase('LocationDelete', { artifact: `${bucket}/a` })], { profile: 's3' });
    await cluster.outputs('s3-gone');
    expect(existsSync(join(running.s3!.directory, bucket, 'a', 'b', 'kopia.repository'))).toBe(false);

    await cluster.profile('wrong-keys', location, { id: accessKey, secret: 'not-the-secret' });
    await cluster.begin('wrong-keys', [backup('cloud', args)], { profile: 'wrong-keys' });
    expect(await cluster.failure('wrong-keys')).toMatch(/cannot be opened.*(Signature|Access|Forbidden)/is);
  });
});
