import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore, type ResourceType } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { applyFlowControl, applyServerAccount, serverToken } from '../../src/main/install/server-account.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { ask } from '../bed/ask.ts';
import { createLocation, ended, NAMESPACE, request, startEngine, type EngineCluster } from '../engine/engine.ts';
import { clientFor } from '../kube-client.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf, SERVICE_ACCOUNTS } from '../kube-kinds.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';

const LEVELS: ResourceType = {
  ...{ group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'PriorityLevelConfiguration' },
  ...{ plural: 'prioritylevelconfigurations', namespaced: false },
};
const OBJECTS = 300;
const MINUTES = 300_000;

const need = needsBed();
describe.skipIf(need.missing)(need.title('an API server that shares itself out'), () => {
  const directory = mkdtempSync(join(tmpdir(), 'headway-flow-'));
  const { signal } = new AbortController();
  let b: Bed;
  let admin: KubeClient;
  /** Headway's server account, to which limits apply. */
  let limited: KubeClient;
  let log: ReturnType<typeof recordingLog>;
  let cluster: EngineCluster;

  /** What the server says of its priority levels. */
  async function metric(name: string, level: string): Promise<number> {
    const { server, caPem, token } = b.clusters[0]!;
    const { body = '' } = (await ask(`${server}/metrics`, { caPem, token })) ?? {};
    const lines = [...body.matchAll(new RegExp(`^apiserver_flowcontrol_${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
    return lines
      .filter(([, labels = '']) => labels.includes(`priority_level="${level}"`))
      .reduce((sum, [, , value]) => sum + Number(value), 0);
  }

  beforeAll(async () => {
    b = await bed();
    admin = await clientFor(b.kubeconfig);
    await installCrds(admin, signal);
    for (const name of [NAMESPACE, 'many']) await admin.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
    await applyServerAccount(admin, { namespace: NAMESPACE, isOutside: true }, signal);
    expect(await applyFlowControl(admin, NAMESPACE, signal)).toBe(true);
    const kubeconfig = join(directory, 'kubeconfig');
    const text = readFileSync(b.kubeconfig, 'utf8').replace(
      b.clusters[0]!.token,
      await serverToken(admin, NAMESPACE, signal),
    );
    writeFileSync(kubeconfig, text, { mode: 0o600 });
    log = recordingLog();
    limited = await clientFor(kubeconfig, { log });
    mkdirSync(join(directory, 'stores'));
    await createLocation(admin, 'default', { default: true });
    cluster = {
      ...{ kube: admin, kubeconfig, directory, bucket: join(directory, 'stores', 'backups') },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const names = Array.from({ length: OBJECTS }, (_, at) => `m${String(at)}`).values();
    const make = async (): Promise<void> => {
      for (const name of names) {
        await admin.create({ type: CONFIG_MAPS, namespace: 'many' }, objectOf(CONFIG_MAPS, name));
      }
    };
    await Promise.all(Array.from({ length: 10 }, make));
    // The controllers of the bed make these in every namespace, a moment after it.
    await admin.get({ type: SERVICE_ACCOUNTS, namespace: 'many', name: 'default' });
  }, MINUTES);
  afterAll(async () => {
    await limited.close();
    await admin.close();
    await b[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Backs the objects up and restores them beside themselves. */
  async function roundTrip(name: string): Promise<void> {
    await using _engine = await startEngine(cluster, {
      kube: limited,
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({}, deps, caches).parts,
      ],
    });
    await request(admin, Backup, name, { spec: { includedNamespaces: ['many'] } });
    const backup = await ended(admin, Backup, name, MINUTES);
    expect(backup['status']).toMatchObject({ phase: 'Completed' });
    const spec = { backupName: name, namespaceMapping: { many: `${name}-copy` } };
    await request(admin, Restore, name, { spec });
    const restore = await ended(admin, Restore, name, MINUTES);
    expect(restore['status']).toMatchObject({ phase: 'Completed', progress: { percent: 100 } });
    const found: string[] = [];
    for await (const page of admin.list({ type: CONFIG_MAPS, namespace: `${name}-copy` })) {
      for (const { metadata } of page.items) found.push(metadata.name);
    }
    expect(found.filter((one) => one.startsWith('m'))).toHaveLength(OBJECTS);
  }

  const turnedAway = (): number => log.lines.filter(({ fields }) => fields['code'] === 'throttled').length;

  it(
    'gives Headway its own share, and the lease and the progress another',
    async () => {
      await roundTrip('shared');
      expect(await metric('dispatched_requests_total', 'headway')).toBeGreaterThan(OBJECTS);
      expect(await metric('dispatched_requests_total', 'workload-high')).toBeGreaterThan(0);
      expect(turnedAway()).toBe(0);
    },
    MINUTES,
  );

  it(
    'slows Headway down and fails nothing when that share is tiny; what is turned away is little',
    async () => {
      const limits: JsonObject = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0 };
      const body = { spec: { limited: { ...limits, limitResponse: { type: 'Reject', queuing: null } } } };
      await admin.patch({ type: LEVELS, name: 'headway' }, { kind: 'merge', body });
      await roundTrip('throttled');
      expect(turnedAway()).toBeGreaterThan(0);
      const before = await metric('rejected_requests_total', 'headway');
      const patient = { deadlineMs: 120_000 };
      const many = Array.from({ length: OBJECTS }, (_, at) => `m${String(at)}`);
      await Promise.all(many.map((name) => limited.get({ type: CONFIG_MAPS, namespace: 'many', name }, patient)));
      const rejected = (await metric('rejected_requests_total', 'headway')) - before;
      console.log(`of ${String(OBJECTS)} requests at once, ${String(rejected)} were turned away`);
      expect(rejected).toBeLessThan(OBJECTS / 4);
    },
    MINUTES,
  );
});
