import { describe, expect, it } from 'vitest';
import { finish } from '../../../test/finish.ts';
import { restoreOf } from '../../../test/restore-action.ts';
import type { JsonObject } from '../../base/index.ts';
import type { BackupVolumeInfo } from '../backup/index.ts';
import type { VolumeFinding } from '../volumes/index.ts';
import {
  BUILT_IN_ACTIONS,
  decideVolumes,
  missingData,
  prepareItem,
  type PrepareDeps,
  type Prepared,
  type VolumeDecision,
} from './index.ts';

const LABELS = { 'velero.io/backup-name': 'b', 'velero.io/restore-name': 'r' };
const META = {
  uid: 'u',
  resourceVersion: '1',
  generation: 3,
  ownerReferences: [{}],
  generateName: 'g-',
  selfLink: '/',
};
const deps = (more: Partial<PrepareDeps> = {}, spec: Parameters<typeof restoreOf>[0] = {}): PrepareDeps => ({
  restore: restoreOf(spec),
  names: { restoreName: 'r', backupName: 'b' },
  actions: BUILT_IN_ACTIONS,
  config: { storageClasses: {}, images: {}, hasStorageClass: () => true },
  volumes: new Map(),
  restoresStatus: () => false,
  ...more,
});
const prepare = (...given: Parameters<typeof prepareItem>): Prepared => finish(prepareItem(...given));
const sent = (prepared: Prepared) => {
  if (prepared.kind === 'skip') throw new Error(prepared.reason);
  return prepared;
};
const cm = { groupResource: 'configmaps', namespace: 'a', name: 'm' };
const item = (metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'a', ...META, ...metadata },
  data: { k: 'v' },
  status: { phase: 'x' },
});

describe('an item', () => {
  it('loses its first life, keeps its own things, and says where it came from', () => {
    const kept = { labels: { app: 'x' }, annotations: { note: 'y' }, finalizers: ['f'] };
    const before = item(kept);
    const snapshot = structuredClone(before);
    expect(sent(prepare(cm, before, deps()))).toEqual({
      kind: 'send',
      item: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'm', namespace: 'a', ...kept, labels: { app: 'x', ...LABELS } },
        data: { k: 'v' },
      },
      additionalItems: [],
      warnings: [],
      errors: [],
      status: undefined,
      managedFields: undefined,
    });
    expect(before).toEqual(snapshot);
  });

  it('goes to the namespace that its own is mapped to, after modifiers saw the old one', () => {
    const seen: unknown[] = [];
    const modifiers = {
      *apply(_: string, one: JsonObject) {
        yield;
        seen.push((one.metadata as JsonObject)['namespace']);
        return { item: one, problems: [] };
      },
    };
    const { metadata } = sent(prepare(cm, item(), deps({ modifiers }, { namespaceMapping: { a: 'x' } }))).item;
    expect(metadata).toMatchObject({ namespace: 'x' });
    expect(seen).toEqual(['a']);
  });

  it('carries its managed fields only if somebody applies it', () => {
    const fields = (operation: string) => [
      { manager: 'm', operation },
      { manager: 'n', operation: 'Update' },
    ];
    const of = (operation: string) => sent(prepare(cm, item({ managedFields: fields(operation) }), deps()));
    expect(of('Update').managedFields).toBeUndefined();
    expect(of('Apply').managedFields).toEqual(fields('Apply'));
    expect(of('Apply').item.metadata).not.toHaveProperty('managedFields');
  });

  it.each<[boolean, string | undefined, boolean]>([
    [false, undefined, false],
    [true, undefined, true],
    [true, 'false', false],
    [false, 'true', true],
    [true, ' False', false],
    [false, 'True ', true],
    [true, 'maybe', true],
  ])('gets its status back: asked %s, annotated %s: %s', (asked, annotation, expected) => {
    const annotations = annotation === undefined ? {} : { 'velero.io/restore-status': annotation };
    const prepared = sent(prepare(cm, item({ annotations }), deps({ restoresStatus: () => asked })));
    expect(prepared.status).toEqual(expected ? { phase: 'x' } : undefined);
  });

  it('gets its status back when a modifier says so', () => {
    const annotations = { 'velero.io/restore-status': 'true' };
    const modifiers = {
      *apply(_: string, one: JsonObject) {
        yield;
        return { item: { ...one, metadata: { ...(one.metadata as JsonObject), annotations } }, problems: ['x'] };
      },
    };
    expect(sent(prepare(cm, item(), deps({ modifiers })))).toMatchObject({ status: { phase: 'x' }, errors: ['x'] });
  });

  it('that is not in the archive is an error', () => {
    expect(() => prepare(cm, undefined, deps())).toThrow(/configmaps m: it is not in the archive/);
  });
});

