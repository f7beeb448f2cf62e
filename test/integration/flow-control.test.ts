import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, LEASE, Restore, type ResourceType } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { applyFlowControl, applyServerAccount, serverToken } from '../../src/main/install/server-account.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { ask } from '../bed/ask.ts';
import { createLocation, ended, NAMESPACE, request, startEngine, type EngineCluster } from '../engine/engine.ts';
import { clientFor } from '../kube-client.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf, SECRETS, SERVICE_ACCOUNTS } from '../kube-kinds.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';

const LEVELS: ResourceType = {
  ...{ group: 'flowcontrol.apiserver.k8s.io', version: 'v1', kind: 'PriorityLevelConfiguration' },
  ...{ plural: 'prioritylevelconfigurations', namespaced: false },
};
const OBJECTS = 300;
/** A share of a few requests at a time, of which nobody lends more. */
const TINY: JsonObject = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0 };
const MINUTES = 300_000;

const need = needsBed();
describe.skipIf(need.missing)(need.title('an API server that shares itself out'), () => {
  const directory = mkdtempSync(join(tmpdir(), 'headway-flow-'));
  const { signal } = new AbortController();
  let b: Bed;
  let admin: KubeClient;
  /** Headway's server account, to which limits apply. */
  let limited: KubeClient;
  /** Some other account, of which nobody has said anything. */
  let other: KubeClient;
  let log: ReturnType<typeof recordingLog>;
  let cluster: EngineCluster;

  /** What the server says of a priority level, or of a flow schema. */
  async function metric(name: string, level: string, label = 'priority_level'): Promise<number> {
    const { server, caPem, token } = b.clusters[0]!;
    const { body = '' } = (await ask(`${server}/metrics`, { caPem, token })) ?? {};
    const lines = [...body.matchAll(new RegExp(`^apiserver_flowcontrol_${name}\\{([^}]*)\\} (\\S+)$`, 'gm'))];
    return lines
      .filter(([, labels = '']) => labels.includes(`${label}="${level}"`))
      .reduce((sum, [, , value]) => sum + Number(value), 0);
  }

  beforeAll(async () => {
    b = await bed();
    admin = await clientFor(b.kubeconfig);
    await installCrds(admin, signal);
    for (const name of [NAMESPACE, 'many']) await admin.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
    await applyServerAccount(admin, { namespace: NAMESPACE, isOutside: true }, signal);
    expect(await applyFlowControl(admin, NAMESPACE, signal)).toBe(true);
    const kubeconfig = kubeconfigOf('headway', await serverToken(admin, NAMESPACE, signal));
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
    other = await clientFor(kubeconfigOf('other', await tokenOfDefault('many')));
  }, MINUTES);
  afterAll(async () => {
    await other.close();
    await limited.close();
    await admin.close();
    await b[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  function kubeconfigOf(name: string, token: string): string {
    const path = join(directory, name);
    writeFileSync(path, readFileSync(b.kubeconfig, 'utf8').replace(b.clusters[0]!.token, token), { mode: 0o600 });
    return path;
  }

  async function tokenOfDefault(namespace: string): Promise<string> {
    const annotations = { 'kubernetes.io/service-account.name': 'default' };
    const secret = { type: 'kubernetes.io/service-account-token', metadata: { namespace, annotations } };
    await admin.create({ type: SECRETS, namespace }, objectOf(SECRETS, 'token', secret));
    return await eventually(async () => {
      const token = textAt(await admin.get({ type: SECRETS, namespace, name: 'token' }), 'data', 'token');
      if (token === undefined) throw new Error('no token yet');
      return Buffer.from(token, 'base64').toString();
    });
  }

  /** What others may always ask, again and again while the work goes on; how long one in twenty took at least. */
  async function besides(work: Promise<void>): Promise<{ count: number; slowMs: number }> {
    const took: number[] = [];
    let isOver = false;
    const asking = async (): Promise<void> => {
      while (!isOver) {
        const began = performance.now();
        await other.version({ deadlineMs: 30_000 });
        took.push(performance.now() - began);
      }
    };
    const others = asking();
    await work.finally(() => {
      isOver = true;
    });
    await others;
    return { count: took.length, slowMs: took.toSorted((a, b) => a - b)[Math.floor(0.95 * took.length)] ?? NaN };
  }

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
      const leases = () => metric('dispatched_requests_total', 'headway-leader-election', 'flow_schema');
      const before = await leases();
      const lease = objectOf(LEASE, 'headway-of-a-test', { spec: { holderIdentity: 'nobody' } });
      await limited.create({ type: LEASE, namespace: NAMESPACE }, lease);
      expect((await leases()) - before).toBe(1);
    },
    MINUTES,
  );

  it(
    'lets Headway wait in its queue when its share is tiny, and nobody else',
    async () => {
      const waited = () => metric('request_wait_duration_seconds_sum', 'headway');
      const before = await waited();
      await admin.patch({ type: LEVELS, name: 'headway' }, { kind: 'merge', body: { spec: { limited: TINY } } });
      const { count, slowMs } = await besides(roundTrip('queued'));
      const seconds = (await waited()) - before;
      console.log(
        `Headway waited ${seconds.toFixed(1)} s; of ${String(count)} others one in twenty took ${slowMs.toFixed(0)} ms or more`,
      );
      expect(seconds).toBeGreaterThan(1);
      expect(turnedAway()).toBe(0);
      expect(count).toBeGreaterThan(20);
      // Two cores are shared by everything; its queues keep nobody.
      expect(slowMs).toBeLessThan(500);
    },
    MINUTES,
  );

  it(
    'fails nothing when that share is tiny and what does not fit is turned away, which is little',
    async () => {
      const body = { spec: { limited: { ...TINY, limitResponse: { type: 'Reject', queuing: null } } } };
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
