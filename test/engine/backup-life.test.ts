import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import type { KubeClient, KubeObject, Target } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { BackupFiles } from './backup-files.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';

let cluster: EngineCluster;
const target = (name: string) => ({ type: Backup, namespace: NAMESPACE, name });

beforeAll(async () => {
  cluster = await startCluster();
  for (const namespace of ['one', 'two']) {
    await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
    for (let at = 0; at < 20; at += 1) {
      await cluster.kube.create({ type: CONFIG_MAPS, namespace }, objectOf(CONFIG_MAPS, `m${String(at)}`));
    }
  }
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** A cluster whose config maps come one by one, and stop after `open` of them until the gate is opened. */
class GatedCluster {
  open = 0;
  readonly kube: KubeClient;
  #moved = Promise.withResolvers<undefined>();

  constructor(kube: KubeClient) {
    this.kube = {
      ...kube,
      list: (wanted, options) =>
        wanted.type.kind === 'ConfigMap' ? this.#gated(kube, wanted, options?.signal) : kube.list(wanted, options),
    };
  }

  let(count: number): void {
    this.open = count;
    this.#moved.resolve(undefined);
    this.#moved = Promise.withResolvers<undefined>();
  }

  async *#gated(kube: KubeClient, wanted: Target, signal?: AbortSignal) {
    signal?.addEventListener('abort', () => {
      this.#moved.resolve(undefined);
    });
    let given = 0;
    for await (const page of kube.list(wanted)) {
      for (const item of page.items) {
        while (given >= this.open) {
          signal?.throwIfAborted();
          await this.#moved.promise;
        }
        given += 1;
        yield { ...page, items: [item], remaining: page.items.length - given };
      }
    }
  }
}

async function start(kube: KubeClient = cluster.kube, concurrentBackups = 1): Promise<Engine> {
  return await startEngine(cluster, {
    kube,
    controllers: (deps, caches) => createBackupController({ concurrentBackups }, deps, caches).parts,
  });
}

async function backupWith(name: string, holds: (status: JsonObject) => boolean): Promise<KubeObject> {
  return await eventually(
    async () => {
      const backup = await cluster.kube.get(target(name));
      const status = (backup['status'] ?? {}) as JsonObject;
      expect(holds(status), JSON.stringify(status)).toBe(true);
      return backup;
    },
    { withinMs: 30_000 },
  );
}
const itemsOf = (status: JsonObject): number => Number(valueAt(status, 'progress', 'itemsBackedUp') ?? 0);
const phaseOf = (backup: KubeObject): string | undefined => textAt(backup, 'status', 'phase');

describe('a running backup', () => {
  let gated: GatedCluster;
  beforeEach(() => {
    gated = new GatedCluster(cluster.kube);
    gated.let(6);
  });

  it('is canceled on request, and nothing of it is left but its log', async () => {
    await using _engine = await start(gated.kube);
    await request(cluster.kube, Backup, 'cancel', { spec: { includedNamespaces: ['one'] } });
    await backupWith('cancel', (status) => itemsOf(status) >= 4);
    const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
    await cluster.kube.patch(target('cancel'), { kind: 'merge', body });
    const backup = await ended(cluster.kube, Backup, 'cancel');
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    const canceled = objectsAt(backup, 'status', 'conditions').find(({ type }) => type === 'Canceled');
    expect(canceled).toMatchObject({ status: 'True' });
    expect(Number(valueAt(backup, 'status', 'progress', 'percent'))).toBeLessThan(100);
    expect(new BackupFiles(cluster, 'cancel').names()).toEqual(['cancel-logs.gz']);
  });

  it('stops when it is deleted, and leaves nothing', async () => {
    await using engine = await start(gated.kube);
    const { metadata } = await request(cluster.kube, Backup, 'gone', { spec: { includedNamespaces: ['one'] } });
    await backupWith('gone', (status) => itemsOf(status) >= 4);
    await cluster.kube.delete(target('gone'));
    await eventually(() => {
      expect(engine.deps.logs.tail(metadata.uid ?? '', AbortSignal.abort())).toBeUndefined();
    });
    expect(new BackupFiles(cluster, 'gone').names()).toEqual([]);
  });

  it('that is made anew under its name waits until the files of the first are gone', async () => {
    await using engine = await start(gated.kube, 2);
    const { stores } = engine.deps;
    const open = stores.open.bind(stores);
    // A store that is slow to say what the first one left.
    stores.open = async (...parameters) => {
      const { store, ...rest } = await open(...parameters);
      const slow = new Proxy(store, {
        get: (of, key) => {
          if (key === 'list') {
            return async function* (...asked: Parameters<typeof store.list>) {
              await delay(2000);
              yield* store.list(...asked);
            };
          }
          const value: unknown = Reflect.get(of, key);
          return typeof value === 'function' ? (value.bind(of) as unknown) : value;
        },
      });
      return { ...rest, store: slow };
    };
    const spec = { includedNamespaces: ['one'] };
    const first = await request(cluster.kube, Backup, 'twice', { spec });
    await backupWith('twice', (status) => itemsOf(status) >= 4);
    await cluster.kube.delete(target('twice'));
    gated.let(1000);
    await request(cluster.kube, Backup, 'twice', { spec });
    expect(phaseOf(await ended(cluster.kube, Backup, 'twice'))).toBe('Completed');
    await eventually(() => {
      expect(engine.deps.logs.tail(first.metadata.uid ?? '', AbortSignal.abort())).toBeUndefined();
    });
    expect(new BackupFiles(cluster, 'twice').names()).toHaveLength(9);
  });

  it('begins anew in another process, with a percent that does not fall', async () => {
    const killed = await start(gated.kube);
    await request(cluster.kube, Backup, 'anew', { spec: { includedNamespaces: ['one'] } });
    gated.let(15);
    const before = await backupWith('anew', (status) => itemsOf(status) >= 12);
    await killed.kill();
    expect(phaseOf(await cluster.kube.get(target('anew')))).toBe('InProgress');
    const again = new GatedCluster(cluster.kube);
    again.let(4);
    await using _engine = await start(again.kube);
    const second = await backupWith('anew', (status) => {
      const count = itemsOf(status);
      return count > 0 && count <= 5;
    });
    const percent = (backup: KubeObject): number => Number(valueAt(backup, 'status', 'progress', 'percent'));
    expect(percent(before)).toBeGreaterThan(30);
    expect(percent(second)).toBeGreaterThanOrEqual(percent(before));
    again.let(1000);
    const backup = await ended(cluster.kube, Backup, 'anew');
    expect(backup['status']).toMatchObject({ phase: 'Completed', progress: { percent: 100, itemsBackedUp: 23 } });
    expect(valueAt(backup, 'status', 'attempt')).toBe(2);
    expect(textAt(backup, 'status', 'startTimestamp')).toBe(textAt(before, 'status', 'startTimestamp'));
    expect(new BackupFiles(cluster, 'anew').names()).toHaveLength(9);
  });

  it('is left to the next process when this one stops in peace', async () => {
    const stopped = await start(gated.kube);
    await request(cluster.kube, Backup, 'handed-over', { spec: { includedNamespaces: ['one'] } });
    await backupWith('handed-over', (status) => itemsOf(status) >= 4);
    await stopped.stop();
    expect(phaseOf(await cluster.kube.get(target('handed-over')))).toBe('InProgress');
    await using _engine = await start();
    expect(phaseOf(await ended(cluster.kube, Backup, 'handed-over'))).toBe('Completed');
  });
});

describe('a backup that another process left', () => {
  it('only gets its status when everything is in the store already', async () => {
    const first = await start();
    await request(cluster.kube, Backup, 'whole', { spec: { includedNamespaces: ['one'] } });
    const before = await ended(cluster.kube, Backup, 'whole');
    await first.stop();
    const unfinished = { phase: 'Finalizing', completionTimestamp: null, progress: { percent: 99 } };
    await cluster.kube.patch(target('whole'), { kind: 'merge', body: { status: unfinished } });
    const archive = new BackupFiles(cluster, 'whole').metadata();
    await using _engine = await start();
    const after = await ended(cluster.kube, Backup, 'whole');
    expect(after['status']).toMatchObject({ phase: 'Completed', progress: { percent: 100, itemsBackedUp: 23 } });
    expect(textAt(after, 'status', 'completionTimestamp')).toBe(textAt(before, 'status', 'completionTimestamp'));
    expect(new BackupFiles(cluster, 'whole').metadata()).toEqual(archive);
  });

  it('is canceled with all that it left in the store', async () => {
    await request(cluster.kube, Backup, 'left', { spec: { storageLocation: 'default' } });
    const status = { phase: 'InProgress', attempt: 1, startTimestamp: '2026-01-01T00:00:00Z' };
    const metadata = { annotations: { 'headway.io/cancel': 'true' } };
    await cluster.kube.patch(target('left'), { kind: 'merge', body: { metadata, status } });
    const files = new BackupFiles(cluster, 'left');
    files.write('left.tar.gz', 'half');
    await using _engine = await start();
    const backup = await ended(cluster.kube, Backup, 'left');
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(files.names()).toEqual(['left-logs.gz']);
  });

  it('is whole when it is canceled too late', async () => {
    const first = await start();
    await request(cluster.kube, Backup, 'late', { spec: { includedNamespaces: ['one'] } });
    await ended(cluster.kube, Backup, 'late');
    await first.stop();
    const body = {
      metadata: { annotations: { 'headway.io/cancel': 'true' } },
      status: { phase: 'Finalizing', completionTimestamp: null },
    };
    await cluster.kube.patch(target('late'), { kind: 'merge', body });
    await using _engine = await start();
    expect(phaseOf(await ended(cluster.kube, Backup, 'late'))).toBe('Completed');
    expect(new BackupFiles(cluster, 'late').names()).toHaveLength(9);
  });

  it('is canceled though there is no room for it', async () => {
    const gated = new GatedCluster(cluster.kube);
    gated.let(6);
    for (const name of ['busy', 'roomless']) {
      const status = { phase: 'InProgress', attempt: 1, startTimestamp: '2026-01-01T00:00:00Z' };
      const spec = { storageLocation: 'default', includedNamespaces: ['one'] };
      await request(cluster.kube, Backup, name, { spec, status });
    }
    await using _engine = await start(gated.kube);
    await backupWith('busy', (status) => itemsOf(status) >= 4);
    const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
    await cluster.kube.patch(target('roomless'), { kind: 'merge', body });
    const backup = await ended(cluster.kube, Backup, 'roomless');
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    gated.let(1000);
    expect(phaseOf(await ended(cluster.kube, Backup, 'busy'))).toBe('Completed');
  });

  it('fails when somebody made its spec unreadable meanwhile', async () => {
    const spec = { storageLocation: 'default', ttl: 'tomorrow' };
    const status = { phase: 'InProgress', attempt: 1, startTimestamp: '2026-01-01T00:00:00Z' };
    await request(cluster.kube, Backup, 'unreadable', { spec, status });
    await using _engine = await start();
    const backup = await ended(cluster.kube, Backup, 'unreadable');
    expect(textAt(backup, 'status', 'failureReason')).toContain('ttl');
  });

  it('is tried again when its log could not be opened', async () => {
    await using engine = await start();
    const { logs } = engine.deps;
    const open = logs.open.bind(logs);
    let failures = 0;
    logs.open = async (...parameters) => {
      failures += 1;
      if (failures === 1) throw new Error('ENOSPC: no space left on device');
      return await open(...parameters);
    };
    await request(cluster.kube, Backup, 'no-log', { spec: { includedNamespaces: ['one'] } });
    expect(phaseOf(await ended(cluster.kube, Backup, 'no-log'))).toBe('Completed');
    expect(failures).toBe(2);
  });

  it('is not begun for ever', async () => {
    await request(cluster.kube, Backup, 'hopeless', {});
    const status = { phase: 'InProgress', attempt: 50 };
    await cluster.kube.patch(target('hopeless'), { kind: 'merge', body: { status } });
    await using _engine = await start();
    const backup = await ended(cluster.kube, Backup, 'hopeless');
    expect(textAt(backup, 'status', 'failureReason')).toContain('started 50 times');
  });
});

describe('the queue', () => {
  it('lets backups of other namespaces pass, and says what the rest waits for', async () => {
    const gated = new GatedCluster(cluster.kube);
    await using _engine = await start(gated.kube, 2);
    await request(cluster.kube, Backup, 'q1', { spec: { includedNamespaces: ['one'] } });
    await backupWith('q1', ({ phase }) => phase === 'InProgress');
    await request(cluster.kube, Backup, 'q2', { spec: { includedNamespaces: ['one'] } });
    const waiting = await backupWith('q2', ({ conditions }) => conditions !== undefined);
    expect(waiting['status']).toMatchObject({ phase: 'Queued', queuePosition: 1 });
    const [condition] = objectsAt(waiting, 'status', 'conditions');
    expect(condition).toMatchObject({ type: 'Queued', message: 'backup q1 has the same namespaces and is ahead' });
    await request(cluster.kube, Backup, 'q3', { spec: { includedNamespaces: ['two'] } });
    await backupWith('q3', ({ phase }) => phase === 'InProgress');
    gated.let(1000);
    for (const name of ['q1', 'q2', 'q3']) {
      const backup = await ended(cluster.kube, Backup, name);
      expect(phaseOf(backup)).toBe('Completed');
      expect(objectsAt(backup, 'status', 'conditions')).toEqual([]);
    }
  });

  it('forgets one that is canceled before its turn', async () => {
    const gated = new GatedCluster(cluster.kube);
    await using _engine = await start(gated.kube);
    await request(cluster.kube, Backup, 'turn', { spec: { includedNamespaces: ['one'] } });
    await backupWith('turn', ({ phase }) => phase === 'InProgress');
    const metadata = { annotations: { 'headway.io/cancel': 'true' } };
    await request(cluster.kube, Backup, 'no-turn', { metadata, spec: { includedNamespaces: ['one'] } });
    const backup = await ended(cluster.kube, Backup, 'no-turn');
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(existsSync(`${cluster.bucket}/backups/no-turn`)).toBe(false);
    gated.let(1000);
    expect(phaseOf(await ended(cluster.kube, Backup, 'turn'))).toBe('Completed');
  });
});
