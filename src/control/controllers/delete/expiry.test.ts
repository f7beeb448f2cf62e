import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workbench } from '../../../../test/around/workbench.ts';
import { startCluster, type EngineCluster } from '../../../../test/engine/engine.ts';
import { Backup, BackupStorageLocation, DeleteBackupRequest } from '../../../api/index.ts';
import { objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import type { StoreLimits } from '../../../edge/store/index.ts';
import { LIST_LIMITS } from '../../../edge/store/list-budget.ts';
import { Expiry } from './expiry.ts';
import { Leftovers } from './leftovers.ts';

let cluster: EngineCluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

// An hour ago by any clock: the server's own clock is checked as well.
const END = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
const EXPIRATION = new Date(END).toISOString().replace('.000Z', 'Z');
const KINDS = { backups: Backup, locations: BackupStorageLocation, deleteRequests: DeleteBackupRequest };

async function newLocation(bench: Workbench, spec: JsonObject = {}, phase = 'Available'): Promise<string> {
  const name = Workbench.newName('loc');
  await bench.create(BackupStorageLocation, name, {
    spec: { provider: 'headway.io/fs', objectStorage: { bucket: name }, ...spec },
    status: { phase },
  });
  return name;
}

describe('an expired backup', () => {
  async function setUp(location: string | undefined, status: JsonObject = {}) {
    const bench = new Workbench(cluster);
    const name = Workbench.newName('b');
    await bench.create(Backup, name, {
      spec: { storageLocation: location ?? (await newLocation(bench)) },
      status: { phase: 'Completed', expiration: EXPIRATION, ...status },
    });
    return {
      bench,
      name,
      turn: async (now: number) => {
        bench.now = now;
        return await new Expiry(bench.deps, await bench.caches(KINDS)).reconcile(`velero/${name}`, bench.signal);
      },
      requests: async () =>
        (await bench.list(DeleteBackupRequest)).filter((one) => textAt(one, 'spec', 'backupName') === name),
      label: async () => (await bench.get(Backup, name)).metadata.labels?.['velero.io/gc-failure'],
    };
  }

  it('is asked to be deleted, once', async () => {
    const { bench, name, turn, requests } = await setUp(undefined);
    expect(await turn(END - 1_000)).toEqual({ requeueAfterMs: 1_000 });
    expect(await requests()).toEqual([]);
    await turn(END);
    await turn(END + 1_000);
    const [request, ...others] = await requests();
    expect(others).toEqual([]);
    expect(request?.metadata.labels?.['velero.io/backup-name']).toBe(name);
    expect(bench.events.map(({ reason }) => reason)).toEqual(['Expired']);
  });

  it('is asked for again an hour after it was refused', async () => {
    const { bench, turn, requests } = await setUp(undefined);
    await turn(END);
    const first = (await requests())[0];
    await bench.patch(DeleteBackupRequest, first?.metadata.name ?? '', {
      status: { phase: 'Processed', errors: ['x'] },
    });
    const made = Date.parse(first?.metadata.creationTimestamp ?? '');
    expect(await turn(made + 3_599_000)).toEqual({ requeueAfterMs: 1_000 });
    await turn(made + 3_600_000);
    expect(await requests()).toEqual([]);
    await turn(made + 3_601_000);
    expect(await requests()).toHaveLength(1);
  });

  it.each([
    ['InProgress', EXPIRATION],
    ['Completed', '2126-06-01T00:00:00Z'],
    ['Completed', undefined],
  ])('is not one that is %s and ends at %s', async (phase, expiration) => {
    const { turn, requests } = await setUp(undefined, { phase, expiration: expiration ?? null });
    await turn(END + 1_000);
    expect(await requests()).toEqual([]);
  });

  it('stays with the reason on it while its location is gone or read-only, and waits while it is away', async () => {
    const gone = await setUp('nowhere');
    await gone.turn(END);
    expect(await gone.label()).toBe('BSLNotFound');
    expect(await gone.requests()).toEqual([]);
    const bench = new Workbench(cluster);
    const readOnly = await newLocation(bench, { accessMode: 'ReadOnly' });
    const kept = await setUp(readOnly);
    await kept.turn(END);
    expect(await kept.label()).toBe('BSLReadOnly');
    await bench.patch(BackupStorageLocation, readOnly, { spec: { accessMode: 'ReadWrite' } });
    await kept.turn(END);
    expect(await kept.label()).toBeUndefined();
    expect(await kept.requests()).toHaveLength(1);
    const away = await setUp(await newLocation(bench, {}, 'Unavailable'));
    expect(await away.turn(END)).toEqual({ requeueAfterMs: 60_000 });
    expect([await away.label(), await away.requests()]).toEqual([undefined, []]);
  });

  it('stays while only our clock says that it has expired', async () => {
    const { bench, turn, requests, label } = await setUp(undefined, { expiration: '2126-06-01T00:00:00Z' });
    const jumped = Date.parse('2126-06-01T00:00:01Z');
    expect(await turn(jumped)).toEqual({ requeueAfterMs: 600_000 });
    await turn(jumped);
    expect([await label(), await requests()]).toEqual(['ClockAhead', []]);
    expect(bench.events.map(({ reason }) => reason)).toEqual(['ClockAhead']);
    await turn(Date.now());
    expect([await label(), await requests()]).toEqual([undefined, []]);
  });

  it('goes in spite of its location when it was refused and has no files there', async () => {
    const refused = await setUp('nowhere', { phase: 'FailedValidation', validationErrors: ['no such location'] });
    await refused.turn(END);
    expect([await refused.label(), (await refused.requests()).length]).toEqual([undefined, 1]);
  });
});

describe('a folder without metadata', () => {
  async function setUp(spec: JsonObject = {}, limits: Partial<StoreLimits> = {}) {
    const bench = new Workbench(cluster, limits);
    const location = await newLocation(bench, spec);
    const bucket = join(cluster.directory, 'stores', location);
    const put = (backup: string, file: string, hoursOld: number): void => {
      mkdirSync(join(bucket, 'backups', backup), { recursive: true });
      const path = join(bucket, 'backups', backup, file);
      writeFileSync(path, 'x');
      const at = Date.now() / 1000 - hoursOld * 3600;
      utimesSync(path, at, at);
    };
    return {
      bench,
      bucket,
      put,
      condition: async () => {
        const object = await bench.get(BackupStorageLocation, location);
        return objectsAt(object, 'status', 'conditions').find(({ type }) => type === 'LeftoversRemoved');
      },
      sweep: async () => {
        const leftovers = new Leftovers(bench.deps, await bench.caches(KINDS));
        return await leftovers.reconcile(`velero/${location}`, bench.signal);
      },
      has: (backup: string) => existsSync(join(bucket, 'backups', backup)),
    };
  }

  it('is removed when nothing was written to it for a day and no backup has its name', async () => {
    const { bench, put, sweep, has } = await setUp();
    const [old, young, whole, owned, doomed] = ['a', 'b', 'c', 'd', 'e'].map((part) => Workbench.newName(part)) as [
      string,
      string,
      string,
      string,
      string,
    ];
    put(old, `${old}.tar.gz`, 25);
    put(young, `${young}.tar.gz`, 25);
    put(young, `${young}-logs.gz`, 23);
    put(whole, 'velero-backup.json', 50);
    put(owned, `${owned}-logs.gz`, 50);
    put(doomed, `${doomed}.tar.gz`, 50);
    await bench.create(Backup, owned, { spec: {}, status: { phase: 'Failed' } });
    await bench.create(DeleteBackupRequest, doomed, { spec: { backupName: doomed } });
    expect(await sweep()).toEqual({ requeueAfterMs: 3_600_000 });
    expect([old, young, whole, owned, doomed].map(has)).toEqual([false, true, true, true, true]);
  });

  it('whose listing has no end is told in a condition of the location, and not asked for again at once', async () => {
    const { bucket, put, sweep, has, condition } = await setUp({}, { list: { ...LIST_LIMITS, entries: 3 } });
    const full = Workbench.newName('full');
    for (const file of ['1', '2', '3', '4']) put(full, file, 25);
    expect(await sweep()).toEqual({ requeueAfterMs: 3_600_000 });
    expect(await condition()).toMatchObject({
      status: 'False',
      reason: 'TooLarge',
      message: expect.stringContaining('expected at most 3 entries') as string,
    });
    rmSync(bucket, { recursive: true });
    expect(await sweep()).toEqual({ requeueAfterMs: 3_600_000 });
    expect([has(full), await condition()]).toEqual([false, undefined]);
  });

  it('stays when it is old only by our clock, which was set forward', async () => {
    const { bench, put, sweep, has } = await setUp();
    const young = Workbench.newName('young');
    put(young, `${young}.tar.gz`, 2);
    bench.now = Date.now() + 100 * 3_600_000;
    await sweep();
    expect(has(young)).toBe(true);
  });

  it('stays in a read-only location', async () => {
    const { put, sweep, has } = await setUp({ accessMode: 'ReadOnly' });
    put('old', 'old.tar.gz', 100);
    expect(await sweep()).toBe('done');
    expect(has('old')).toBe(true);
  });
});
