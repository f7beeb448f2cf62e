import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { AppError, objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { exec } from '../../src/edge/kube/exec/exec.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import type { Transport } from '../../src/edge/kube/transport/transport.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { transportTo } from '../kube-transport.ts';
import { onExec } from '../scripted-exec.ts';
import { ScriptedServer } from '../scripted-server/index.ts';
import { BackupFiles } from './backup-files.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';

const core = (kind: string, plural: string, namespaced = true) => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
});
const PODS = core('Pod', 'pods');
const CLAIMS = core('PersistentVolumeClaim', 'persistentvolumeclaims');
const VOLUMES = core('PersistentVolume', 'persistentvolumes', false);

let cluster: EngineCluster;
let server: ScriptedServer;
let transport: Transport;
let kube: KubeClient;
/** What ran in which pod, and what status told at that moment. */
let ran: { pod: string; command: string; open: string[] }[] = [];

/** Pods of a pocket cluster come up, but only the scripted server knows how to run a command in them. */
beforeAll(async () => {
  cluster = await startCluster();
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
  onExec(server, 'v5.channel.k8s.io', async ({ url, send, exit }) => {
    const command = url.searchParams.getAll('command').join(' ');
    const pod = url.pathname.split('/')[6] ?? '';
    const backup = await cluster.kube.get({ type: Backup, namespace: NAMESPACE, name: command.split(' ')[1] ?? '' });
    const open = objectsAt(backup, 'status', 'openHooks').map((entry) => textAt(entry, 'name') ?? '');
    ran.push({ pod, command, open });
    if (command.startsWith('hang')) return;
    await send(2, 'no space for API_TOKEN=swordfish1');
    await exit(command.startsWith('fail') ? 3 : 0);
  });
  kube = { ...cluster.kube, exec: (pod, options) => exec({ transport, clock: systemClock }, pod, options) };
});
afterAll(async () => {
  await transport.close();
  await server.stop();
  await cluster[Symbol.asyncDispose]();
});
beforeEach(() => {
  ran = [];
});

async function start(through: KubeClient = kube): Promise<Engine> {
  return await startEngine(cluster, {
    kube: through,
    controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  });
}

async function makePod(namespace: string, name: string, annotations: Record<string, string> = {}) {
  await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
  const spec = { containers: [{ name: 'main', image: 'none/none:1' }] };
  await cluster.kube.create({ type: PODS, namespace }, objectOf(PODS, name, { metadata: { annotations }, spec }));
}

const hook = (...command: string[]) => ({ exec: { command } });
const hooks = (pre: string[], post: string[]): JsonObject => ({
  resources: [{ name: 'freeze', pre: [hook(...pre)], post: [hook(...post)] }],
});

