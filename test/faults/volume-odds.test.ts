import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  Backup,
  PERSISTENT_VOLUME_CLAIM,
  POD,
  Restore,
  VolumePluginBackup,
  VolumePluginRestore,
} from '../../src/api/index.ts';
import { objectsAt, textAt, textsAt, valueAt } from '../../src/base/index.ts';
import type { Uploader } from '../../src/control/volumes/index.ts';
import { readObject } from '../../src/control/runtime/objects/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content, describeTree, type TreeFacts } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { createLocation, ended, NAMESPACE, request, type EngineCluster } from '../engine/engine.ts';
import { mayMount, SmallDisk } from '../small-disk.ts';
import { BrokenRepository } from '../volumes/broken-repository.ts';
import { KopiaPlace } from '../volumes/kopia-place.ts';
import {
  createApplication,
  moversIn,
  requestBackup,
  startVolumeEngine,
  volumesOf,
} from '../volumes/volume-application.ts';
import {
  makeBeyond,
  makeDeep,
  makeOdd,
  makeSparse,
  NeverStill,
  removeBeyond,
  SPECIAL,
  writeNameless,
} from '../volumes/ugly-trees.ts';
import { directoryOf, startVolumeCluster } from '../volumes/volume-cluster.ts';
import { IS_CAMPAIGN } from './seeded-random.ts';
import { VolumeRecord } from './volume-record.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = IS_CAMPAIGN ? 3_600_000 : 120_000;
/** All of it is read, because nobody tells Node where the holes are: a terabyte takes eight times as long as this. */
const SPARSE_GIB = IS_CAMPAIGN ? 128 : 0.25;
const FULL = 'the disk is full';
const need = needs('kopia');
const noMount = mayMount() ? '' : ' (skipped: only root may mount)';

/** Phase and message of each volume, by its claim. */
type Told = Record<string, [phase: string, message: string]>;

