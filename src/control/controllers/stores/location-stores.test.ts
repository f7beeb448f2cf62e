import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { BackupStorageLocation } from '../../../api/index.ts';
import { NO_LOG, type JsonObject } from '../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import { LocationStores } from './location-stores.ts';

const SECRETS = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };
const LOCATIONS = { type: BackupStorageLocation, namespace: 'velero' };
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headway-stores-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

function newStores() {
  const cluster = new ScriptedCluster(new FakeClock());
  const kube = cluster as unknown as KubeClient;
  const stores = new LocationStores({ kube, namespace: 'velero', store: { log: NO_LOG, fsRoot: root, env: {} } });
  return { cluster, stores };
}

const location = (spec: JsonObject): KubeObject => ({
  apiVersion: 'velero.io/v1',
  kind: 'BackupStorageLocation',
  metadata: { name: 'default', namespace: 'velero' },
  spec,
});
const secret = (name: string, data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'velero' },
  data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});
const FS = { provider: 'headway.io/fs', objectStorage: { bucket: 'b' }, config: { path: 'p' } };
const S3 = {
  provider: 'aws',
  objectStorage: { bucket: 'b' },
  config: { region: 'r', s3Url: 'http://127.0.0.1:9', s3ForcePathStyle: 'true' },
};
const INI = '[default]\naws_access_key_id=a\naws_secret_access_key=verysecret\n';

describe('the stores of locations', () => {
  it('stay open until the location changes', async () => {
    const { cluster, stores } = newStores();
    await cluster.create(LOCATIONS, location(FS));
    const first = await stores.open('default');
    expect((await stores.open('default')).store).toBe(first.store);
    const named = { ...LOCATIONS, name: 'default' };
    await cluster.patch(named, { kind: 'merge', body: { status: { phase: 'Available' } } });
    expect((await stores.open('default')).store).toBe(first.store);
    await cluster.patch(named, { kind: 'merge', body: { spec: { objectStorage: { prefix: 'elsewhere' } } } });
    expect((await stores.open('default')).store).not.toBe(first.store);
    stores.close();
  });

  it('tell those who use them when the location changes or goes', async () => {
    const { cluster, stores } = newStores();
    const named = { ...LOCATIONS, name: 'default' };
    await cluster.create(LOCATIONS, location(FS));
    const first = await stores.open('default');
    expect(first.changed.aborted).toBe(false);
    await cluster.patch(named, { kind: 'merge', body: { spec: { config: { path: '../out' } } } });
    await expect(stores.open('default')).rejects.toMatchObject({ code: 'invalidConfig' });
    expect(first.changed.reason).toMatchObject({ code: 'canceled' });
    await cluster.patch(named, { kind: 'merge', body: { spec: { config: { path: 'p' } } } });
    const second = await stores.open('default');
    stores.forget('default');
    expect(second.changed.aborted).toBe(true);
    const third = await stores.open('default');
    stores.close();
    expect(third.changed.aborted).toBe(true);
  });

  it('are closed when nobody uses them any more, and not while somebody does', async () => {
    const { cluster, stores } = newStores();
    await cluster.create({ type: SECRETS, namespace: 'velero' }, secret('s3', { cloud: INI }));
    await cluster.create(LOCATIONS, location({ ...S3, credential: { name: 's3', key: 'cloud' } }));
    const [first, second] = [await stores.open('default'), await stores.open('default')];
    let closed = 0;
    const close = first.store.close.bind(first.store);
    first.store.close = () => {
      closed += 1;
      close();
    };
    const body = { data: { cloud: Buffer.from(INI.replace('verysecret', 'another')).toString('base64') } };
    await cluster.patch({ type: SECRETS, namespace: 'velero', name: 's3' }, { kind: 'merge', body });
    using third = await stores.open('default');
    expect(third.store).not.toBe(first.store);
    expect(closed).toBe(0);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(closed).toBe(0);
    second[Symbol.dispose]();
    expect(closed).toBe(1);
    stores.close();
  });

  it('are one, also for those who ask at the same time', async () => {
    const { cluster, stores } = newStores();
    await cluster.create(LOCATIONS, location(FS));
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => stores.open('default')));
    for (const { store } of others) expect(store).toBe(first?.store);
    stores.close();
  });

  it('are opened again when a credential changed', async () => {
    const { cluster, stores } = newStores();
    await cluster.create({ type: SECRETS, namespace: 'velero' }, secret('s3', { cloud: INI }));
    await cluster.create(LOCATIONS, location({ ...S3, credential: { name: 's3', key: 'cloud' } }));
    const first = await stores.open('default');
    const body = { data: { cloud: Buffer.from(INI.replace('verysecret', 'another')).toString('base64') } };
    await cluster.patch({ type: SECRETS, namespace: 'velero', name: 's3' }, { kind: 'merge', body });
    expect((await stores.open('default')).store).not.toBe(first.store);
    stores.close();
  });

  it('take the Secret that Velero was installed with when the location names none', async () => {
    const { cluster, stores } = newStores();
    await cluster.create(
      { type: SECRETS, namespace: 'velero' },
      secret('cloud-credentials', { cloud: 'no ini at all' }),
    );
    await cluster.create(LOCATIONS, location(S3));
    await expect(stores.open('default')).rejects.toMatchObject({ code: 'invalidConfig' });
  });

  it('say which Secret or key is missing, and no more', async () => {
    const { cluster, stores } = newStores();
    await cluster.create(LOCATIONS, location({ ...S3, credential: { name: 's3', key: 'cloud' } }));
    await expect(stores.open('default')).rejects.toThrow('credential of the location: there is no Secret velero/s3');
    await cluster.create({ type: SECRETS, namespace: 'velero' }, secret('s3', { other: 'verysecret' }));
    const problem = await stores.open('default').catch((error: unknown) => String(error));
    expect(problem).toContain('Secret velero/s3 has no key cloud, it has other');
    expect(problem).not.toContain('verysecret');
  });

  it('are not found for a location that is not there', async () => {
    const { stores } = newStores();
    await expect(stores.open('nowhere')).rejects.toMatchObject({ code: 'notFound' });
  });
});
