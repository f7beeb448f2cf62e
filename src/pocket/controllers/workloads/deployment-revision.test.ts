import { describe, expect, it } from 'vitest';
import { deployment, replicaSet } from '../../../../test/pocket/sample-objects.ts';
import type { ReplicaSet } from '../kinds/index.ts';
import {
  newReplicaSet,
  revisionOf,
  scaledReplicaSet,
  sortReplicaSets,
  syncedReplicaSet,
} from './deployment-revision.ts';

const withRevision = (name: string, revision: number, change: Partial<ReplicaSet> = {}) => {
  const set = replicaSet(name, { replicas: 0 }, change);
  const annotations = { 'deployment.kubernetes.io/revision': String(revision) };
  return { ...set, metadata: { ...set.metadata, annotations } };
};
const other = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i:2' }] } };

describe('sortReplicaSets', () => {
  it('knows its own template whatever hash it carries', () => {
    const own = replicaSet('own', { replicas: 1 });
    const template = { ...own.spec.template, metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } } };
    const hashed = { ...own, spec: { ...own.spec, template } };
    const old = { ...own, metadata: { ...own.metadata, name: 'old' }, spec: { ...own.spec, template: other } };
    expect(sortReplicaSets(deployment(), [old, hashed])).toEqual({ current: hashed, old: [old] });
  });
});

describe('newReplicaSet', () => {
  it('carries hash, owner, revision and sizes', () => {
    const target = deployment(
      { replicas: 4, minReadySeconds: 5 },
      {
        metadata: {
          name: 'web',
          namespace: 'shop',
          uid: 'u',
          annotations: { team: 'a', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
        },
      },
    );
    const made = newReplicaSet(target, { current: undefined, old: [withRevision('old', 7)] }) as unknown as ReplicaSet;
    const hash = made.metadata.labels?.['pod-template-hash'] ?? '';
    expect(made.metadata.name).toBe(`web-${hash}`);
    expect(made.metadata.annotations).toEqual({
      team: 'a',
      'deployment.kubernetes.io/revision': '8',
      'deployment.kubernetes.io/desired-replicas': '4',
      'deployment.kubernetes.io/max-replicas': '5',
    });
    expect(made.metadata.ownerReferences).toEqual([
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true, blockOwnerDeletion: true },
    ]);
    expect(made.spec.selector.matchLabels).toEqual({ app: 'web', 'pod-template-hash': hash });
    expect(made.spec.template.metadata?.labels).toEqual({ app: 'web', 'pod-template-hash': hash });
    expect([made.spec.replicas, made.spec.minReadySeconds]).toEqual([4, 5]);
  });

  it('has a name that fits for the longest deployment', () => {
    const long = deployment({}, { metadata: { name: 'x'.repeat(253), namespace: 'shop' } });
    expect(newReplicaSet(long, { current: undefined, old: [] }).metadata.name.length).toBeLessThanOrEqual(253);
  });
});

describe('syncedReplicaSet', () => {
  it('gives a revision that is rolled back to the highest number and keeps the one it had', () => {
    const back = syncedReplicaSet(deployment(), withRevision('own', 1), [withRevision('old', 3)]);
    expect(revisionOf(back)).toBe(4);
    expect(back.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
    const again = syncedReplicaSet(deployment(), back, [withRevision('old', 5)]);
    expect(again.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1,4');
  });

  it('is the same object when nothing is to be done', () => {
    const own = withRevision('own', 4);
    expect(syncedReplicaSet(deployment(), own, [withRevision('old', 3)])).toBe(own);
  });
});

it('scaledReplicaSet writes down what the deployment wants', () => {
  const scaled = scaledReplicaSet(deployment({ replicas: 8 }), replicaSet('own', { replicas: 1 }), 3);
  expect(scaled.spec.replicas).toBe(3);
  expect(scaled.metadata.annotations).toEqual({
    'deployment.kubernetes.io/desired-replicas': '8',
    'deployment.kubernetes.io/max-replicas': '10',
  });
});