describe.skipIf(need.missing)(need.title('volumes as users have them'), { timeout: 3_700_000 }, () => {
  let cluster: EngineCluster;
  let kube: KubeClient;
  let place: KopiaPlace;
  beforeAll(async () => {
    place = new KopiaPlace();
    cluster = await startVolumeCluster();
    ({ kube } = cluster);
  }, 60_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    place[Symbol.dispose]();
  });

  const told = async (type: typeof VolumePluginBackup | typeof VolumePluginRestore, owner: string): Promise<Told> => {
    const volumes = await volumesOf(kube, type, owner);
    return Object.fromEntries<Told[string]>(
      [...volumes].map(([claim, one]) => [
        claim,
        [textAt(one, 'status', 'phase') ?? '', textAt(one, 'status', 'message') ?? ''],
      ]),
    );
  };
  /** One sentence, an end, and no percent of a success. */
  const expectFailed = (volume: KubeObject | undefined, sentence: string | RegExp): void => {
    const message = textAt(volume, 'status', 'message') ?? '';
    expect(message).toMatch(sentence);
    expect(message.split('\n')).toHaveLength(1);
    expect(message.length).toBeLessThan(600);
    expect(textAt(volume, 'status', 'phase')).toBe('Failed');
    expect(textAt(volume, 'status', 'completionTimestamp')).toBeDefined();
    expect(Number(valueAt(volume, 'status', 'progress', 'percent') ?? 0)).toBeLessThan(100);
  };
  const phaseOf = (object: KubeObject): string | undefined => textAt(object, 'status', 'phase');
  const nothingLeft = async (...namespaces: string[]): Promise<void> => {
    for (const namespace of [...namespaces, NAMESPACE]) expect(await moversIn(kube, namespace)).toEqual([]);
  };
  const isThere = async (type: typeof POD, namespace: string, name: string): Promise<boolean> =>
    (await readObject({ type, namespace, name }, { kube }, AbortSignal.timeout(30_000))) !== undefined;
  const restored = async (name: string, backupName: string, namespaces: readonly string[]): Promise<KubeObject> => {
    const namespaceMapping = Object.fromEntries(namespaces.map((one) => [one, `${one}-again`]));
    await request(kube, Restore, name, { spec: { backupName, namespaceMapping } });
    return await ended(kube, Restore, name, WITHIN_MS);
  };
  /** What either uploader keeps of a tree. */
  const kept = (directory: string, uploader: Uploader): Record<string, TreeFacts> => {
    const facts = describeTree(directory, { directoryTimes: uploader === 'stream' });
    return Object.fromEntries(
      Object.entries(facts)
        .filter(([, { type }]) => type !== 'other')
        .map(([path, { sameAs, ...rest }]) => [
          path,
          uploader === 'stream' && sameAs !== undefined ? { ...rest, sameAs } : rest,
        ]),
    );
  };

  it.each<Uploader>(['kopia', 'stream'])('hold anything and never stand still, with %s', async (uploader) => {
    await using _ = await startVolumeEngine(cluster, { uploader, moversPerNode: 8 });
    using busy = new NeverStill();
    const outside = join(cluster.directory, 'outside');
    mkdirSync(outside, { recursive: true });
    writeFileSync(join(outside, 'file'), 'not yours');
    const untouched = describeTree(outside);
    const fillers: Record<string, (directory: string) => void> = {
      good: (directory) => {
        writeFileSync(join(directory, 'file'), content(MIB, 1));
      },
      odd: (directory) => {
        makeOdd(directory, outside);
      },
      deep: makeDeep,
      beyond: makeBeyond,
      nameless: (directory) => {
        writeNameless(directory, 0xff, 'one');
      },
      twins: (directory) => {
        writeNameless(directory, 0xff, 'one');
        writeNameless(directory, 0xfe, 'other');
      },
      sparse: (directory) => {
        makeSparse(directory, SPARSE_GIB);
      },
      moving: (directory) => {
        busy.begin(directory);
      },
    };
    const namespace = await createApplication(kube, Object.keys(fillers), (directory, claim) => {
      fillers[claim]!(directory);
    });
    const at = (claim: string) => directoryOf(kube, namespace, claim);
    const name = `any-${uploader}`;
    await using record = new VolumeRecord(kube, VolumePluginBackup, name);
    try {
      await requestBackup(kube, name, [namespace]);
      const backup = await ended(kube, Backup, name, WITHIN_MS);
      expect(phaseOf(backup), JSON.stringify(backup['status'])).toBe('PartiallyFailed');
    } finally {
      busy[Symbol.dispose]();
      removeBeyond(await at('beyond'));
    }
    const volumes = await volumesOf(kube, VolumePluginBackup, name);
    const lost = uploader === 'kopia' ? ['beyond', 'twins'] : ['beyond'];
    const phases = Object.entries(await told(VolumePluginBackup, name)).filter(([, [phase]]) => phase !== 'Completed');
    expect(phases.map(([claim]) => claim).toSorted()).toEqual(lost);
    expectFailed(volumes.get('beyond'), /cannot read .*(file name too long|name too long)/i);
    if (uploader === 'kopia') expectFailed(volumes.get('twins'), 'look the same');
    const note = textAt(volumes.get('odd'), 'status', 'message') ?? '';
    expect(note).toContain(`left out, being no files or links: ${SPECIAL.length} files: `);
    for (const special of SPECIAL) expect(note).toContain(special);
    record.expectLaws();
    await nothingLeft(namespace);

    await using back = new VolumeRecord(kube, VolumePluginRestore, name);
    const restore = await restored(name, name, [namespace]);
    const target = (claim: string) => directoryOf(kube, `${namespace}-again`, claim);
    const fills = await told(VolumePluginRestore, name);
    expect(
      Object.values(fills).filter(([phase]) => phase !== 'Completed'),
      JSON.stringify(fills),
    ).toEqual([]);
    expect(['Completed', 'PartiallyFailed']).toContain(phaseOf(restore));
    for (const claim of ['good', 'odd', 'deep', ...(uploader === 'stream' ? ['nameless', 'twins'] : [])]) {
      expect(kept(await target(claim), uploader), claim).toEqual(kept(await at(claim), uploader));
    }
    const sparse = lstatSync(join(await target('sparse'), 'sparse'));
    expect(sparse.size).toBe(SPARSE_GIB * 1024 * MIB);
    expect(sparse.blocks * 512).toBeLessThan(64 * MIB);
    const moving = readdirSync(await target('moving'));
    expect(moving.filter((file) => file.startsWith('calm-'))).toHaveLength(400);
    expect(moving).toContain('grows');
    expect(describeTree(outside)).toEqual(untouched);
    back.expectLaws();
    await nothingLeft(`${namespace}-again`);
  });

  it.skipIf(noMount !== '')(`are in repositories that somebody broke${noMount}`, async () => {
    await using _ = await startVolumeEngine(cluster, { moversPerNode: 8 });
    const states = ['whole', 'password', 'locked', 'newer', 'dataless', 'headless', 'readonly', 'full'] as const;
    const namespaces = await Promise.all(
      states.map((state) =>
        createApplication(kube, [state], (directory) => {
          writeFileSync(join(directory, 'file'), content(MIB, state.length));
        }),
      ),
    );
    const namespaceOf = (state: (typeof states)[number]): string => namespaces[states.indexOf(state)]!;
    const repositories = new Map(
      states.map((state) => [state, new BrokenRepository(join(cluster.bucket, 'kopia', namespaceOf(state)), place)]),
    );
    const at = (state: (typeof states)[number]): BrokenRepository => repositories.get(state)!;
    using _full = new SmallDisk(at('full').path, '16m');
    using readonly = new SmallDisk(at('readonly').path, '16m');
    at('locked').createOld();
    await requestBackup(kube, 'sound', namespaces);
    const sound = await ended(kube, Backup, 'sound', WITHIN_MS);
    expect(phaseOf(sound), JSON.stringify([sound['status'], await told(VolumePluginBackup, 'sound')])).toBe(
      'Completed',
    );

    at('password').changePassword();
    at('locked').lock();
    at('newer').needNewerKopia();
    at('dataless').lose('p');
    at('headless').lose('q');
    readonly.forbidWriting();
    const large = await directoryOf(kube, namespaceOf('full'), 'full');
    writeFileSync(join(large, 'large'), content(48 * MIB, 3));
    await using record = new VolumeRecord(kube, VolumePluginBackup, 'broken');
    await requestBackup(kube, 'broken', namespaces);
    expect(phaseOf(await ended(kube, Backup, 'broken', WITHIN_MS))).toBe('PartiallyFailed');
    const volumes = await volumesOf(kube, VolumePluginBackup, 'broken');
    expect(phaseOf(volumes.get('whole')!)).toBe('Completed');
    const sentences = {
      password: 'velero-repo-credentials',
      locked: 'the repository is locked: somebody upgrades it',
      newer: 'a newer kopia made the repository',
      dataless: 'a part of the repository is missing',
      headless: 'a part of the repository is missing',
      readonly: 'the file system is read-only',
      full: FULL,
    };
    for (const [state, sentence] of Object.entries(sentences)) expectFailed(volumes.get(state), sentence);
    // What could be taken for a good one, and cannot be restored, is not there.
    expect(await at('dataless').snapshots()).toBe(1);
    record.expectLaws();
    await nothingLeft(...namespaces);

    await using back = new VolumeRecord(kube, VolumePluginRestore, 'broken');
    expect(phaseOf(await restored('broken', 'sound', namespaces))).toBe('PartiallyFailed');
    const fills = await volumesOf(kube, VolumePluginRestore, 'broken');
    const { readonly: _r, full: _f, ...unreadable } = sentences;
    for (const state of states) {
      const sentence = (unreadable as Record<string, string>)[state];
      const again = `${namespaceOf(state)}-again`;
      const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: again, name: state });
      const mark = textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled'];
      if (sentence === undefined) {
        expect(fills.get(state), state).toMatchObject({ status: { phase: 'Completed' } });
        expect(statSync(join(await directoryOf(kube, again, state), 'file')).size).toBe(MIB);
      } else expectFailed(fills.get(state), sentence);
      expect(mark, state).toBe(sentence === undefined ? undefined : 'broken');
      expect(await isThere(POD, again, 'db-0'), state).toBe(sentence === undefined);
    }
    back.expectLaws();
    await nothingLeft(...namespaces.map((one) => `${one}-again`));
  });

  it('are in archives that somebody broke', async () => {
    await using _ = await startVolumeEngine(cluster, { uploader: 'stream', moversPerNode: 8 });
    const claims = ['whole', 'cut', 'torn', 'emptied', 'deleted'];
    const namespace = await createApplication(kube, claims, (directory) => {
      writeFileSync(join(directory, 'file'), content(2 * MIB, 5));
    });
    await requestBackup(kube, 'archives', [namespace]);
    expect(phaseOf(await ended(kube, Backup, 'archives', WITHIN_MS))).toBe('Completed');
    const volumes = await volumesOf(kube, VolumePluginBackup, 'archives');
    const archive = (claim: string): string =>
      join(cluster.bucket, 'backups/archives/volumes', `${volumes.get(claim)!.metadata.name}.tar.zst`);
    truncateSync(archive('cut'), MIB);
    writeFileSync(archive('torn'), content(16, 9), { flag: 'r+' });
    truncateSync(archive('emptied'), 0);
    rmSync(archive('deleted'));
    await using back = new VolumeRecord(kube, VolumePluginRestore, 'archives');
    expect(phaseOf(await restored('archives', 'archives', [namespace]))).toBe('PartiallyFailed');
    const fills = await volumesOf(kube, VolumePluginRestore, 'archives');
    expect(phaseOf(fills.get('whole')!)).toBe('Completed');
    for (const claim of ['cut', 'torn', 'emptied']) expectFailed(fills.get(claim), 'its archive is broken');
    expectFailed(fills.get('deleted'), 'no such object');
    back.expectLaws();
    await nothingLeft(`${namespace}-again`);
  });

  // A repository on a full disk is among the broken ones above; kopia tries half a minute to write to it.
  const uploaders: Uploader[] = IS_CAMPAIGN ? ['kopia', 'stream'] : ['stream'];
  it.skipIf(noMount !== '').each(uploaders)(`meet a disk that is full, with %s${noMount}`, async (uploader) => {
    // One after the other, in the order of their names: the first is there before the disk is full.
    await using _ = await startVolumeEngine(cluster, { uploader, movers: 1 });
    const namespace = await createApplication(kube, ['a-small', 'b-large'], (directory, claim) => {
      writeFileSync(join(directory, 'file'), content(claim === 'a-small' ? MIB : 48 * MIB, 7));
    });
    const name = `room-${uploader}`;
    await requestBackup(kube, name, [namespace]);
    expect(phaseOf(await ended(kube, Backup, name, WITHIN_MS))).toBe('Completed');
    {
      using _disk = new SmallDisk(join(cluster.directory, 'pocket/volumes'), '16m');
      await using back = new VolumeRecord(kube, VolumePluginRestore, name);
      expect(phaseOf(await restored(name, name, [namespace]))).toBe('PartiallyFailed');
      const fills = await volumesOf(kube, VolumePluginRestore, name);
      expect(phaseOf(fills.get('a-small')!)).toBe('Completed');
      expectFailed(fills.get('b-large'), FULL);
      back.expectLaws();
      await nothingLeft(`${namespace}-again`);
    }
    const tiny = join(cluster.directory, 'stores', `tiny-${uploader}`);
    using _disk = new SmallDisk(tiny, '16m');
    await createLocation(kube, `tiny-${uploader}`, { objectStorage: { bucket: `tiny-${uploader}` } });
    await using record = new VolumeRecord(kube, VolumePluginBackup, `full-${uploader}`);
    const spec = {
      includedNamespaces: [namespace],
      defaultVolumesToFsBackup: true,
      storageLocation: `tiny-${uploader}`,
    };
    await request(kube, Backup, `full-${uploader}`, { spec });
    const backup = await ended(kube, Backup, `full-${uploader}`, WITHIN_MS);
    record.expectLaws();
    await nothingLeft(namespace);
    expectFailed(record.last('b-large')?.object, FULL);
    expect(JSON.stringify(objectsAt(backup, 'status', 'conditions'))).toContain(`${namespace}/b-large`);
    if (uploader === 'kopia') {
      // kopia keeps what it had written until it is maintained, so that the rest of the backup has no room either.
      expect(phaseOf(backup)).toBe('Failed');
      const reason = textAt(backup, 'status', 'failureReason') ?? '';
      // One sentence, which says where.
      expect(reason).toMatch(/^[^\n]{10,300}$/);
      expect(reason).toContain(`tiny-${uploader}`);
      expect(reason).toContain(FULL);
      return;
    }
    expect(phaseOf(backup), JSON.stringify(backup['status'])).toBe('PartiallyFailed');
    expect(record.last('a-small')).toMatchObject({ phase: 'Completed' });
    expect(existsSync(join(tiny, '.headway-uploads'))).toBe(false);
  });
});