describe('hooks of a backup', () => {
  it('run around their pod, and status knows of the open one before it runs', async () => {
    await makePod('around', 'db');
    await using _engine = await start();
    const spec = { includedNamespaces: ['around'], hooks: hooks(['freeze', 'around'], ['thaw', 'around']) };
    await request(cluster.kube, Backup, 'around', { spec });
    const backup = await ended(cluster.kube, Backup, 'around');
    expect(ran).toEqual([
      { pod: 'db', command: 'freeze around', open: ['db'] },
      { pod: 'db', command: 'thaw around', open: ['db'] },
    ]);
    expect(backup['status']).toMatchObject({ phase: 'Completed', hookStatus: { hooksAttempted: 2, hooksFailed: 0 } });
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([]);
  });

  it('that fail and must not keep their pod out of the backup, and the pod is thawed all the same', async () => {
    await makePod('failing', 'db');
    await using _engine = await start();
    const pre = [{ exec: { command: ['fail', 'failing'], onError: 'Fail' } }];
    const spec = {
      includedNamespaces: ['failing'],
      hooks: { resources: [{ name: 'freeze', pre, post: [hook('thaw', 'failing')] }] },
    };
    await request(cluster.kube, Backup, 'failing', { spec });
    const backup = await ended(cluster.kube, Backup, 'failing');
    expect(ran.map(({ command }) => command)).toEqual(['fail failing', 'thaw failing']);
    expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 2, hookStatus: { hooksFailed: 1 } });
    const files = new BackupFiles(cluster, 'failing');
    expect(files.list()['v1/Pod']).toBeUndefined();
    expect(JSON.stringify(files.json('-results.gz'))).toContain('it ended with exit code 3: no space');
  });

  it('that fail tell their command and its output without the passwords in them', async () => {
    await makePod('masked', 'db');
    await using _engine = await start();
    const command = ['fail', 'masked', '--password=hunter2', 'mysql://root:sesame@db'];
    const hooks = { resources: [{ name: 'dump', pre: [hook(...command)] }] };
    await request(cluster.kube, Backup, 'masked', { spec: { includedNamespaces: ['masked'], hooks } });
    const backup = await ended(cluster.kube, Backup, 'masked');
    const files = new BackupFiles(cluster, 'masked');
    const told = [files.log(), JSON.stringify(files.json('-results.gz')), JSON.stringify(backup['status'])];
    expect(told.join('\n')).not.toMatch(/hunter2|sesame|swordfish1/);
    for (const text of told.slice(0, 2)) {
      expect(text).toContain(
        '(fail masked --password=*** mysql://***@db) in container main: it ended with exit code 3',
      );
      expect(text).toContain('no space for API_TOKEN=***');
    }
  });

  it('from an annotation are run instead, and without on-error one that fails costs an error, but not the pod', async () => {
    await makePod('annotated', 'db', {
      'pre.hook.backup.velero.io/command': '["fail","annotated"]',
    });
    await using _engine = await start();
    const spec = { includedNamespaces: ['annotated'], hooks: hooks(['freeze', 'annotated'], ['thaw', 'annotated']) };
    await request(cluster.kube, Backup, 'annotated', { spec });
    const backup = await ended(cluster.kube, Backup, 'annotated');
    expect(ran.map(({ command }) => command)).toEqual(['fail annotated', 'thaw annotated']);
    expect(backup['status']).toMatchObject({ phase: 'PartiallyFailed', errors: 1, warnings: 0 });
    expect(new BackupFiles(cluster, 'annotated').list()['v1/Pod']).toEqual(['annotated/db']);
  });

  it('run once each, also when the API server is away before and after them', async () => {
    await makePod('away', 'db');
    let failures = 0;
    const away: KubeClient = {
      ...kube,
      patch: async (into, change, options) => {
        const isRecord = change.kind === 'merge' && JSON.stringify(change.body).includes('openHooks');
        failures += isRecord ? 1 : 0;
        // The first two writes of each are lost.
        if (isRecord && failures % 3 !== 0) throw new AppError('unreachable', 'connect ECONNREFUSED');
        return await kube.patch(into, change, options);
      },
    };
    await using _engine = await start(away);
    const spec = { includedNamespaces: ['away'], hooks: hooks(['freeze', 'away'], ['thaw', 'away']) };
    await request(cluster.kube, Backup, 'away', { spec });
    const backup = await ended(cluster.kube, Backup, 'away');
    expect(ran.map(({ command }) => command)).toEqual(['freeze away', 'thaw away']);
    expect(backup['status']).toMatchObject({ phase: 'Completed' });
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([]);
  });

  it('are closed by the next process, also when the API server is away at its beginning', async () => {
    await makePod('resumed', 'db');
    const spec = {
      storageLocation: 'default',
      includedNamespaces: ['resumed'],
      hooks: hooks(['freeze', 'resumed'], ['thaw', 'resumed']),
    };
    const status = {
      ...{ phase: 'InProgress', attempt: 1, startTimestamp: '2026-01-01T00:00:00Z' },
      openHooks: [{ namespace: 'resumed', name: 'db' }],
    };
    await request(cluster.kube, Backup, 'resumed', { spec, status });
    let failures = 0;
    const away: KubeClient = {
      ...kube,
      get: async (from, options) => {
        if (from.type.kind === 'Pod') failures += 1;
        if (from.type.kind === 'Pod' && failures < 3) throw new AppError('unreachable', 'connect ECONNREFUSED');
        return await kube.get(from, options);
      },
    };
    await using _engine = await start(away);
    const backup = await ended(cluster.kube, Backup, 'resumed');
    expect(ran.map(({ command }) => command)).toEqual(['thaw resumed', 'freeze resumed', 'thaw resumed']);
    expect(backup['status']).toMatchObject({ phase: 'Completed' });
  });

  it('leave no pod frozen when this process stops in peace, for nobody may come after it', async () => {
    await makePod('stopped', 'db');
    const engine = await start();
    const spec = { includedNamespaces: ['stopped'], hooks: hooks(['hang', 'stopped'], ['thaw', 'stopped']) };
    await request(cluster.kube, Backup, 'stopped', { spec });
    await eventually(() => {
      expect(ran.map(({ command }) => command)).toEqual(['hang stopped']);
    });
    await engine.stop();
    expect(ran.map(({ command }) => command)).toEqual(['hang stopped', 'thaw stopped']);
    const backup = await cluster.kube.get({ type: Backup, namespace: NAMESPACE, name: 'stopped' });
    expect(textAt(backup, 'status', 'phase')).toBe('InProgress');
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([]);
    await cluster.kube.delete({ type: Backup, namespace: NAMESPACE, name: 'stopped' });
  });

  it.each(['cancel', 'restart'] as const)('leave no pod frozen after a %s', async (how) => {
    const name = `frozen-${how}`;
    await makePod(name, 'db');
    const first = await start();
    const spec = { includedNamespaces: [name], hooks: hooks(['hang', name], ['thaw', name]) };
    await request(cluster.kube, Backup, name, { spec });
    await eventually(() => {
      expect(ran.map(({ command }) => command)).toEqual([`hang ${name}`]);
    });
    if (how === 'restart') await first.kill();
    const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
    await cluster.kube.patch({ type: Backup, namespace: NAMESPACE, name }, { kind: 'merge', body });
    const second = how === 'restart' ? await start() : first;
    const backup = await ended(cluster.kube, Backup, name);
    expect(backup['status']).toMatchObject({ phase: 'Failed', failureReason: 'canceled' });
    expect(ran.map(({ command }) => command)).toEqual([`hang ${name}`, `thaw ${name}`]);
    expect(objectsAt(backup, 'status', 'openHooks')).toEqual([]);
    await second.stop();
  });
});

