import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BackupStorageLocation } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { ScriptedServer, text } from '../scripted-server/index.ts';
import { ServerRecords } from '../../src/main/serve/server-records.ts';
import { servedPocket } from '../served-cluster.ts';

it('tells who tried to change what, also when its log is to say little', { timeout: 60_000 }, async () => {
  await using cluster = await servedPocket();
  const running = await cluster.serve('--log-level', 'error');
  const [record] = new ServerRecords(join(cluster.home.path, 'state')).running();
  const answer = await fetch(`${record!.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ cluster: 'pocket-served', token: 'not-a-token-of-this-cluster' }),
  });
  expect(answer.status).toBe(401);
  running.child.kill('SIGTERM');
  const { code, err } = await running.finished();
  expect(code).toBe(0);
  const lines = err.split('\n').filter((line) => line !== '');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ audit: true, action: 'login', cluster: 'pocket-served', result: 'unauthenticated' }),
  ]);
  expect(err).not.toContain('not-a-token-of-this-cluster');
});

it('reads the files of locations below --credentials-root, and never its own', { timeout: 60_000 }, async () => {
  await using cluster = await servedPocket();
  const store = await ScriptedServer.start();
  try {
    store.always('*', text('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'));
    writeFileSync(
      join(cluster.home.path, 'credentials'),
      '[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=x\n',
    );
    // The server's state is below the root, as it may happen.
    await cluster.serve('--credentials-root', cluster.home.path);
    const seal = join(cluster.home.path, 'state', 'server', 'key');
    expect(readFileSync(seal)).toHaveLength(32);
    const locations = { type: BackupStorageLocation, namespace: 'velero' };
    const phaseWith = async (name: string, config: JsonObject): Promise<string> => {
      const settings = { s3Url: store.url, s3ForcePathStyle: 'true', region: 'r', credentialsFile: 'credentials' };
      await cluster.kube.create(locations, {
        apiVersion: 'velero.io/v1',
        kind: 'BackupStorageLocation',
        metadata: { name, namespace: 'velero' },
        spec: { provider: 'aws', objectStorage: { bucket: 'b' }, config: { ...settings, ...config } },
      });
      return await eventually(async () => {
        const found = await cluster.kube.get({ ...locations, name });
        return textAt(found, 'status', 'phase') ?? expect.fail('it was not looked at yet');
      });
    };
    expect(await phaseWith('thief', { customerKeyEncryptionFile: seal })).toBe('Unavailable');
    expect(store.requests).toEqual([]);
    expect(await phaseWith('honest', {})).toBe('Available');
    expect(store.requests[0]?.headers.authorization).toContain('Credential=AKIAFILE/');
  } finally {
    await store.stop();
  }
});