describe('skipped', () => {
  const pod = (more: JsonObject): JsonObject => ({ kind: 'Pod', metadata: { name: 'p', namespace: 'a' }, ...more });
  it.each<[string, string, JsonObject, boolean]>([
    ['a pod that succeeded', 'pods', pod({ status: { phase: 'Succeeded' } }), true],
    ['a pod that failed', 'pods', pod({ status: { phase: 'Failed' } }), true],
    ['not a running one', 'pods', pod({ status: { phase: 'Running' } }), false],
    ['a mirror', 'pods', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'h' } } }, true],
    ['a completed job', 'jobs.batch', { status: { completionTime: 't' } }, true],
    ['not a job under way', 'jobs.batch', { status: { startTime: 't' } }, false],
    ['what only tells where data is', 'datauploads.velero.io', {}, true],
    [
      'what an action skips',
      'apiservices.apiregistration.k8s.io',
      { metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } } },
      true,
    ],
  ])('%s', (_, groupResource, one, isSkipped) => {
    const prepared = prepare({ groupResource, namespace: 'a', name: 'p' }, one, deps());
    expect(prepared.kind).toBe(isSkipped ? 'skip' : 'send');
  });

  it('is told apart from what was over', () => {
    const of = (groupResource: string, one: JsonObject) =>
      prepare({ groupResource, namespace: 'a', name: 'p' }, one, deps());
    expect(of('jobs.batch', { status: { completionTime: 't' } })).toMatchObject({ kind: 'skip', isOver: true });
    expect(of('pods', pod({ status: { phase: 'Failed' } }))).toMatchObject({ isOver: true });
    expect(of('datauploads.velero.io', {})).not.toHaveProperty('isOver');
  });
});

describe('a namespace', () => {
  it('comes back under its new name, without our labels', () => {
    const namespace = {
      kind: 'Namespace',
      metadata: {
        name: 'a',
        ...META,
        labels: { 'kubernetes.io/metadata.name': 'a', team: 'web' },
        finalizers: ['example.com/waits'],
      },
      status: {},
    };
    const prepared = prepare(
      { groupResource: 'namespaces', name: 'a' },
      namespace,
      deps({}, { namespaceMapping: { a: 'x' } }),
    );
    expect(sent(prepared).item).toEqual({ kind: 'Namespace', metadata: { name: 'x', labels: { team: 'web' } } });
  });

  it('is blank if the backup has none', () => {
    const prepared = prepare({ groupResource: 'namespaces', name: 'a' }, undefined, deps());
    expect(sent(prepared).item).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
  });
});

it('marks a claim that will be filled from its first moment on, and no other', () => {
  const key = { groupResource: 'persistentvolumeclaims', namespace: 'a', name: 'data' };
  const claim = { kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'a' }, spec: {} };
  const annotationsWith = (decision: VolumeDecision): unknown => {
    const { item: made } = sent(prepare(key, claim, deps({ claims: new Map([['a/data', decision]]) })));
    return (made['metadata'] as JsonObject)['annotations'];
  };
  expect(annotationsWith({ kind: 'data' })).toEqual({ 'headway.io/unfilled': 'r' });
  expect(annotationsWith({ kind: 'provision', reason: 'it was empty' })).toBeUndefined();
});

