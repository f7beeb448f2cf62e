import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Backup, CONFIG_MAP, POD, Restore, VolumePluginBackup } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt } from '../../src/base/index.ts';
import { CANCEL_ANNOTATION } from '../../src/core/operations/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { OrphanMovers } from '../../src/control/controllers/orphans/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { BackupFiles } from '../engine/backup-files.ts';
import { ended, NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { newNamespace, objectOf } from '../kube-kinds.ts';
import { KopiaPlace } from './kopia-place.ts';
import { OddKopia } from './odd-kopia.ts';
import { createApplication, moversIn, requestBackup, volumesOf } from './volume-application.ts';
import { createClaim, createUser, directoryOf, startVolumeCluster } from './volume-cluster.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 90_000;
const OTHERS = 20;
const need = needs('kopia');

describe.skipIf(need.missing)(need.title('while a volume waits for its turn'), { timeout: 180_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let odd: OddKopia;
  beforeAll(async () => {
    odd = new OddKopia(() => cluster.bucket);
    cluster = await startVolumeCluster(odd.tools);
    ({ kube } = cluster);
  }, 60_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    odd[Symbol.dispose]();
  });
  afterEach(() => {
    odd.forget();
  });

  /** With one mover on a node, and one item of a restore at a time. */
  const engine = (moversPerNode = 1): Promise<Engine> =>
    startEngine(cluster, {
      controllers: (deps, caches) => [
        ...createBackupController({}, deps, caches).parts,
        ...createRestoreController({ parallel: 1 }, deps, caches).parts,
        new OrphanMovers(deps, caches),
      ],
      movers: { uploader: 'kopia', moversPerNode },
    });
  const createOthers = async (namespace: string): Promise<void> => {
    for (let index = 0; index < OTHERS; index += 1) {
      await kube.create({ type: CONFIG_MAP, namespace }, objectOf(CONFIG_MAP, `other-${index}`));
    }
  };
  const fill = async (namespace: string, claim: string): Promise<string> => {
    const directory = await directoryOf(kube, namespace, claim);
    writeFileSync(join(directory, 'file'), content(MIB, 3));
    return directory;
  };
  const held = async (volume: string): Promise<void> => {
    await eventually(
      () => {
        expect(odd.isHeld(volume)).toBe(true);
      },
      { withinMs: 60_000 },
    );
  };
  const named = async (type: typeof POD, namespace: string): Promise<string[]> => {
    const names: string[] = [];
    for await (const { items } of kube.list({ type, namespace })) {
      for (const { metadata } of items) names.push(metadata.name);
    }
    return names;
  };

  it('a pod with hooks is not frozen yet, and all the rest is archived', async () => {
    await using _ = await engine();
    const namespace = await newNamespace(kube);
    const directories: string[] = [];
    for (const [index, claim] of ['one', 'two'].entries()) {
      await createClaim(kube, namespace, claim);
      const annotations = {
        'pre.hook.backup.velero.io/command': `["touch", "/data/${claim}/frozen"]`,
        'post.hook.backup.velero.io/command': `["rm", "/data/${claim}/frozen"]`,
      };
      await createUser(kube, namespace, { name: `db-${index}`, claims: [claim], metadata: { annotations } });
      directories.push(await fill(namespace, claim));
    }
    await createOthers(namespace);
    odd.does('one', 'hold\n');
    odd.does('two', '[ -e $volume/frozen ] && echo yes >$odd/was-frozen\n');
    await requestBackup(kube, 'turns', [namespace]);
    await held('one');
    const target = { type: Backup, namespace: NAMESPACE, name: 'turns' };
    const seen = await eventually(
      async (): Promise<KubeObject> => {
        const backup = await kube.get(target);
        const kinds = objectsAt(backup, 'status', 'itemsByKind').filter(({ created, total }) => created !== total);
        // All but the second pod, and the namespace, which comes last.
        expect(kinds.map(({ kind }) => kind).toSorted(), JSON.stringify(backup['status'])).toEqual([
          'Namespace',
          'Pod',
        ]);
        expect(kinds).toContainEqual({ kind: 'Pod', total: 2, created: 1 });
        expect(valueAt(backup, 'status', 'progress', 'itemsBackedUp')).toBeGreaterThan(OTHERS);
        const waits = objectsAt(backup, 'status', 'waits').map(({ cause }) => cause);
        expect(waits).toContain(`pod ${namespace}/db-1 waits for a mover before it is frozen`);
        return backup;
      },
      { withinMs: 30_000 },
    );
    expect(valueAt(seen, 'status', 'openHooks')).toEqual([{ namespace, name: 'db-0' }]);
    expect(directories.map((directory) => existsSync(join(directory, 'frozen')))).toEqual([true, false]);
    odd.letGo('one');
    const backup = await ended(kube, Backup, 'turns', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    expect(backup['status']).toMatchObject({ hookStatus: { hooksAttempted: 4 } });
    expect(odd.said('was-frozen').trim()).toBe('yes');
    expect(directories.map((directory) => existsSync(join(directory, 'frozen')))).toEqual([false, false]);
    const list = new BackupFiles(cluster, 'turns').json('-resource-list.json.gz') as Record<string, string[]>;
    expect(list['v1/Pod']).toEqual([`${namespace}/db-0`, `${namespace}/db-1`]);
    const files = Object.values(list).flat().length;
    expect(valueAt(backup, 'status', 'progress', 'itemsBackedUp')).toBe(files);
  });

  it('a pod with hooks is not frozen while another mover prepares its repository', async () => {
    await using running = await engine(4);
    const namespace = await newNamespace(kube);
    const directories: string[] = [];
    const claims = ['one', 'two', 'three'];
    for (const claim of claims) await createClaim(kube, namespace, claim);
    const touched = claims.map((claim) => `/data/${claim}/frozen`);
    const annotations = {
      'pre.hook.backup.velero.io/command': JSON.stringify(['touch', ...touched]),
      'post.hook.backup.velero.io/command': JSON.stringify(['rm', ...touched]),
    };
    await createUser(kube, namespace, { name: 'db-0', claims, metadata: { annotations } });
    for (const claim of claims) directories.push(await fill(namespace, claim));
    odd.does('every', '[ -e $volume/frozen ] || echo "$*" >>$odd/thawed\n');
    for (const claim of claims) odd.does(claim, `echo ${claim} >>$odd/copied\n`);
    // One that cannot start, as if its image were not there.
    const { movers } = running.deps;
    const preparing = await movers.reserveRepository({ name: 'default' }, namespace, AbortSignal.timeout(WITHIN_MS));
    await requestBackup(kube, 'prepared', [namespace]);
    const target = { type: Backup, namespace: NAMESPACE, name: 'prepared' };
    const isWaiting = async (name: string): Promise<void> => {
      const backup = await kube.get({ ...target, name });
      const waits = objectsAt(backup, 'status', 'waits').map(({ cause }) => cause);
      expect(waits, JSON.stringify(backup['status'])).toContain(
        `pod ${namespace}/db-0 waits for a mover before it is frozen`,
      );
      expect(valueAt(backup, 'status', 'openHooks') ?? []).toEqual([]);
      expect(directories.map((directory) => existsSync(join(directory, 'frozen')))).toEqual([false, false, false]);
    };
    await eventually(() => isWaiting('prepared'), { withinMs: 30_000 });
    // One that is canceled meanwhile leaves nothing taken.
    const metadata = { annotations: { [CANCEL_ANNOTATION]: 'true' } };
    await kube.patch(target, { kind: 'merge', body: { metadata } });
    await ended(kube, Backup, 'prepared', WITHIN_MS);
    await requestBackup(kube, 'prepared-again', [namespace]);
    await eventually(() => isWaiting('prepared-again'), { withinMs: 30_000 });
    preparing?.end();
    const backup = await ended(kube, Backup, 'prepared-again', WITHIN_MS);
    expect(textAt(backup, 'status', 'phase'), JSON.stringify(backup['status'])).toBe('Completed');
    // All of them while it stood still, although the first of them had to prepare.
    expect([odd.said('thawed'), odd.said('copied').trim().split('\n').toSorted()]).toEqual([
      '',
      ['one', 'three', 'two'],
    ]);
    const slots = await Promise.all([1, 2, 3, 4].map(() => movers.reserve(undefined, AbortSignal.timeout(WITHIN_MS))));
    for (const leave of slots) leave();
    const next = await movers.reserveRepository({ name: 'default' }, namespace, AbortSignal.timeout(WITHIN_MS));
    expect((await next?.turn(AbortSignal.timeout(WITHIN_MS)))?.isPreparing).toBe(false);
  });

  it('pods of a restore take no place from other items, and come when their claim is filled', async () => {
    await using _ = await engine();
    const [slow, quick] = [await newNamespace(kube), await newNamespace(kube)];
    await createClaim(kube, slow, 'data');
    for (const name of ['db-0', 'db-1']) await createUser(kube, slow, { name, claims: ['data'] });
    await fill(slow, 'data');
    await createUser(kube, quick, { name: 'web-0', claims: [] });
    await createOthers(quick);
    await requestBackup(kube, 'places', [slow, quick]);
    expect(textAt(await ended(kube, Backup, 'places', WITHIN_MS), 'status', 'phase')).toBe('Completed');
    odd.does('restore', 'hold\n');
    const namespaceMapping = { [slow]: `${slow}-again`, [quick]: `${quick}-again` };
    await request(kube, Restore, 'places', { spec: { backupName: 'places', namespaceMapping } });
    await held('restore');
    await eventually(
      async () => {
        expect(await named(POD, `${quick}-again`)).toEqual(['web-0']);
        expect(await named(CONFIG_MAP, `${quick}-again`)).toEqual(expect.arrayContaining([`other-${OTHERS - 1}`]));
        const { status } = await kube.get({ type: Restore, namespace: NAMESPACE, name: 'places' });
        // All but the two pods.
        const { totalItems, itemsRestored, stage } = (status as { progress: Record<string, unknown> }).progress;
        expect([itemsRestored, stage], JSON.stringify(status)).toEqual([Number(totalItems) - 2, 'volumes']);
      },
      { withinMs: 30_000 },
    );
    const pods = await named(POD, `${slow}-again`);
    expect(pods.filter((name) => name.startsWith('db-'))).toEqual([]);
    odd.letGo('restore');
    const restore = await ended(kube, Restore, 'places', WITHIN_MS);
    expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
    expect(await named(POD, `${slow}-again`)).toEqual(['db-0', 'db-1']);
  });

  it('what it stored goes when server and backup were gone as it ended, and nothing else', async () => {
    const first = await engine();
    const namespace = await createApplication(kube, ['kept'], (directory) => {
      writeFileSync(join(directory, 'file'), content(MIB, 5));
    });
    const snapshots = async (): Promise<number> => {
      using place = new KopiaPlace();
      const repository = { kind: 'filesystem' as const, path: join(cluster.bucket, 'kopia', namespace) };
      return (await place.snapshots(repository, { password: REPOSITORY_SECRET.defaultPassword })).length;
    };
    await requestBackup(kube, 'stays', [namespace]);
    expect(textAt(await ended(kube, Backup, 'stays', WITHIN_MS), 'status', 'phase')).toBe('Completed');
    expect(await snapshots()).toBe(1);
    odd.does('kept', 'hold\n');
    await requestBackup(kube, 'goes', [namespace]);
    await held('kept');
    await first.kill();
    await kube.delete({ type: Backup, namespace: NAMESPACE, name: 'goes' });
    odd.letGo('kept');
    await eventually(
      async () => {
        const phases: string[] = [];
        for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector: 'headway.io/pod' })) {
          for (const pod of items) phases.push(textAt(pod, 'status', 'phase') ?? '');
        }
        expect(phases).toEqual(['Succeeded']);
      },
      { withinMs: 30_000 },
    );
    expect(await snapshots()).toBe(2);
    await using _ = await engine();
    await eventually(
      async () => {
        expect(await moversIn(kube, namespace)).toEqual([]);
      },
      { withinMs: 60_000 },
    );
    expect(await snapshots()).toBe(1);
    expect((await volumesOf(kube, VolumePluginBackup, 'stays')).size).toBe(1);
    expect(await moversIn(kube, NAMESPACE)).toEqual([]);
  });
});
