import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { verifyBackup, type Verification } from '../../src/control/controllers/backup/index.ts';
import { createRestoreController, planOfRestore } from '../../src/control/controllers/restore/index.ts';
import { SHORT_STEP_MS, watchingLoop } from '../event-loop.ts';
import { paxBomb, TAR_END, tarEntry } from '../hostile-tar.ts';
import { CONFIG_MAP, listAll } from './cluster-objects.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { configMap, storeArchive } from './stored-backup.ts';

let cluster: EngineCluster;
let engine: Engine;

beforeAll(async () => {
  cluster = await startCluster();
  engine = await startEngine(cluster, {
    controllers: (deps, caches) => createRestoreController({}, deps, caches).parts,
  });
}, 60_000);

afterAll(async () => {
  await engine.stop();
  await cluster[Symbol.asyncDispose]();
});

/** A backup with one item, in an archive of that version, whose status, in the store and in the cluster, is this. */
async function store(name: string, version: string, status: JsonObject = {}): Promise<void> {
  const { object } = configMap('app', name);
  const item = tarEntry(`resources/configmaps/namespaces/app/${name}.json`, Buffer.from(JSON.stringify(object)));
  const tar = Buffer.concat([tarEntry('metadata/version', Buffer.from(`${version}\n`)), item, TAR_END]);
  await storeArchive(cluster, name, gzipSync(tar));
  const target = { type: Backup, namespace: NAMESPACE, name };
  const backup = await cluster.kube.patch(target, { kind: 'merge', body: { status } });
  put(name, 'velero-backup.json', JSON.stringify(backup));
  put(name, `${name}-resource-list.json.gz`, gzipSync(JSON.stringify({ 'v1/ConfigMap': [`app/${name}`] })));
}

function put(name: string, file: string, bytes: string | Uint8Array): void {
  writeFileSync(join(cluster.bucket, 'backups', name, file), bytes);
}

async function restored(name: string): Promise<Restore['status']> {
  await request(cluster.kube, Restore, name, { spec: { backupName: name } });
  return Restore.parse(await ended(cluster.kube, Restore, name)).value.status;
}

async function plan(name: string) {
  const restore = { apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name }, spec: { backupName: name } };
  return await planOfRestore(restore, engine.deps, {}, AbortSignal.timeout(30_000));
}

async function verified(name: string): Promise<Verification> {
  const folder = mkdtempSync(join(tmpdir(), 'headway-verify-'));
  try {
    const { store: opened } = await engine.deps.stores.open('default', AbortSignal.timeout(10_000));
    return await verifyBackup(opened, name, { spoolPath: join(folder, 'spool'), signal: AbortSignal.timeout(30_000) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isThere = async (name: string): Promise<boolean> =>
  (await listAll(cluster.kube, 'v1', CONFIG_MAP.kind, 'app')).some(({ metadata }) => metadata.name === name);

describe('a backup of a format version', () => {
  it.each<[string, JsonObject]>([
    ['major-text', { version: 1, formatVersion: '9.9.9' }],
    ['major-number', { version: 99 }],
  ])('that is newer by a major one is refused: %s', async (name, status) => {
    await store(name, '1.1.0', status);
    const { phase, validationErrors } = await restored(name);
    const why = expect.stringContaining('newer than 1.1.0') as string;
    expect({ phase, validationErrors }).toEqual({ phase: 'FailedValidation', validationErrors: [why] });
    expect((await plan(name)).validationErrors).toEqual([why]);
    expect(await verified(name)).toMatchObject({ ok: false, problems: [why] });
    expect(await isThere(name)).toBe(false);
  });

  it('that only its archive tells is refused before anything is created', async () => {
    await store('major-inside', '2.0.0');
    const { phase, failureReason } = await restored('major-inside');
    expect([phase, failureReason]).toEqual(['Failed', expect.stringContaining('newer than 1.1.0')]);
    await expect(plan('major-inside')).rejects.toMatchObject({ code: 'unsupported' });
    expect(await verified('major-inside')).toMatchObject({ ok: false });
    expect(await isThere('major-inside')).toBe(false);
  });

  it('that is newer by a minor one is restored with one warning', async () => {
    await store('minor', '1.2.0', { version: 1, formatVersion: '1.2.0' });
    const why = expect.stringContaining('newer than 1.1.0') as string;
    expect((await plan('minor')).warnings).toEqual([why]);
    expect(await verified('minor')).toMatchObject({ ok: true, warnings: [why] });
    const { phase, warnings } = await restored('minor');
    expect([phase, warnings]).toEqual(['Completed', 1]);
    expect(await isThere('minor')).toBe(true);
  });

  it('that is ours is restored and verified without a word', async () => {
    await store('ours', '1.1.0', { version: 1, formatVersion: '1.1.0' });
    expect(await verified('ours')).not.toHaveProperty('warnings');
    expect(await restored('ours')).toMatchObject({ phase: 'Completed', warnings: 0 });
  });
});

it('a restore from the archive that once stopped everything fails, and nobody waits for it', async () => {
  await storeArchive(cluster, 'pax', gzipSync(paxBomb()));
  const { result, stepMs } = await watchingLoop(() => restored('pax'));
  expect([result.phase, result.failureReason]).toEqual(['Failed', expect.stringContaining('got pax global header')]);
  expect(stepMs).toBeLessThan(SHORT_STEP_MS);
});

it.each<[string, string, (name: string) => Promise<unknown>]>([
  ['a resource list', '-resource-list.json.gz', verified],
  ['volume facts', '-volumeinfo.json.gz', restored],
])('%s that was made to cost much is refused, and nobody waits for it', async (_, ending, act) => {
  const name = `costly${ending.split('.')[0] ?? ''}`;
  await store(name, '1.1.0');
  put(name, `${name}${ending}`, gzipSync(`[${'{"a":[]},'.repeat(5_000_000)}{}]`));
  const { result, stepMs } = await watchingLoop(() => act(name));
  expect(JSON.stringify(result)).toMatch(/expected at most \d+ values/);
  expect(stepMs).toBeLessThan(SHORT_STEP_MS);
});
