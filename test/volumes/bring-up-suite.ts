import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PERSISTENT_VOLUME_CLAIM, POD, Restore } from '../../src/api/index.ts';
import { objectsAt, textAt, textsAt, type JsonObject } from '../../src/base/index.ts';
import { planOfRestore } from '../../src/control/controllers/restore/index.ts';
import type { MoverSettings, Uploader } from '../../src/control/volumes/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { content, describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { ended, NAMESPACE, request, type Engine } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { newNamespace } from '../kube-kinds.ts';
import { moversIn } from './volume-application.ts';
import { createClaim, createUser, directoryOf } from './volume-cluster.ts';

const MIB = 1024 * 1024;
const WITHIN_MS = 120_000;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const PLAN = 'migration.openshift.io/migrated-by-migplan';
const CLAIMS_ONLY = { includedResources: ['persistentvolumeclaims'] };

const ofPlan = (plan: string): JsonObject => ({
  labels: {
    [PLAN]: plan,
    'migration.openshift.io/migrated-by-migmigration': 'm-1',
    'migration-stage-restore': 'm-1',
  },
});

export interface BringUpSuite {
  kube: () => KubeClient;
  engine: (movers: Partial<MoverSettings> & { uploader: Uploader }) => Promise<Engine>;
  backedUp: (name: string, files: (directory: string) => void) => Promise<{ namespace: string; directory: string }>;
  volumesOf: (restore: string) => Promise<KubeObject[]>;
}

