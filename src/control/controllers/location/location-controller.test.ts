import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { BackupStorageLocation } from '../../../api/index.ts';
import { isObject, textAt, type JsonObject } from '../../../base/index.ts';
import { Locations } from './location-controller.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function setUp(spec: JsonObject = {}) {
  const bench = new Workbench(cluster);
  const name = Workbench.newName('location');
  const objectStorage = { bucket: name, ...(isObject(spec['objectStorage']) ? spec['objectStorage'] : {}) };
  await bench.create(BackupStorageLocation, name, { spec: { provider: 'headway.io/fs', ...spec, objectStorage } });
  let caches = await bench.caches({ locations: BackupStorageLocation });
  const locations = new Locations({}, bench.deps, {
    get locations() {
      return caches.locations;
    },
  });
  const bucket = join(cluster.directory, 'stores', name);
  return {
    bench,
    name,
    bucket,
    put: (path: string) => {
      mkdirSync(join(bucket, path, '..'), { recursive: true });
      writeFileSync(join(bucket, path), 'x');
    },
    turn: async () => {
      caches = await bench.caches({ locations: BackupStorageLocation });
      return await locations.reconcile(`velero/${name}`, bench.signal);
    },
    status: async () => ((await bench.get(BackupStorageLocation, name))['status'] ?? {}) as JsonObject,
    problem: async () => textAt(await bench.get(BackupStorageLocation, name), 'status', 'message'),
  };
}

describe('a location', () => {
  it('is available when its store answers, and is checked again only when it is time', async () => {
    const { bench, name, turn, status } = await setUp();
    bench.now = Date.parse('2026-05-01T00:00:00Z');
    expect(await turn()).toEqual({ requeueAfterMs: 60_000 });
    expect(await status()).toMatchObject({
      phase: 'Available',
      lastValidationTime: '2026-05-01T00:00:00Z',
      conditions: [{ type: 'Ready', status: 'True' }],
    });
    expect(bench.metrics.get(`velero_backup_location_status_gauge{${name}}`)).toBe(1);
    expect(bench.events.map(({ reason }) => reason)).toEqual(['Available']);
    bench.now += 20_000;
    expect(await turn()).toEqual({ requeueAfterMs: 40_000 });
    expect((await status())['lastValidationTime']).toBe('2026-05-01T00:00:00Z');
    bench.now += 40_000;
    await turn();
    expect((await status())['lastValidationTime']).toBe('2026-05-01T00:01:00Z');
    expect(bench.events).toHaveLength(1);
  });

  it('is checked once also when it shall never be', async () => {
    const { turn, status } = await setUp({ validationFrequency: '0s' });
    expect(await turn()).toBe('done');
    expect((await status())['phase']).toBe('Available');
    expect(await turn()).toBe('done');
  });

  it('is unavailable beside strangers, and available again without them', async () => {
    const { bench, bucket, put, turn, status, problem } = await setUp({ validationFrequency: '1s' });
    put('backups/a/velero-backup.json');
    put('holiday/2020/beach.jpg');
    await turn();
    expect((await status())['phase']).toBe('Unavailable');
    expect(await problem()).toMatch(/invalid top-level directories: holiday/);
    rmSync(join(bucket, 'holiday'), { recursive: true });
    bench.now = Date.now() + 2_000;
    await turn();
    expect((await status())['phase']).toBe('Available');
    expect(await problem()).toBeUndefined();
    expect(bench.events.map(({ type, reason }) => [type, reason])).toEqual([
      ['Warning', 'Unavailable'],
      ['Normal', 'Available'],
    ]);
  });

  it('finds no strangers in a prefix of its own', async () => {
    const { put, turn, status } = await setUp({ objectStorage: { prefix: 'cluster-1' } });
    put('holiday/beach.jpg');
    put('cluster-1/backups/a/velero-backup.json');
    await turn();
    expect((await status())['phase']).toBe('Available');
  });

  it.each<[string, JsonObject, RegExp]>([
    ['an unknown key', { config: { colour: 'blue' } }, /unknown key "colour"/],
    ['a path outside of the root', { config: { path: '/etc' } }, /path: expected one below/],
    ['an unknown provider', { provider: 'azure' }, /expected aws or headway.io\/fs, got "azure"/],
    [
      'a Secret that is not there',
      { provider: 'aws', config: { region: 'x' }, credential: { name: 'nope', key: 'cloud' } },
      /there is no Secret velero\/nope/,
    ],
  ])('says what is wrong with %s, and looks again at once when it is mended', async (_what, spec, message) => {
    const { bench, name, turn, status, problem } = await setUp(spec);
    await turn();
    expect((await status())['phase']).toBe('Unavailable');
    expect(await problem()).toMatch(message);
    const mended = { provider: 'headway.io/fs', config: null, credential: null };
    await bench.patch(BackupStorageLocation, name, { spec: mended });
    await turn();
    expect((await status())['phase']).toBe('Available');
  });

  it('is told by name when nothing listens where it points', async () => {
    const config = { region: 'x', s3Url: 'http://127.0.0.1:1', s3ForcePathStyle: 'true' };
    const { bench, name, turn, status, problem } = await setUp({
      provider: 'aws',
      config,
      credential: { name: Workbench.newName('secret'), key: 'cloud' },
    });
    const secret = textAt(await bench.get(BackupStorageLocation, name), 'spec', 'credential', 'name') ?? '';
    const text = '[default]\naws_access_key_id = a\naws_secret_access_key = b\n';
    await bench.kube.create(
      { type: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, namespace: 'velero' },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: secret },
        data: { cloud: Buffer.from(text).toString('base64') },
      },
    );
    await turn();
    expect(await status()).toMatchObject({ phase: 'Unavailable', conditions: [{ reason: 'Unreachable' }] });
    expect(await problem()).toMatch(/127\.0\.0\.1:1/);
  });

  it('stops being the default when a younger one is', async () => {
    const first = await setUp();
    await first.bench.patch(BackupStorageLocation, 'default', { spec: { default: false } });
    await first.bench.patch(BackupStorageLocation, first.name, { spec: { default: true } });
    // Ages have whole seconds, and of equal ones the last name stays.
    const second = `${first.name}-z`;
    const objectStorage = { bucket: 'x' };
    await first.bench.create(BackupStorageLocation, second, {
      spec: { provider: 'headway.io/fs', objectStorage, default: true },
    });
    await first.turn();
    expect((await first.bench.get(BackupStorageLocation, first.name))['spec']).toMatchObject({ default: false });
    expect((await first.bench.get(BackupStorageLocation, second))['spec']).toMatchObject({ default: true });
    expect(first.bench.events.map(({ reason }) => reason)).toEqual(['DefaultChanged']);
  });
});
