import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, BackupRepository, BackupStorageLocation, POD } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { Maintenance } from '../../src/control/controllers/maintenance/maintenance-controller.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { Workbench } from '../around/workbench.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { newNamespace } from '../kube-kinds.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster } from './volume-cluster.ts';

const MIB = 1024 * 1024;
const HOUR = 3_600_000;
const WITHIN_MS = 90_000;

describe("the maintenance of kopia's repositories", { timeout: 180_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let engine: Engine;
  let namespace = '';
  let directory = '';
  beforeAll(async () => {
    cluster = await startVolumeCluster();
    ({ kube } = cluster);
    engine = await startEngine(cluster, {
      controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
      movers: { uploader: 'kopia' },
    });
    namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'] });
    directory = await directoryOf(kube, namespace, 'data');
    writeFileSync(join(directory, 'big'), content(8 * MIB, 7));
    expect(await backUp('first')).toBe('Completed');
  }, 180_000);
  afterAll(async () => {
    await engine?.[Symbol.asyncDispose]();
    await cluster?.[Symbol.asyncDispose]();
  });

  async function backUp(name: string): Promise<string | undefined> {
    const spec = { includedNamespaces: [namespace], defaultVolumesToFsBackup: true, storageLocation: 'default' };
    await request(kube, Backup, name, { spec });
    return textAt(await ended(kube, Backup, name, WITHIN_MS), 'status', 'phase');
  }

  /** A turn with what the cluster has now, so many hours from now. */
  async function turn(hours: number): Promise<{ bench: Workbench; result: unknown; status: JsonObject }> {
    const bench = new Workbench(cluster);
    const caches = await bench.caches({ repositories: BackupRepository, locations: BackupStorageLocation });
    bench.now = Date.now() + hours * HOUR;
    const name = `${namespace}-default-kopia`;
    const result = await new Maintenance(bench.deps, caches).reconcile(`${NAMESPACE}/${name}`, bench.signal);
    return { bench, result, status: (await bench.get(BackupRepository, name))['status'] as JsonObject };
  }
  const pods = async (): Promise<string[]> => {
    const names: string[] = [];
    for await (const { items } of kube.list({ type: POD, namespace: NAMESPACE })) {
      for (const { metadata } of items) names.push(metadata.name);
    }
    return names;
  };

  it('waits until it is due', async () => {
    const { result, status } = await turn(0.5);
    expect(result).toEqual({ requeueAfterMs: 60_000 });
    expect(status['recentMaintenance'] ?? []).toEqual([]);
  });

  it('runs beside a backup and breaks neither, and tells when it was', async () => {
    writeFileSync(join(directory, 'more'), content(64 * MIB, 8));
    const [phase, { status }] = await Promise.all([backUp('beside'), turn(2)]);
    expect(phase).toBe('Completed');
    expect(status).toMatchObject({
      phase: 'Ready',
      lastMaintenanceTime: expect.any(String) as string,
      recentMaintenance: [{ result: 'Succeeded' }],
    });
    expect(await pods()).toEqual([]);
    expect(await backUp('after')).toBe('Completed');
  });

  it('does not touch a location that is read-only', async () => {
    const location = { type: BackupStorageLocation, namespace: NAMESPACE, name: 'default' };
    await kube.patch(location, { kind: 'merge', body: { spec: { accessMode: 'ReadOnly' } } });
    const { status } = await turn(30);
    expect(status['recentMaintenance']).toHaveLength(1);
    await kube.patch(location, { kind: 'merge', body: { spec: { accessMode: 'ReadWrite' } } });
  });

  it('tells why it failed, and is not tried again at once', async () => {
    const before = (await turn(0)).status['lastMaintenanceTime'];
    rmSync(join(cluster.bucket, 'kopia', namespace), { recursive: true });
    const { bench, status } = await turn(5);
    expect(status['recentMaintenance']).toMatchObject([
      { result: 'Succeeded' },
      { result: 'Failed', message: expect.stringMatching(/repository/) as string },
    ]);
    expect(status['lastMaintenanceTime']).toBe(before);
    expect(bench.events).toMatchObject([{ type: 'Warning', reason: 'MaintenanceFailed' }]);
    expect((await turn(5.1)).status['recentMaintenance']).toHaveLength(2);
    expect(await pods()).toEqual([]);
  });
});