describe('volumes', () => {
  const volume = (persistentVolumeReclaimPolicy: string): JsonObject => ({
    kind: 'PersistentVolume',
    metadata: { name: 'v', annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    spec: { persistentVolumeReclaimPolicy, claimRef: { name: 'c', namespace: 'a', uid: 'u', resourceVersion: '1' } },
  });
  const claim: JsonObject = {
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', namespace: 'a' },
    spec: { volumeName: 'v' },
  };
  const info = (more: Partial<BackupVolumeInfo>): BackupVolumeInfo => ({
    pvName: 'v',
    snapshotDataMoved: false,
    preserveLocalSnapshot: false,
    skipped: false,
    ...more,
  });
  interface Case {
    reclaim: string;
    infos: BackupVolumeInfo[];
    restorePVs?: boolean;
    finding?: VolumeFinding;
  }
  const data: VolumeFinding = {
    data: { claim: { namespace: 'a', name: 'c' }, id: 'i', by: 'native', plugin: 'p', snapshotID: 's' },
  };
  const prepareBoth = ({ reclaim, infos, restorePVs = true, finding }: Case) => {
    const pv = volume(reclaim);
    const dataOf = (claim: string) => (claim === 'a/c' ? finding : undefined);
    const volumes = decideVolumes([pv], infos, { restorePVs, dataOf });
    const all = deps({ volumes }, { namespaceMapping: { a: 'x' } });
    return {
      pv: () => prepare({ groupResource: 'persistentvolumes', name: 'v' }, pv, all),
      pvc: () =>
        sent(prepare({ groupResource: 'persistentvolumeclaims', namespace: 'a', name: 'c' }, claim, all)).item.spec,
    };
  };
  const skippedInfo = [info({ skipped: true })];
  const snapshot = [info({ backupMethod: 'NativeSnapshot', result: 'succeeded' })];

  it.each<[string, Case]>([
    ['skipped by the backup', { reclaim: 'Retain', infos: skippedInfo }],
    ['of which the backup says nothing', { reclaim: 'Retain', infos: [] }],
    ['whose data the user does not want', { reclaim: 'Retain', infos: snapshot, restorePVs: false }],
  ])('retained and %s: comes back as it is, free for its claim in the mapped namespace', (_, of) => {
    const { pv, pvc } = prepareBoth(of);
    expect(sent(pv()).item).toEqual({
      kind: 'PersistentVolume',
      metadata: { name: 'v', labels: LABELS },
      spec: { persistentVolumeReclaimPolicy: 'Retain', claimRef: { name: 'c', namespace: 'x' } },
    });
    expect(pvc()).toEqual({ volumeName: 'v' });
  });

  it.each<[string, Case]>([
    ['without data', { reclaim: 'Delete', infos: skippedInfo }],
    ['whose data the user does not want', { reclaim: 'Delete', infos: snapshot, restorePVs: false }],
    ['whose data a plugin brings', { reclaim: 'Retain', infos: snapshot, finding: data }],
    ['whose data is in an archive that Velero does not know', { reclaim: 'Retain', infos: skippedInfo, finding: data }],
    ['that was empty', { reclaim: 'Retain', infos: snapshot, finding: { isEmpty: true } }],
  ])('%s: stays away, and its claim gets another', (_, of) => {
    const { pv, pvc } = prepareBoth(of);
    expect(pv().kind).toBe('skip');
    expect(pvc()).toEqual({});
  });

  it.each<[string, Case, RegExp]>([
    [
      'by a method we do not have',
      { reclaim: 'Delete', infos: snapshot },
      /PersistentVolume v: .*NativeSnapshot.*nothing that reads that/,
    ],
    [
      'whose backup failed',
      { reclaim: 'Delete', infos: [info({ backupMethod: 'CSISnapshot', result: 'failed' })] },
      /CSISnapshot failed/,
    ],
    [
      'whose data cannot be read',
      { reclaim: 'Retain', infos: snapshot, finding: { problem: 'its snapshot is a mess' } },
      /PersistentVolume v: its snapshot is a mess/,
    ],
  ])('%s: an error for volume and claim, never a silent empty one', (_, of, message) => {
    const { pv, pvc } = prepareBoth(of);
    expect(pv).toThrow(message);
    expect(pvc).toThrow(message);
  });

  it('without data are told, with the reason', () => {
    expect(missingData(undefined)).toMatch(/nothing/);
    expect(missingData(info({ skipped: true, skippedReason: 'no plugin' }))).toBe('no plugin');
    expect(missingData(info({ backupMethod: 'PodVolumeBackup', result: 'failed' }))).toMatch(/failed/);
    expect(missingData(snapshot[0])).toBeUndefined();
  });
});
