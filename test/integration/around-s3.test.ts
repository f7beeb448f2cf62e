import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, BackupStorageLocation, DeleteBackupRequest, DownloadRequest } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { Deletions } from '../../src/control/controllers/delete/deletion.ts';
import { Downloads } from '../../src/control/controllers/download/download-controller.ts';
import { Locations } from '../../src/control/controllers/location/location-controller.ts';
import { Sync } from '../../src/control/controllers/sync/sync-controller.ts';
import { Workbench } from '../around/workbench.ts';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';

const need = needsBed({ clusters: 0, s3: true });
const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const KINDS = { backups: Backup, locations: BackupStorageLocation, deleteRequests: DeleteBackupRequest };
const OTHERS = process.env['HEADWAY_CAMPAIGN'] === '1' ? 100_000 : 3_000;

/** One location in S3, looked at by each controller in turn. */
describe.skipIf(need.missing)(need.title('a location in S3'), () => {
  let b: Bed;
  let cluster: EngineCluster;
  let bench: Workbench;
  let bucket: string;

  const secret = (secretKey: string) => {
    const text = `[default]\naws_access_key_id=${b.s3!.accessKey}\naws_secret_access_key=${secretKey}\n`;
    return { data: { cloud: Buffer.from(text).toString('base64') } };
  };
  const store = (name: string): void => {
    mkdirSync(join(bucket, 'backups', name), { recursive: true });
    const metadata = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name }, status: { phase: 'Completed' } };
    writeFileSync(join(bucket, 'backups', name, 'velero-backup.json'), JSON.stringify(metadata));
    writeFileSync(join(bucket, 'backups', name, `${name}-logs.gz`), `log of ${name}`);
  };
  const check = async () => {
    // A new one forgets when it looked last.
    const locations = new Locations({}, bench.deps, await bench.caches({ locations: BackupStorageLocation }));
    await locations.reconcile(`${NAMESPACE}/s3`, bench.signal);
    const object = await bench.get(BackupStorageLocation, 's3');
    return [textAt(object, 'status', 'phase'), textAt(object, 'status', 'message')];
  };

  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
    cluster = await startCluster();
    bench = new Workbench(cluster);
    bucket = join(b.s3!.directory, b.s3!.bucket);
    const { endpoint, region, secretKey } = b.s3!;
    await bench.kube.create(
      { type: SECRET, namespace: NAMESPACE },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's3' }, ...secret(secretKey) },
    );
    await bench.create(BackupStorageLocation, 's3', {
      spec: {
        provider: 'aws',
        objectStorage: { bucket: b.s3!.bucket },
        config: { region, s3Url: endpoint, s3ForcePathStyle: 'true' },
        credential: { name: 's3', key: 'cloud' },
        backupSyncPeriod: '1s',
      },
    });
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await b[Symbol.asyncDispose]();
  });

  it('is available, also among many other objects', async () => {
    for (let index = 0; index < OTHERS; index += 1) writeFileSync(join(bucket, `other-${index}`), '');
    store('a');
    store('b');
    expect(await check()).toEqual(['Available', undefined]);
  });

  it('gives its backups to the cluster, links to their files, and takes a deleted one away', async () => {
    const sync = new Sync({}, bench.deps, await bench.caches(KINDS));
    await sync.reconcile(`${NAMESPACE}/s3`, bench.signal);
    expect((await bench.list(Backup)).map(({ metadata }) => metadata.name).sort()).toEqual(['a', 'b']);
    const ask = async (name: string, kind: string): Promise<Response> => {
      await bench.create(DownloadRequest, `${name}-${kind.toLowerCase()}`, { spec: { target: { kind, name } } });
      const request = await bench.get(DownloadRequest, `${name}-${kind.toLowerCase()}`);
      await new Downloads({}, bench.deps).reconcile(request, bench.signal);
      const answered = await bench.get(DownloadRequest, request.metadata.name);
      return await fetch(textAt(answered, 'status', 'downloadURL') ?? '');
    };
    expect(await (await ask('a', 'BackupLog')).text()).toBe('log of a');
    expect((await ask('a', 'BackupContents')).status).toBe(404);
    await bench.create(DeleteBackupRequest, 'd', { spec: { backupName: 'a' } });
    for (let turn = 0; turn < 2; turn += 1) {
      const caches = await bench.caches(KINDS);
      await new Deletions(bench.deps, caches).reconcile(`${NAMESPACE}/d`, bench.signal);
    }
    expect((await bench.list(Backup)).map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect((await ask('b', 'BackupLog')).status).toBe(200);
    expect(await bench.list(DeleteBackupRequest)).toEqual([]);
  });

  it('is unavailable with wrong keys, and available as soon as the Secret is mended', async () => {
    const patch = async (key: string) =>
      await bench.kube.patch({ type: SECRET, namespace: NAMESPACE, name: 's3' }, { kind: 'merge', body: secret(key) });
    await patch('wrong');
    const [phase, message] = await check();
    expect(phase).toBe('Unavailable');
    expect(message).toMatch(/SignatureDoesNotMatch|signature|denied/i);
    expect(message).not.toContain('wrong');
    await patch(b.s3!.secretKey);
    expect(await check()).toEqual(['Available', undefined]);
  });

  it('is unavailable without its bucket, and loses no object', async () => {
    renameSync(bucket, `${bucket}-gone`);
    const [phase, message] = await check();
    expect(phase).toBe('Unavailable');
    expect(message).toMatch(/NoSuchBucket|bucket/i);
    // As if it had not been noticed yet.
    await bench.patch(BackupStorageLocation, 's3', { status: { phase: 'Available', lastSyncedTime: null } });
    const sync = new Sync({}, bench.deps, await bench.caches(KINDS));
    for (let turn = 0; turn < 3; turn += 1) {
      bench.now = Date.now() + turn * 60_000;
      await sync.reconcile(`${NAMESPACE}/s3`, bench.signal);
    }
    bench.now = undefined;
    expect((await bench.list(Backup)).map(({ metadata }) => metadata.name)).toEqual(['b']);
    renameSync(`${bucket}-gone`, bucket);
    expect(await check()).toEqual(['Available', undefined]);
  });
});
