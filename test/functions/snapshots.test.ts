import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CUSTOM_RESOURCE_DEFINITION, PERSISTENT_VOLUME_CLAIM } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import {
  VOLUME_SNAPSHOT,
  VOLUME_SNAPSHOT_CLASS,
  VOLUME_SNAPSHOT_CONTENT,
} from '../../src/control/action/functions/snapshots/snapshot-api.ts';
import { SPACE } from '../action/action-cluster.ts';
import { eventually } from '../eventually.ts';
import { FunctionCluster, phase } from './function-cluster.ts';

const TYPES = [VOLUME_SNAPSHOT, VOLUME_SNAPSHOT_CONTENT, VOLUME_SNAPSHOT_CLASS];
const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const target = { type: VOLUME_SNAPSHOT, namespace: SPACE };
const create = (args: JsonObject = {}): JsonObject =>
  phase('CreateCSISnapshot', { pvc: 'data', namespace: SPACE, snapshotClass: 'fast', ...args });

/** Takes the kinds from the cluster, as where nobody has installed them; returns how to put them back. */
async function withoutTypes(kube: KubeClient): Promise<() => Promise<void>> {
  const type = CUSTOM_RESOURCE_DEFINITION;
  const names = TYPES.map(({ plural, group }) => `${plural}.${group}`);
  const objects = await Promise.all(names.map((name) => kube.get({ type, name })));
  for (const name of names) await kube.delete({ type, name });
  const isServed = async (): Promise<boolean> =>
    (await kube.discover()).resources.some(({ group }) => group === VOLUME_SNAPSHOT.group);
  await eventually(async () => {
    expect(await isServed()).toBe(false);
  });
  return async () => {
    for (const { apiVersion, kind, metadata, spec } of objects) {
      const { name, annotations = {} } = metadata;
      await eventually(() => kube.create({ type }, { apiVersion, kind, metadata: { name, annotations }, spec }));
    }
    await eventually(async () => {
      expect(await isServed()).toBe(true);
    });
  };
}

/** The least of a snapshot controller: every snapshot of the class `fast` is ready after a look, of others never. */
async function control(kube: KubeClient, signal: AbortSignal): Promise<void> {
  for await (const event of kube.watch({ type: VOLUME_SNAPSHOT }, { signal })) {
    if (event.type !== 'ADDED') continue;
    const { object } = event;
    const { name, namespace = '' } = object.metadata;
    const isFast = textAt(object, 'spec', 'volumeSnapshotClassName') === 'fast';
    const given = textAt(object, 'spec', 'source', 'volumeSnapshotContentName');
    const ready = {
      ...{ readyToUse: true, creationTime: '2026-01-01T00:00:00Z', restoreSize: '1Gi' },
      boundVolumeSnapshotContentName: given ?? `snapcontent-${name}`,
    };
    const status = isFast ? ready : { readyToUse: false, error: { message: 'the storage is full' } };
    await kube.patch(
      { type: VOLUME_SNAPSHOT, namespace, name },
      { kind: 'merge', body: { status } },
      { subresource: 'status' },
    );
  }
}