describe('the data of volumes', () => {
  async function makeClaim(namespace: string, name: string): Promise<void> {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeName: `pv-${name}`,
    };
    const claim = objectOf(CLAIMS, name, { spec: { ...spec, storageClassName: name }, status: { phase: 'Bound' } });
    const source = { hostPath: { path: '/none' }, capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
    const policy = { persistentVolumeReclaimPolicy: 'Retain', storageClassName: name };
    await cluster.kube.create({ type: VOLUMES }, objectOf(VOLUMES, `pv-${name}`, { spec: { ...source, ...policy } }));
    await cluster.kube.create({ type: CLAIMS, namespace }, claim);
  }

  it('is missed by name, unless a policy says that it is not wanted', async () => {
    await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'data'));
    await makeClaim('data', 'orders');
    await makeClaim('data', 'scratch');
    const rules = `{version: v1, volumePolicies: [{conditions: {storageClass: [scratch]}, action: {type: skip}}]}`;
    const policies = objectOf(CONFIG_MAPS, 'rules', { data: { rules } });
    await cluster.kube.create({ type: CONFIG_MAPS, namespace: NAMESPACE }, policies);
    await using _engine = await start();
    const resourcePolicy = { kind: 'configmap', name: 'rules' };
    await request(cluster.kube, Backup, 'data', { spec: { includedNamespaces: ['data'], resourcePolicy } });
    const backup = await ended(cluster.kube, Backup, 'data');
    expect(backup['status']).toMatchObject({ phase: 'Completed', warnings: 0, errors: 0 });
    const why =
      'nobody asked for its files: annotate its pod with backup.velero.io/backup-volumes, or create the backup with ' +
      '--default-volumes-to-fs-backup';
    const message = `the data of 1 claim is not in the backup: data/orders (${why})`;
    expect(conditionOf(backup)).toMatchObject({ status: 'True', message });
    const files = new BackupFiles(cluster, 'data');
    expect(files.json('-volumeinfo.json.gz')).toMatchObject([
      { pvcName: 'orders', pvName: 'pv-orders', skipped: true, pvInfo: { reclaimPolicy: 'Retain' } },
      { pvcName: 'scratch', skipped: true, skippedReason: 'a resource policy says to skip it' },
    ]);
    // Velero counts no warning for it, so that it is none; the condition, the results and the log say it.
    const text = `persistentvolumeclaims data/orders: its data is not in the backup: ${why}`;
    expect(files.json('-results.gz')).toEqual({ errors: {}, warnings: { namespaces: { data: [text] } } });
    expect(files.log()).toMatch(/level=warning.*its data is not in the backup/);
    expect(conditionOf(files.metadata() as KubeObject)).toBeDefined();
  });
});

function conditionOf(backup: KubeObject): JsonObject | undefined {
  return objectsAt(backup, 'status', 'conditions').find(({ type }) => type === 'VolumeDataMissing');
}