/** What happens to claims that exist when a migration restores. */
export function describeBringUp({ kube, engine, backedUp, volumesOf }: BringUpSuite): void {
  /** A namespace whose claim has files of another time. */
  const older = async (labels: JsonObject): Promise<{ namespace: string; directory: string }> => {
    const namespace = await newNamespace(kube());
    await createClaim(kube(), namespace, 'data');
    await label(namespace, labels);
    const directory = await directoryOf(kube(), namespace, 'data');
    mkdirSync(join(directory, 'old/below'), { recursive: true });
    writeFileSync(join(directory, 'old/below/file'), 'old');
    // What is a folder in the backup, and a link out of the volume.
    writeFileSync(join(directory, 'a'), 'a file');
    writeFileSync(join(directory, 'big'), content(MIB, 8));
    linkSync(join(directory, 'big'), join(directory, 'link'));
    symlinkSync('/etc', join(directory, 'empty'));
    execFileSync('mkfifo', [join(directory, '.hidden')]);
    return { namespace, directory };
  };
  const label = async (namespace: string, labels: JsonObject): Promise<void> => {
    const target = { type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'data' };
    await kube().patch(target, { kind: 'merge', body: { metadata: { labels } } });
  };
  const restored = async (name: string, spec: JsonObject, metadata: JsonObject = {}): Promise<KubeObject> => {
    await request(kube(), Restore, name, { spec, metadata });
    return await ended(kube(), Restore, name, WITHIN_MS);
  };
  const conditionOf = (object: KubeObject | undefined, type: string): string | undefined => {
    const found = objectsAt(object, 'status', 'conditions').find((condition) => condition['type'] === type);
    return textAt(found, 'message');
  };
  const markOf = async (namespace: string): Promise<string | undefined> => {
    const claim = await kube().get({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: 'data' });
    return textsAt(claim, 'metadata', 'annotations')['headway.io/unfilled'];
  };
  const endPod = async (namespace: string, name: string): Promise<void> => {
    const target = { type: POD, namespace, name };
    await kube().delete(target, { gracePeriodSeconds: 0 });
    await eventually(async () => {
      await expect(kube().get(target)).rejects.toMatchObject({ code: 'notFound' });
    });
  };

  /** All of them leave the claim alone. */
  const refused = async (
    namespace: string,
    isKept: (name: string, metadata: JsonObject, more?: JsonObject) => Promise<unknown>,
  ): Promise<void> => {
    await isKept('empty', ofPlan(''));
    await label(namespace, { [PLAN]: null });
    await isKept('unlabeled', ofPlan('p-1'));
    await label(namespace, { [PLAN]: 'p-2' });
    await isKept('other', ofPlan('p-1'), { existingResourcePolicy: 'update' });
    await label(namespace, { [PLAN]: 'p-1' });
    await isKept('user', { labels: { [PLAN]: 'p-1' } });
    await createUser(kube(), namespace, { name: 'user', claims: ['data'] });
    await isKept('mounted', ofPlan('p-1'));
    await endPod(namespace, 'user');
  };

  it.each<Uploader>(['stream', 'kopia'])(
    'bring a claim of their plan up to the backup if no pod mounts it, and no other, with %s',
    async (uploader) => {
      await using running = await engine({ uploader, movers: 1 });
      const backup = `up-${uploader}`;
      const source = await backedUp(backup, (at) => {
        makeTree(at, KEEPS);
        writeFileSync(join(at, 'big'), content(2 * MIB, 7));
      });
      const { namespace, directory } = await older({ [PLAN]: '' });
      const before = describeTree(directory, KEEPS);
      const spec = { backupName: backup, namespaceMapping: { [source.namespace]: namespace } };
      const claims = { ...spec, ...CLAIMS_ONLY };
      const kept = `claims that exist keep what they have: ${namespace}/data`;
      const isKept = async (name: string, metadata: JsonObject, more: JsonObject = {}): Promise<KubeObject> => {
        const restore = await restored(`${backup}-${name}`, { ...claims, ...more }, metadata);
        expect(conditionOf(restore, 'VolumeDataKept'), name).toBe(kept);
        expect(conditionOf(restore, 'VolumeDataBroughtUp'), name).toBeUndefined();
        expect(describeTree(directory, KEEPS), name).toEqual(before);
        expect(await volumesOf(`${backup}-${name}`), name).toEqual([]);
        expect(await markOf(namespace), name).toBeUndefined();
        return restore;
      };
      // Who decides is the same for both.
      if (uploader === 'stream') await refused(namespace, isKept);
      await label(namespace, { [PLAN]: 'p-1' });

      // A pod that starts while the mover waits for its turn.
      const free = await running.deps.movers.reserve(undefined, AbortSignal.timeout(WITHIN_MS));
      const late = `${backup}-late`;
      await request(kube(), Restore, late, { spec: claims, metadata: ofPlan('p-1') });
      await eventually(async () => {
        expect(await volumesOf(late)).toHaveLength(1);
      });
      await createUser(kube(), namespace, { name: 'late', claims: ['data'] });
      free();
      const lateOne = await ended(kube(), Restore, late, WITHIN_MS);
      expect([conditionOf(lateOne, 'VolumeDataKept'), textAt(lateOne, 'status', 'phase')]).toEqual([kept, 'Completed']);
      expect([describeTree(directory, KEEPS), await volumesOf(late), await markOf(namespace)]).toEqual([
        before,
        [],
        undefined,
      ]);
      await endPod(namespace, 'late');

      const name = `${backup}-brought-up`;
      const object = {
        apiVersion: 'velero.io/v1',
        kind: 'Restore',
        metadata: { name, namespace: NAMESPACE, ...ofPlan('p-1') },
        spec,
      };
      const plan = await planOfRestore(object, running.deps, {}, AbortSignal.timeout(WITHIN_MS));
      expect(plan.volumes).toMatchObject([{ claim: `${namespace}/data`, plugin: uploader }]);
      expect(plan.warnings).toContainEqual(expect.stringContaining('files that are not in it are removed'));
      expect(describeTree(directory, KEEPS)).toEqual(before);

      const restore = await restored(name, { ...spec, existingResourcePolicy: 'update' }, ofPlan('p-1'));
      expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
      expect(describeTree(directory, KEEPS)).toEqual(describeTree(source.directory, KEEPS));
      expect(conditionOf(restore, 'VolumeDataKept')).toBeUndefined();
      expect(conditionOf(restore, 'VolumeDataBroughtUp')).toBe(
        `claims of the same plan were brought up to the backup: ${namespace}/data (3 files removed)`,
      );
      const [volume] = await volumesOf(name);
      expect(volume).toMatchObject({
        metadata: { annotations: { 'headway.io/brought-up': 'true' } },
        status: { phase: 'Completed', removedFiles: 3, progress: { percent: 100 } },
      });
      expect(conditionOf(volume, 'BroughtUp')).toContain('not in it, and removed: 3 files');
      expect(await markOf(namespace)).toBeUndefined();
      // The pod that came with the restore waited.
      const pod = await kube().get({ type: POD, namespace, name: 'db-0' });
      expect((pod.metadata.creationTimestamp ?? '') >= (textAt(volume, 'status', 'completionTimestamp') ?? '')).toBe(
        true,
      );
    },
  );

  const kills = (['stream', 'kopia'] as const).flatMap((uploader) =>
    (['server', 'mover'] as const).map((victim) => ({ uploader, victim })),
  );
  const inCampaign = IS_CAMPAIGN ? '' : ' (skipped: HEADWAY_CAMPAIGN=1 runs it)';
  it.skipIf(!IS_CAMPAIGN).each(kills)(
    `bring a claim up although its $victim is killed, with $uploader${inCampaign}`,
    async ({ uploader, victim }) => {
      const first = await engine({ uploader });
      const backup = `up-${uploader}-${victim}`;
      const source = await backedUp(backup, (at) => {
        for (let index = 0; index < 6; index += 1) writeFileSync(join(at, `f${index}`), content(16 * MIB, index));
      });
      const { namespace, directory } = await older({ [PLAN]: 'p-1' });
      const spec = { backupName: backup, namespaceMapping: { [source.namespace]: namespace } };
      await request(kube(), Restore, backup, { spec, metadata: ofPlan('p-1') });
      await eventually(
        async () => {
          const [volume] = await volumesOf(backup);
          expect(textAt(volume, 'status', 'phase')).toBe('InProgress');
          expect(await markOf(namespace)).toBe(backup);
          expect(await moversIn(kube(), namespace)).not.toEqual([]);
        },
        { withinMs: 60_000 },
      );
      if (victim === 'server') await first.kill();
      else await endPod(namespace, (await moversIn(kube(), namespace))[0] ?? '');
      await using _ = victim === 'server' ? await engine({ uploader }) : first;
      const restore = await ended(kube(), Restore, backup, WITHIN_MS);
      expect(textAt(restore, 'status', 'phase'), JSON.stringify(restore['status'])).toBe('Completed');
      expect(describeTree(directory, KEEPS)).toEqual(describeTree(source.directory, KEEPS));
      expect(conditionOf(restore, 'VolumeDataBroughtUp')).toContain(`${namespace}/data`);
      expect(await markOf(namespace)).toBeUndefined();
    },
  );
}
