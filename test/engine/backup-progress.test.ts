import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { AppError, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { KubeClient, ListOptions, Page, Target } from '../../src/edge/kube/index.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf, SECRETS } from '../kube-kinds.ts';
import { BackupFiles } from './backup-files.ts';
import {
  createLocation,
  ended,
  NAMESPACE,
  request,
  startCluster,
  startEngine,
  type Engine,
  type EngineCluster,
} from './engine.ts';

const OBJECTS = 400;
const ENDED = ['Completed', 'PartiallyFailed', 'Failed'];
let cluster: EngineCluster;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'many'));
  const make = async (from: number) => {
    for (let at = from; at < OBJECTS; at += 10) {
      await cluster.kube.create({ type: CONFIG_MAPS, namespace: 'many' }, objectOf(CONFIG_MAPS, `m${String(at)}`));
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, from) => make(from)));
  await cluster.kube.create({ type: SECRETS, namespace: 'many' }, objectOf(SECRETS, 's'));
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

type Lists = (target: Target, options: ListOptions | undefined) => AsyncIterable<Page>;

async function start(list: Lists = (...args) => cluster.kube.list(...args)): Promise<Engine> {
  const kube: KubeClient = { ...cluster.kube, list };
  return await startEngine(cluster, {
    kube,
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
}

/** Every state of a backup that a watcher sees, until it ends. */
async function watched(name: string): Promise<{ at: number; status: JsonObject }[]> {
  const seen: { at: number; status: JsonObject }[] = [];
  const target = { type: Backup, namespace: NAMESPACE };
  const signal = AbortSignal.timeout(60_000);
  for await (const event of cluster.kube.watch(target, { signal, fieldSelector: `metadata.name=${name}` })) {
    if (event.type === 'BOOKMARK') continue;
    const status = (event.object['status'] ?? {}) as JsonObject;
    seen.push({ at: Date.now(), status });
    if (ENDED.includes(textAt(status, 'phase') ?? '')) return seen;
  }
  throw new Error('the watch ended before the backup');
}

const isSorted = (numbers: number[]): boolean => numbers.every((one, at) => at === 0 || one >= (numbers[at - 1] ?? 0));

describe('the progress of a backup, seen from outside', () => {
  it('is monotone, fresh, never silent and never 100 before the end', async () => {
    // A server that takes a while for each page.
    const slowly: Lists = async function* (target, options) {
      const isMany = target.type.kind === 'ConfigMap';
      for await (const page of cluster.kube.list(target, isMany ? { ...options, limit: 20 } : options)) {
        if (isMany) await delay(200);
        yield page;
      }
    };
    await using _engine = await start(slowly);
    const watching = watched('steady');
    await request(cluster.kube, Backup, 'steady', { spec: { includedNamespaces: ['many'] } });
    const seen = await watching;
    const running = seen.filter(({ status }) => status['phase'] === 'InProgress');
    const numbers = (field: string): number[] =>
      running.flatMap(({ status }) => {
        const value = valueAt(status, 'progress', field);
        return typeof value === 'number' ? [value] : [];
      });
    expect(numbers('itemsBackedUp').length).toBeGreaterThan(2);
    expect(isSorted(numbers('itemsBackedUp'))).toBe(true);
    expect(isSorted(numbers('percent'))).toBe(true);
    expect(Math.max(...numbers('percent'))).toBeLessThan(100);
    const gaps = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(2000);
    const totals = numbers('totalItems');
    expect(Math.max(...totals)).toBeLessThanOrEqual(OBJECTS + 10);
    expect(Math.min(...totals)).toBeGreaterThan(0);
    const last = seen.at(-1)?.status ?? {};
    expect(last).toMatchObject({ phase: 'Completed', progress: { percent: 100, itemsBackedUp: OBJECTS + 4 } });
    expect(valueAt(last, 'progress', 'totalItems')).toBe(OBJECTS + 4);
    const stages = (last['stages'] as { stage: string }[]).map(({ stage }) => stage);
    expect(stages).toEqual(['discovering', 'listing', 'archiving', 'uploading', 'finalizing']);
  }, 60_000);
});

describe('the percent of a backup', () => {
  it('is zero while the kinds are counted, with what was found so far', async () => {
    const slowly: Lists = async function* (target, options) {
      for await (const page of cluster.kube.list(target, options)) {
        await delay(400);
        yield page;
      }
    };
    await using _engine = await start(slowly);
    const watching = watched('counted');
    await request(cluster.kube, Backup, 'counted', { spec: { includedNamespaces: ['many'] } });
    const listing = (await watching).filter(({ status }) => valueAt(status, 'progress', 'stage') === 'listing');
    const last = listing.at(-1)?.status ?? {};
    expect(valueAt(last, 'progress', 'percent')).toBe(0);
    expect(valueAt(last, 'progress', 'totalItems')).toBeGreaterThan(0);
    await ended(cluster.kube, Backup, 'counted');
  }, 60_000);

  it('is there from the first archived item on, whatever a kind cannot be asked', async () => {
    const awkward: Lists = async function* (target, options) {
      if (target.type.kind === 'Secret') throw new AppError('forbidden', 'secrets is forbidden');
      const isMany = target.type.kind === 'ConfigMap';
      for await (const page of cluster.kube.list(
        target,
        isMany ? { ...options, limit: 40, firstLimit: 20 } : options,
      )) {
        if (isMany) await delay(200);
        // Extension servers count nothing.
        const { remaining: _remaining, ...uncounted } = page;
        yield isMany && page.remaining !== 0 ? uncounted : page;
      }
    };
    await using _engine = await start(awkward);
    const watching = watched('awkward');
    await request(cluster.kube, Backup, 'awkward', { spec: { includedNamespaces: ['many'] } });
    const seen = await watching;
    const archiving = seen.filter(({ status }) => valueAt(status, 'progress', 'stage') === 'archiving');
    expect(archiving.length).toBeGreaterThan(1);
    const percents = archiving.map(({ status }) => valueAt(status, 'progress', 'percent'));
    expect(percents.filter((one) => typeof one !== 'number')).toEqual([]);
    expect(isSorted(percents as number[])).toBe(true);
    expect(seen.at(-1)?.status).toMatchObject({ phase: 'PartiallyFailed', progress: { percent: 99 } });
  }, 60_000);
});

describe('a cluster or a store in trouble', () => {
  it('costs a kind that cannot be listed one clear line, and nothing else', async () => {
    await using _engine = await start((target, options) => {
      if (target.type.kind === 'Secret') throw new AppError('forbidden', 'secrets is forbidden');
      return cluster.kube.list(target, options);
    });
    await request(cluster.kube, Backup, 'forbidden', { spec: { includedNamespaces: ['many'] } });
    const backup = await ended(cluster.kube, Backup, 'forbidden');
    expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 1, progress: { percent: 99 } });
    const files = new BackupFiles(cluster, 'forbidden');
    const line = 'secrets in namespace many could not be listed and are not in the backup: secrets is forbidden';
    expect(files.json('-results.gz')).toMatchObject({ errors: { namespaces: { many: [line] } } });
    expect(files.list()['v1/ConfigMap']).toHaveLength(OBJECTS);
    expect(files.log()).toContain('level=error');
  });

  it('costs nothing when it passes', async () => {
    let failures = 0;
    const shaky: Lists = async function* (target, options) {
      for await (const page of cluster.kube.list(target, { ...options, limit: 150 })) {
        yield page;
        if (target.type.kind !== 'ConfigMap' || failures === 2) continue;
        failures += 1;
        throw new AppError('serverError', 'etcd has no leader');
      }
    };
    await using _engine = await start(shaky);
    await request(cluster.kube, Backup, 'shaky', { spec: { includedNamespaces: ['many'] } });
    const backup = await ended(cluster.kube, Backup, 'shaky');
    expect(backup['status']).toMatchObject({ phase: 'Completed', progress: { itemsBackedUp: OBJECTS + 4 } });
    expect(failures).toBe(2);
  });

  it('fails the backup with the reason when the store cannot be used', async () => {
    const path = join(cluster.directory, 'stores', 'blocked');
    writeFileSync(path, 'a file where the directory should be');
    await createLocation(cluster.kube, 'blocked', { objectStorage: { bucket: 'blocked' } });
    await using _engine = await start();
    await request(cluster.kube, Backup, 'blocked', {
      spec: { includedNamespaces: ['many'], storageLocation: 'blocked' },
    });
    const backup = await ended(cluster.kube, Backup, 'blocked');
    rmSync(path);
    expect(backup['status']).toMatchObject({ phase: 'Failed', errors: 1 });
    expect(textAt(backup, 'status', 'failureReason')).toContain('blocked');
  });
});