describe('functions of CSI snapshots', { timeout: 120_000 }, () => {
  let cluster: FunctionCluster;
  const end = new AbortController();
  let controlling: Promise<unknown> = Promise.resolve();
  beforeAll(async () => {
    cluster = await FunctionCluster.start();
    await cluster.profile('store');
    await cluster.claim('data');
  }, 120_000);
  afterAll(async () => {
    end.abort();
    await controlling;
    await cluster?.[Symbol.asyncDispose]();
  });

  it('say clearly that the cluster has no snapshots, and work once it has', async () => {
    const { kube } = cluster;
    const putBack = await withoutTypes(kube);
    await cluster.begin('unserved', [create()]);
    expect(await cluster.failure('unserved')).toContain('the cluster does not serve snapshot.storage.k8s.io/v1');
    await putBack();
    await eventually(
      () =>
        kube.create(
          { type: VOLUME_SNAPSHOT_CLASS },
          {
            ...{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshotClass', metadata: { name: 'fast' } },
            ...{ driver: 'd', deletionPolicy: 'Retain' },
          },
        ),
      { withinMs: 30_000 },
    );
    controlling = control(kube, end.signal).catch(() => undefined);

    await cluster.begin(
      'make',
      [
        create({ labels: { of: 'test' } }),
        create({ name: 'mine' }),
        phase('RestoreCSISnapshot', {
          ...{ name: 'mine', pvc: 'copy', namespace: SPACE, storageClass: 'standard', labels: { of: 'test' } },
          restoreSize: '{{ .Phases.second.Output.restoreSize }}',
        }),
      ].map((step, index) => ({ ...step, name: ['first', 'second', 'third'][index] ?? '' })),
    );
    const [first = {}, second, third] = await cluster.outputs('make');
    expect(first).toEqual({
      ...{ name: like(/^data-snapshot-\w{5}$/), pvc: 'data', namespace: SPACE, restoreSize: '1Gi' },
      snapshotContent: `snapcontent-${textAt(first, 'name') ?? ''}`,
    });
    expect(second).toMatchObject({ name: 'mine', snapshotContent: 'snapcontent-mine' });
    expect(third).toEqual({});
    const snapshot = await kube.get({ ...target, name: textAt(first, 'name') ?? '' });
    expect(snapshot).toMatchObject({
      metadata: { labels: { of: 'test' } },
      spec: { source: { persistentVolumeClaimName: 'data' }, volumeSnapshotClassName: 'fast' },
    });
    const claim = await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace: SPACE, name: 'copy' });
    expect(claim).toMatchObject({
      metadata: { labels: { of: 'test' } },
      spec: {
        ...{ accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', storageClassName: 'standard' },
        dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'mine' },
        resources: { requests: { storage: '1Gi' } },
      },
    });

    await cluster.begin('static', [
      phase('CreateCSISnapshotStatic', {
        ...{ name: 'old', namespace: SPACE, driver: 'd', snapshotHandle: 'handle-1', snapshotClass: 'fast' },
      }),
    ]);
    const [old = {}] = await cluster.outputs('static');
    const content = textAt(old, 'snapshotContent') ?? '';
    expect(await kube.get({ type: VOLUME_SNAPSHOT_CONTENT, name: content })).toMatchObject({
      spec: {
        ...{ deletionPolicy: 'Retain', driver: 'd', source: { snapshotHandle: 'handle-1' } },
        volumeSnapshotRef: { kind: 'VolumeSnapshot', name: 'old', namespace: SPACE },
      },
    });

    await cluster.begin('delete', [
      phase('DeleteCSISnapshot', { name: 'old', namespace: SPACE }),
      phase('DeleteCSISnapshotContent', { name: content }),
      phase('DeleteCSISnapshot', { name: 'never', namespace: SPACE }, { name: 'again' }),
    ]);
    await cluster.outputs('delete');
    await expect(kube.get({ ...target, name: 'old' })).rejects.toMatchObject({ code: 'notFound' });
    await expect(kube.get({ type: VOLUME_SNAPSHOT_CONTENT, name: content })).rejects.toMatchObject({
      code: 'notFound',
    });
  });

  it('take nothing of others, and fail where the storage does', async () => {
    const restore = (args: JsonObject): JsonObject =>
      phase('RestoreCSISnapshot', {
        ...{ name: 'mine', pvc: 'x', namespace: SPACE, storageClass: 's', restoreSize: '1Gi', ...args },
      });
    const cases: [string, JsonObject, RegExp][] = [
      ['taken', create({ name: 'mine' }), /already exists/],
      ['full', create({ snapshotClass: 'slow' }), /the storage is full/],
      ['claim', create({ pvc: 'nobody' }), /Failed to find PVC/],
      [
        'class',
        phase('CreateCSISnapshotStatic', {
          name: 'n',
          namespace: SPACE,
          driver: 'd',
          snapshotHandle: 'h',
          snapshotClass: 'no',
        }),
        /VolumeSnapshotClass/,
      ],
      ['missing', restore({ name: 'nobody' }), /"nobody" not found/],
      ['mode', restore({ accessModes: ['ReadWriteOncePod'] }), /Given accessMode ReadWriteOncePod is invalid/],
      ['volume', restore({ volumeMode: 'Tape' }), /Given volumeMode Tape is invalid/],
      ['zero', restore({ restoreSize: '0' }), /cannot be zero/],
      ['size', restore({ restoreSize: 'much' }), /expected a size such as 1Gi/],
    ];
    for (const [name, step] of cases) await cluster.begin(`bad-${name}`, [step]);
    for (const [name, , why] of cases) {
      expect([name, await cluster.failure(`bad-${name}`)]).toEqual([name, expect.stringMatching(why)]);
    }
  });

  it('find their own snapshot again after a kill', async () => {
    const { kube } = cluster;
    await kube.create(
      { type: VOLUME_SNAPSHOT_CLASS },
      {
        ...{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshotClass', metadata: { name: 'late' } },
        ...{ driver: 'd', deletionPolicy: 'Delete' },
      },
    );
    await cluster.begin('kill', [create({ name: 'late', snapshotClass: 'late' })]);
    const made = await eventually(() => kube.get({ ...target, name: 'late' }), { withinMs: 30_000 });
    await cluster.actions.kill();
    const status = { readyToUse: true, creationTime: '2026-01-01T00:00:00Z', restoreSize: '2Gi', error: null };
    await kube.patch({ ...target, name: 'late' }, { kind: 'merge', body: { status } }, { subresource: 'status' });
    await cluster.actions.serve();
    const [output] = await cluster.outputs('kill');
    expect(output).toMatchObject({ name: 'late', restoreSize: '2Gi' });
    expect((await kube.get({ ...target, name: 'late' })).metadata.uid).toBe(made.metadata.uid);
  });
});
