import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  BackupStorageLocation,
  DeleteBackupRequest,
  MIGRATION_NAMESPACE,
  Restore,
  Schedule,
} from '../../src/api/index.ts';
import { AppError, NO_LOG, objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import { watchKinds, type Caches } from '../../src/control/controllers/caches.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { Workbench } from '../around/workbench.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';

const PROGRAM = new URL('around-process.ts', import.meta.url).pathname;
const isCampaign = process.env['HEADWAY_CAMPAIGN'] === '1';
const KILLS = isCampaign ? 30 : 2;
const MANY = isCampaign ? 2000 : 60;
/** A landing must not depend on luck. */
const random = isCampaign ? Math.random : () => 0.5;
const WITHIN = { withinMs: 90_000 };
const TIMEOUT = { timeout: 120_000 + KILLS * 30_000 };

let cluster: EngineCluster;
let bench: Workbench;
let caches: Caches;
const stop = new AbortController();
let watching: Promise<unknown>;

beforeAll(async () => {
  cluster = await startCluster();
  bench = new Workbench(cluster);
  await bench.patch(BackupStorageLocation, 'default', { spec: { backupSyncPeriod: '1s', validationFrequency: '1s' } });
  const watched = watchKinds(
    { velero: NAMESPACE, migration: MIGRATION_NAMESPACE },
    { kube: cluster.kube, clock: systemClock, log: NO_LOG, random: Math.random },
  );
  caches = watched.caches;
  watching = Promise.all(watched.reflectors.map((reflector) => reflector.run(stop.signal)));
});
afterAll(async () => {
  stop.abort(new AppError('canceled', 'the test is over'));
  await watching;
  await cluster[Symbol.asyncDispose]();
});

async function start(): Promise<ChildProcess> {
  const args = [PROGRAM, cluster.kubeconfig, cluster.directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Kills it again and again after some work, of which `done` tells how much there was, then lets it end its work. */
async function killAndFinish(done: () => number, all: number, isFinished: () => void | Promise<void>): Promise<void> {
  for (let round = 1; round <= KILLS; round += 1) {
    const child = await start();
    // Not a time but an amount of work, so that a slow machine kills in the middle of it too.
    const enough = Math.min(all - 1, done() + 1 + Math.floor(random() * (all / (KILLS + 1))));
    await eventually(() => {
      if (done() < enough) throw new Error(`${done()} of ${all} are done, ${enough} wanted`);
    }, WITHIN);
    await kill(child);
  }
  const child = await start();
  try {
    await eventually(isFinished, WITHIN);
  } finally {
    await kill(child);
  }
}

function store(name: string, status: JsonObject = {}): void {
  const folder = join(cluster.bucket, 'backups', name);
  mkdirSync(folder, { recursive: true });
  const metadata = { name, labels: { from: 'elsewhere' } };
  const object = {
    apiVersion: 'velero.io/v1',
    kind: 'Backup',
    metadata,
    spec: {},
    status: { phase: 'Completed', ...status },
  };
  for (const file of [`${name}.tar.gz`, `${name}-logs.gz`, `${name}-results.gz`])
    writeFileSync(join(folder, file), 'x');
  writeFileSync(join(folder, 'velero-backup.json'), JSON.stringify(object));
}

/** A kill between the last file and its folder leaves an empty folder, which is no object of a store. */
const inStore = (): string[] => {
  const backups = join(cluster.bucket, 'backups');
  return readdirSync(backups)
    .filter((name) => filesBelow(join(backups, name)).length > 0)
    .sort();
};
const inCluster = async (): Promise<string[]> => (await bench.list(Backup)).map(({ metadata }) => metadata.name).sort();
const condition = async (type: string): Promise<JsonObject | undefined> =>
  objectsAt(await bench.get(BackupStorageLocation, 'default'), 'status', 'conditions').find(
    (one) => one['type'] === type,
  );

describe('what is around the engine, killed with SIGKILL', () => {
  const names = Array.from({ length: MANY }, (_, index) => `b-${String(index).padStart(4, '0')}`);
  const [doomed, expired, kept] = [0, 1, 2].map((rest) => names.filter((_, index) => index % 3 === rest)) as [
    string[],
    string[],
    string[],
  ];

  it('imports every backup once', TIMEOUT, async () => {
    for (const name of names) store(name);
    await killAndFinish(
      () => caches.backups.size,
      names.length,
      async () => {
        expect(await inCluster()).toEqual(names);
      },
    );
    expect(inStore()).toEqual(names);
    const imported = await bench.list(Backup);
    expect(imported.every((one) => textAt(one, 'status', 'phase') === 'Completed')).toBe(true);
    expect(imported.every((one) => textAt(one, 'spec', 'storageLocation') === 'default')).toBe(true);
  });

  it('deletes what it was asked to and what has expired, whole, and nothing else', TIMEOUT, async () => {
    for (const name of doomed) {
      await bench.create(Restore, `r-${name}`, { spec: { backupName: name }, status: { phase: 'Completed' } });
      mkdirSync(join(cluster.bucket, 'restores', `r-${name}`), { recursive: true });
      writeFileSync(join(cluster.bucket, 'restores', `r-${name}`, `restore-r-${name}-logs.gz`), 'x');
      await bench.create(DeleteBackupRequest, `d-${name}`, { spec: { backupName: name } });
    }
    for (const name of expired) await bench.patch(Backup, name, { status: { expiration: '2020-01-01T00:00:00Z' } });
    for (const name of kept) await bench.patch(Backup, name, { status: { expiration: '2126-01-01T00:00:00Z' } });
    await killAndFinish(
      () => names.length - caches.backups.size,
      doomed.length + expired.length,
      async () => {
        expect(await inCluster()).toEqual(kept);
        expect(await bench.list(DeleteBackupRequest)).toEqual([]);
      },
    );
    expect(inStore()).toEqual(kept);
    for (const name of kept) expect(readdirSync(join(cluster.bucket, 'backups', name))).toHaveLength(4);
    expect(await bench.list(Restore)).toEqual([]);
    expect(filesBelow(join(cluster.bucket, 'restores'))).toEqual([]);
  });

  it('makes one backup for each run of a schedule', TIMEOUT, async () => {
    await bench.create(Schedule, 'often', {
      spec: { schedule: '@every 2s', template: { storageLocation: 'default' } },
    });
    const made = () =>
      [...caches.backups.values()].filter(({ metadata }) => metadata.labels?.['velero.io/schedule-name'] === 'often');
    // Nobody runs them here, so each is ended by hand.
    const end = async (): Promise<void> => {
      for (const { metadata, ...rest } of made()) {
        if (textAt(rest['status'], 'phase') !== undefined) continue;
        await bench.patch(Backup, metadata.name, { status: { phase: 'Failed' } });
      }
    };
    for (let round = 1; round <= KILLS; round += 1) {
      const child = await start();
      await eventually(async () => {
        await end();
        if (made().length < round * 2) throw new Error(`${made().length} backups so far`);
      }, WITHIN);
      await kill(child);
    }
    const runs = made().map((backup) => textAt(backup, 'status', 'scheduledFor'));
    expect(new Set(runs).size).toBe(runs.length);
    await bench.kube.delete({ type: Schedule, namespace: NAMESPACE, name: 'often' });
  });

  it('loses no object while the store is empty or somebody else’s, and goes on when it is back', TIMEOUT, async () => {
    const child = await start();
    const aside = `${cluster.bucket}-aside`;
    const before = await inCluster();
    try {
      renameSync(cluster.bucket, aside);
      await eventually(async () => {
        expect(await condition('RemovalHeld')).toMatchObject({ status: 'True', reason: 'MoreThanHalfMissing' });
      }, WITHIN);
      expect(await inCluster()).toEqual(before);
      mkdirSync(join(cluster.bucket, 'somebody-elses'), { recursive: true });
      writeFileSync(join(cluster.bucket, 'somebody-elses', 'file'), 'x');
      await eventually(async () => {
        const location = await bench.get(BackupStorageLocation, 'default');
        expect(textAt(location, 'status', 'phase')).toBe('Unavailable');
        expect(textAt(location, 'status', 'message')).toMatch(/somebody-elses/);
      }, WITHIN);
      renameSync(cluster.bucket, `${cluster.bucket}-strange`);
      renameSync(aside, cluster.bucket);
      await eventually(async () => {
        expect(textAt(await bench.get(BackupStorageLocation, 'default'), 'status', 'phase')).toBe('Available');
        expect(await condition('RemovalHeld')).toBeUndefined();
      }, WITHIN);
      expect(await inCluster()).toEqual(before);
    } finally {
      await kill(child);
    }
  });
});
