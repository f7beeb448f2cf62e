import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  Restore,
  VolumePluginBackup,
  VolumePluginRestore,
  VolumeSnapshotLocation,
  type ResourceType,
} from '../../src/api/index.ts';
import { objectsAt, textAt, textsAt, type Clock, type JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { adapterFor, readOperation } from '../../src/core/operations/index.ts';
import { nameForSnapshot } from '../../src/core/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { BackupFiles } from '../engine/backup-files.ts';
import {
  createLocation,
  ended,
  NAMESPACE,
  request,
  startEngine,
  type Engine,
  type EngineCluster,
} from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { fastClock } from '../fast-clock.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, newNamespace, objectOf } from '../kube-kinds.ts';
import { PLUGIN, PythonPlugin, RIGHTS, whyNoPython } from './python-plugin.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 90_000;
/** Ten minutes are five seconds. */
const TIMES = 120;
/** Nothing but what the plugin writes may be in a status. */
const PLUGINS_FIELDS = [
  'phase',
  'snapshotID',
  'volumeID',
  'message',
  'startTimestamp',
  'completionTimestamp',
  'progress',
];

const noPython = whyNoPython();
const withBed = needsBed({ clusters: 1 });
const title = withBed.title(noPython === undefined ? 'native plugins' : `native plugins (skipped: ${noPython})`);

describe.skipIf(withBed.missing || noPython !== undefined)(title, { timeout: 120_000 }, () => {
  let b: Bed;
  let cluster: EngineCluster;
  let kube: KubeClient;
  let token: string;
  let uses = 0;
  const kubectl = async (...args: string[]) =>
    await run(b.bin('kubectl'), { args: ['--kubeconfig', b.clusters[0]!.kubeconfig, '-n', NAMESPACE, ...args] });

  beforeAll(async () => {
    b = await bed({ clusters: 1 });
    kube = await clientFor(b.kubeconfig);
    await installCrds(kube, AbortSignal.timeout(60_000));
    await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, NAMESPACE));
    // A real server may answer 404 for a moment after a definition is established.
    await eventually(async () => {
      await createLocation(kube, 'default', { default: true });
    });
    const location = objectOf(VolumeSnapshotLocation, 'files', { spec: { provider: PLUGIN } });
    await kube.create({ type: VolumeSnapshotLocation, namespace: NAMESPACE }, location);
    await kubectl('apply', '-f', RIGHTS);
    token = (await kubectl('create', 'token', 'sample-plugin')).trim();
    const directory = mkdtempSync(join(tmpdir(), 'headway-native-'));
    const end = () => {
      rmSync(directory, { recursive: true, force: true });
      return Promise.resolve();
    };
    mkdirSync(join(directory, 'stores'));
    const bucket = join(directory, 'stores/backups');
    cluster = { kube, kubeconfig: b.kubeconfig, bucket, directory, [Symbol.asyncDispose]: end };
  }, 120_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await kube?.close();
    await b?.[Symbol.asyncDispose]();
  });

  const plugin = async (...options: string[]) => {
    const { server, caPem: ca } = b.clusters[0]!;
    return await PythonPlugin.start({ server, ca, token }, ...options);
  };
  const engine = (clock?: Clock): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({}, deps, caches).parts,
      ],
      ...(clock === undefined ? {} : { clock }),
    });
  /** A claim that is bound to a volume of nobody's; what is in it only the plugin knows. */
  const bound = async () => {
    const namespace = await newNamespace(kube);
    const volume = `pv-${namespace}-${(uses += 1)}`;
    const size = { storage: '1Gi' };
    const accessModes = ['ReadWriteOnce'];
    await kube.create(
      { type: PERSISTENT_VOLUME },
      objectOf(PERSISTENT_VOLUME, volume, {
        spec: {
          ...{ accessModes, capacity: size, storageClassName: 'none', persistentVolumeReclaimPolicy: 'Retain' },
          csi: { driver: 'none.example.com', volumeHandle: volume },
          claimRef: { namespace, name: 'data' },
        },
      }),
    );
    await kube.create(
      { type: PERSISTENT_VOLUME_CLAIM, namespace },
      objectOf(PERSISTENT_VOLUME_CLAIM, 'data', {
        spec: { accessModes, resources: { requests: size }, storageClassName: 'none', volumeName: volume },
      }),
    );
    await eventually(
      async () => {
        const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'data' });
        expect(textAt(claim, 'status', 'phase')).toBe('Bound');
      },
      { withinMs: WITHIN_MS },
    );
    return { namespace, volume };
  };
  const asked = async (name: string, namespace: string) => {
    const spec = { includedNamespaces: [namespace], volumeSnapshotLocations: ['files'], storageLocation: 'default' };
    await request(kube, Backup, name, { spec });
  };
  const backedUp = async (name: string, namespace: string) => {
    await asked(name, namespace);
    return await ended(kube, Backup, name, WITHIN_MS);
  };
  const volumesOf = async (type: ResourceType, labelSelector: string): Promise<KubeObject[]> => {
    const found: KubeObject[] = [];
    for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) found.push(...items);
    return found;
  };
  const volumeOf = async (backup: string): Promise<KubeObject> => {
    const [volume, ...others] = await volumesOf(VolumePluginBackup, `velero.io/backup-name=${backup}`);
    expect(others).toEqual([]);
    return volume!;
  };
  const expectPlugins = (object: KubeObject): void => {
    const fields = Object.keys(object['status'] as JsonObject);
    expect(fields.filter((field) => !PLUGINS_FIELDS.includes(field))).toEqual([]);
    const progress = Object.keys((object['status'] as { progress?: JsonObject }).progress ?? {});
    expect(progress.filter((field) => field !== 'totalBytes' && field !== 'bytesDone')).toEqual([]);
  };

  it('may touch their own two kinds and nothing else', async () => {
    const as = ['--as', `system:serviceaccount:${NAMESPACE}:sample-plugin`];
    const may = async (...what: string[]) => await kubectl('auth', 'can-i', ...what, ...as).catch(() => 'no');
    expect((await may('patch', 'volumepluginbackups.velero.io')).trim()).toBe('yes');
    for (const other of ['backups.velero.io', 'secrets', 'pods', 'persistentvolumes']) {
      expect((await may('get', other)).trim()).toBe('no');
    }
  });

  it('back up and restore a volume, and write all that is told of it', async () => {
    await using files = await plugin();
    await using _ = await engine();
    const { namespace, volume } = await bound();
    writeFileSync(join(files.storage, 'volumes', volume), content(4 * MIB));
    const backup = await backedUp('plain', namespace);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(objectsAt(backup, 'status', 'conditions')).toEqual([]);
    expect(backup['status']).toMatchObject({ progress: { bytesDone: 4 * MIB, totalBytes: 4 * MIB, percent: 100 } });
    const object = await volumeOf('plain');
    expect(object).toMatchObject({
      spec: { volume, backup: 'plain', plugin: PLUGIN },
      status: { phase: 'Completed', snapshotID: object.metadata.name, progress: { bytesDone: 4 * MIB } },
    });
    expectPlugins(object);
    expect(await kubectl('get', 'vpb', object.metadata.name)).toMatch(/example\.com\/files +Completed/);
    const stored = new BackupFiles(cluster, 'plain');
    expect(stored.json('-volumepluginbackups.json.gz')).toMatchObject([{ status: { phase: 'Completed' } }]);
    expect(stored.json('-podvolumebackups.json.gz')).toBeNull();
    expect(stored.json('-volumeinfo.json.gz')).toMatchObject([
      {
        ...{ pvcName: 'data', pvcNamespace: namespace, pvName: volume, backupMethod: 'NativeSnapshot' },
        nativeSnapshotInfo: { snapshotHandle: object.metadata.name, Phase: 'Completed' },
      },
    ]);

    const target = `${namespace}-again`;
    await request(kube, Restore, 'plain', {
      spec: { backupName: 'plain', namespaceMapping: { [namespace]: target } },
    });
    const restore = await ended(kube, Restore, 'plain', WITHIN_MS);
    expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
    const [back] = await volumesOf(VolumePluginRestore, 'velero.io/restore-name=plain');
    expect(back).toMatchObject({
      metadata: { annotations: { 'headway.io/claim': `${target}/data` } },
      spec: { snapshotID: object.metadata.name, backup: 'plain', plugin: PLUGIN },
      status: { phase: 'Completed', progress: { bytesDone: 4 * MIB } },
    });
    expectPlugins(back!);
    const filled = join(files.storage, 'volumes', textAt(back, 'status', 'volumeID') ?? '');
    expect(readFileSync(filled).equals(content(4 * MIB))).toBe(true);
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'data' });
    expect(textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled']).toBeUndefined();
  });

  it('may answer with objects of their own, which belong to the backup from then on', async () => {
    await using files = await plugin('--own-objects', '--pace', '0.05');
    await using _ = await engine();
    const { namespace, volume } = await bound();
    writeFileSync(join(files.storage, 'volumes', volume), content(8 * MIB));
    const backup = await backedUp('own', namespace);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    const object = await volumeOf('own');
    expect(object).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^snap-/) as string,
        annotations: { 'headway.io/claim': `${namespace}/data` },
        ownerReferences: [{ kind: 'Backup', name: 'own', uid: backup.metadata.uid }],
      },
      status: { phase: 'Completed', snapshotID: object.metadata.name },
    });
    expectPlugins(object);
    const all = await volumesOf(VolumePluginBackup, '');
    expect(all.filter((one) => textAt(one, 'spec', 'volume') === volume)).toHaveLength(1);
    const [info] = new BackupFiles(cluster, 'own').json('-volumeinfo.json.gz') as JsonObject[];
    expect(textAt(info, 'nativeSnapshotInfo', 'snapshotHandle')).toBe(object.metadata.name);
  });

  it('are asked once, also when the server is killed meanwhile', async () => {
    await using files = await plugin('--own-objects', '--pace', '0.15');
    const { namespace, volume } = await bound();
    writeFileSync(join(files.storage, 'volumes', volume), content(4 * MIB));
    const first = await engine();
    await asked('killed', namespace);
    await eventually(
      async () => {
        expect((await volumeOf('killed')).metadata.name).toMatch(/^snap-/);
      },
      { withinMs: WITHIN_MS },
    );
    await first.kill();
    await using _ = await engine();
    const backup = await ended(kube, Backup, 'killed', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(backup['status']).toMatchObject({ attempt: 2 });
    expect(await volumeOf('killed')).toMatchObject({ status: { phase: 'Completed' } });
    expect(readdirSync(join(files.storage, 'snapshots'))).toHaveLength(1);
  });

  it('may tell no progress, and have ids that are no names', async () => {
    await using files = await plugin('--no-progress', '--odd-ids', '--pace', '0.1');
    await using _ = await engine();
    const { namespace, volume } = await bound();
    writeFileSync(join(files.storage, 'volumes', volume), content(4 * MIB));
    await asked('quiet', namespace);
    await eventually(
      async () => {
        const object = await volumeOf('quiet');
        expect(textAt(object, 'status', 'phase')).toBe('InProgress');
        const { report } = readOperation(adapterFor('VolumePluginBackup'), object, { cluster: 'c', now: Date.now() });
        expect(report).toMatchObject({ state: 'running', startedAt: expect.any(String) as string });
        expect([report.percent, report.etaSeconds]).toEqual([undefined, undefined]);
        const backup = await kube.get({ type: Backup, namespace: NAMESPACE, name: 'quiet' });
        const { bytesDone, totalBytes } = (backup['status'] as { progress: JsonObject }).progress;
        expect([bytesDone ?? 0, totalBytes]).toEqual([0, undefined]);
      },
      { withinMs: 20_000 },
    );
    const backup = await ended(kube, Backup, 'quiet', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    const object = await volumeOf('quiet');
    const snapshotID = textAt(object, 'status', 'snapshotID') ?? '';
    expect(snapshotID).toMatch(/^Snapshots\//);
    expect(nameForSnapshot(snapshotID)).not.toBe(snapshotID);
    const [info] = new BackupFiles(cluster, 'quiet').json('-volumeinfo.json.gz') as JsonObject[];
    expect(textAt(info, 'nativeSnapshotInfo', 'snapshotHandle')).toBe(snapshotID);
  });

  it('that fail say why', async () => {
    await using _files = await plugin();
    await using _ = await engine();
    const { namespace } = await bound();
    const backup = await backedUp('failed', namespace);
    expect(textAt(backup, 'status', 'phase')).toBe('PartiallyFailed');
    expect(objectsAt(backup, 'status', 'conditions')).toMatchObject([
      { type: 'VolumeDataMissing', message: expect.stringMatching(/data \(.*No such file/) as string },
    ]);
    const [info] = new BackupFiles(cluster, 'failed').json('-volumeinfo.json.gz') as JsonObject[];
    expect(info).toMatchObject({ result: 'failed', nativeSnapshotInfo: { Phase: 'Failed' } });
  });

  it('that stay silent hold nobody up for ever', async () => {
    const { namespace, volume } = await bound();
    const life = await engine(fastClock(TIMES));
    {
      await using _ = life;
      await asked('silent', namespace);
      await eventually(
        async () => {
          const backup = await kube.get({ type: Backup, namespace: NAMESPACE, name: 'silent' });
          const stalled = objectsAt(backup, 'status', 'conditions').find(({ type }) => type === 'Stalled');
          expect(textAt(stalled, 'message')).toContain(`plugin ${PLUGIN} has not written a status yet`);
        },
        { withinMs: 20_000 },
      );
      const backup = await ended(kube, Backup, 'silent', WITHIN_MS);
      expect(textAt(backup, 'status', 'phase')).toBe('PartiallyFailed');
      expect(objectsAt(backup, 'status', 'conditions')).toMatchObject([
        { type: 'VolumeDataMissing', message: expect.stringContaining('within 10 minutes') as string },
      ]);
    }
    {
      await using _ = await engine(fastClock(TIMES));
      const target = `${namespace}-silent`;
      const [[source]] = [await volumesOf(VolumePluginBackup, 'velero.io/backup-name=plain')];
      const [was] = (textsAt(source, 'metadata', 'annotations')['headway.io/claim'] ?? '').split('/');
      const spec = { backupName: 'plain', namespaceMapping: { [was ?? '']: target } };
      await request(kube, Restore, 'silent', { spec });
      const restore = await ended(kube, Restore, 'silent', WITHIN_MS);
      expect(textAt(restore, 'status', 'phase')).toBe('PartiallyFailed');
      const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: target, name: 'data' });
      expect(textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled']).toBe('silent');
      const [back] = await volumesOf(VolumePluginRestore, 'velero.io/restore-name=silent');
      expect(back!['status'] ?? {}).toEqual({});
      expect(back!.metadata.annotations?.['headway.io/cancel']).toBe('true');
    }
    // A plugin that comes later sees that nobody waits.
    await using files = await plugin();
    writeFileSync(join(files.storage, 'volumes', volume), 'late');
    const object = await volumeOf('silent');
    expect(object['status'] ?? {}).toEqual({});
    expect(object.metadata.annotations?.['headway.io/cancel']).toBe('true');
  });
});
