import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, toCrd, type ResourceType } from '../../src/api/index.ts';
import { NO_LOG, type JsonObject } from '../../src/base/index.ts';
import {
  Controller,
  EventRecorder,
  Leader,
  Manager,
  NO_METRICS,
  OperationPool,
  Reflector,
  StatusPublisher,
  type LeaderOptions,
} from '../../src/control/runtime/index.ts';
import type { Report } from '../../src/core/progress/index.ts';
import { bearer, staticCredential } from '../../src/edge/kube/config/credentials.ts';
import { createKubeClient, type KubeClient, type KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';
import { bed, needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';

interface Place extends AsyncDisposable {
  server: string;
  caPem: string;
  token: string;
  /** The server goes away and comes back at the same address. */
  restart(): Promise<void>;
}
interface Suite {
  title: string;
  skip: boolean;
  start: () => Promise<Place>;
}

const CRDS: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const coreType = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const LEASES: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};
const BACKUPS = { type: Backup, namespace: 'velero' };
const deps = { clock: systemClock, log: NO_LOG, random: Math.random };

function clientOf(place: Place): KubeClient {
  return createKubeClient(
    { ...deps, userAgent: 'headway-test' },
    {
      label: 'runtime test',
      server: place.server,
      namespace: 'velero',
      tls: { insecure: false, ca: place.caPem },
      credentials: staticCredential(bearer(place.token)),
      headers: {},
    },
  );
}

function newBackup(name: string): KubeObject {
  return { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { namespace: 'velero', name }, spec: {} };
}
const phaseOf = (object: KubeObject): unknown => (object['status'] as JsonObject | undefined)?.['phase'];

/** A whole control loop that pretends to back up five items. */
function assemble(kube: KubeClient, identity: string, lease: Partial<LeaderOptions> = {}) {
  const withKube = { ...deps, kube };
  const reflector = new Reflector({ target: BACKUPS, inactivityMs: 5000 }, withKube);
  const events = new EventRecorder({ component: 'headway' }, withKube);
  const leader = new Leader({ namespace: 'velero', name: 'headway', identity, ...lease }, { ...withKube });
  const pool = new OperationPool({ name: 'operations', capacity: 2 }, deps);
  const alive = new AbortController();
  const performed: string[] = [];
  const perform = async (object: KubeObject): Promise<void> => {
    const { name } = object.metadata;
    performed.push(name);
    const publisher = new StatusPublisher(
      {
        target: { ...BACKUPS, name },
        object,
        statusOf: (report) => ({
          phase: report.state === 'completed' ? 'Completed' : 'InProgress',
          progress: { itemsBackedUp: report.measures[0]?.done ?? 0, totalItems: 5, percent: report.percent },
        }),
        isOver: (it) => phaseOf(it) === 'Completed',
        signal: alive.signal,
        mayWrite: () => leader.isLeading(),
      },
      withKube,
    );
    const report = (done: number, state: Report['state'], percent: number): Report => ({
      state,
      percent,
      measures: [{ unit: 'items', done, total: { kind: 'exact', value: 5 } }],
      children: [],
    });
    for (let done = 0; done <= 5; done += 1) publisher.publish(report(done, 'running', Math.min(99, done * 20)));
    await publisher.finish(report(5, 'completed', 100), { completionTimestamp: '2026-01-01T00:00:00Z' });
    const { apiVersion, kind, metadata } = object;
    const about = {
      apiVersion,
      kind,
      namespace: 'velero',
      name,
      ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    };
    events.record({ type: 'Normal', reason: 'BackupCompleted', message: '5 items', about });
  };
  const controller = new Controller(
    {
      name: 'backup',
      sources: [{ cache: reflector.cache }],
      reconcile: (key) => {
        const object = reflector.cache.get(key);
        const uid = object?.metadata.uid;
        if (object !== undefined && uid !== undefined && phaseOf(object) === undefined) {
          pool.start(uid, () => perform(object));
        }
        return Promise.resolve('done');
      },
    },
    { ...deps, metrics: NO_METRICS },
  );
  const manager = new Manager(
    { sources: [reflector, events], workers: [controller, pool], leader, stopDeadlineMs: 10_000 },
    deps,
  );
  return { manager, reflector, leader, performed };
}

function runtimeSuite({ title, skip, start }: Suite): void {
  describe.skipIf(skip)(title, () => {
    let place: Place;
    let kube: KubeClient;
    const holder = async (name: string) => {
      const lease = await kube.get({ type: LEASES, namespace: 'velero', name });
      return lease['spec'] as JsonObject;
    };
    beforeAll(async () => {
      place = await start();
      kube = clientOf(place);
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'velero' } };
      await kube.create({ type: coreType('Namespace', 'namespaces', false) }, namespace);
      await kube.create({ type: CRDS }, toCrd(Backup) as unknown as KubeObject);
      await eventually(() => kube.create(BACKUPS, newBackup('early'), { dryRun: true }), { withinMs: 30_000 });
    }, 120_000);
    afterAll(async () => {
      await kube.close();
      await place[Symbol.asyncDispose]();
    });

    it('carries operations from creation to their end, and stops in order', async () => {
      await kube.create(BACKUPS, newBackup('early'));
      const stop = new AbortController();
      const { manager, performed } = assemble(kube, 'whole');
      const ended = manager.run(stop.signal);
      await kube.create(BACKUPS, newBackup('late'));
      for (const name of ['early', 'late']) {
        const done = await eventually(async () => {
          const object = await kube.get({ ...BACKUPS, name });
          expect(phaseOf(object)).toBe('Completed');
          return object;
        });
        expect(done['status']).toMatchObject({ progress: { itemsBackedUp: 5, percent: 100 } });
        await eventually(async () => {
          const fieldSelector = `involvedObject.name=${name},reason=BackupCompleted`;
          const target = { type: coreType('Event', 'events'), namespace: 'velero' };
          const found: KubeObject[] = [];
          for await (const page of kube.list(target, { fieldSelector })) found.push(...page.items);
          expect(found).toMatchObject([{ count: 1, message: '5 items' }]);
        });
      }
      expect(await holder('headway')).toMatchObject({ holderIdentity: 'whole' });
      stop.abort();
      expect(await ended).toEqual({ hung: [] });
      expect((await holder('headway'))['holderIdentity'] ?? '').toBe('');
      expect(performed).toEqual(['early', 'late']);
    }, 30_000);

    it('hands the lease over from a process that vanished, and two never lead at once', async () => {
      const terms = { name: 'handover', leaseDurationMs: 2000, renewDeadlineMs: 1200, retryPeriodMs: 200 };
      const [first, second] = [assemble(kube, 'first', terms).leader, assemble(kube, 'second', terms).leader];
      const stop = new AbortController();
      const leadership = await first.acquire(stop.signal);
      const next = second.acquire(stop.signal);
      await eventually(async () => {
        expect((await holder('handover'))['renewTime']).not.toBe((await holder('handover'))['acquireTime']);
      });
      expect([first.isLeading(), second.isLeading()]).toEqual([true, false]);
      leadership.abandon();
      const successor = await next;
      expect([first.isLeading(), second.isLeading()]).toEqual([false, true]);
      expect(await holder('handover')).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
      await successor.release(2000);
      expect((await holder('handover'))['holderIdentity'] ?? '').toBe('');
    }, 30_000);

    it('keeps its cache right when the API server goes away and comes back', async () => {
      const { reflector } = assemble(kube, 'crash');
      const stop = new AbortController();
      const ended = reflector.run(stop.signal);
      await reflector.ready;
      await place.restart();
      await eventually(() => kube.create(BACKUPS, newBackup('after-crash')), { withinMs: 30_000 });
      await eventually(
        () => {
          expect(reflector.cache.get('velero/after-crash')).toBeDefined();
        },
        { withinMs: 30_000 },
      );
      stop.abort();
      await ended;
    }, 120_000);
  });
}

runtimeSuite({
  title: 'the runtime on pocket',
  skip: false,
  start: async () => {
    const dir = await mkdtemp(join(tmpdir(), 'headway-runtime-'));
    const startAt = async (port: number) =>
      await startPocket({ dir, name: 'runtime', port, clock: systemClock, log: NO_LOG });
    let pocket = await startAt(0);
    const { url: server, ca: caPem, token } = pocket;
    return {
      ...{ server, caPem, token },
      restart: async () => {
        await pocket.close();
        pocket = await startAt(Number(new URL(server).port));
      },
      [Symbol.asyncDispose]: async () => {
        await pocket.close();
        await rm(dir, { recursive: true });
      },
    };
  },
});

const real = needsBed({ clusters: 1 });
runtimeSuite({
  title: real.title('the runtime on a real API server'),
  skip: real.missing,
  start: async () => {
    const running = await bed({ clusters: 1 });
    const [cluster] = running.clusters;
    if (cluster === undefined) throw new Error('the bed has no cluster');
    return {
      server: cluster.server,
      caPem: cluster.caPem,
      token: cluster.token,
      restart: () => cluster.restartApiserver(),
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    };
  },
});
