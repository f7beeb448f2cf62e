import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backup } from '../../../api/index.ts';
import { isNamespaceName } from '../../../base/index.ts';
import { containerOf, isOurs, podName, podObject, type PodRequest } from './pod-request.ts';

const owner = {
  type: Backup,
  object: { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero', uid: 'u1' } },
};
const request: PodRequest = {
  name: 'mover-1',
  namespace: 'velero',
  purpose: 'mover',
  owner,
  spec: { containers: [{ name: 'main', image: 'headway:dev' }] },
  deadlineMs: 90_500,
};

describe('podName', () => {
  it('is a host name, the same for the same identity and another for another', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.array(fc.string()), (readable, one, other) => {
        const name = podName(readable, one);
        expect(isNamespaceName(name)).toBe(true);
        expect(podName(readable, one)).toBe(name);
        expect(podName(readable, other) === name).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(podName('Mover of shop/pgdata', ['u1', 'pgdata'])).toMatch(/^mover-of-shop-pgdata-[0-9a-f]{10}$/);
    expect(podName('x'.repeat(300), [])).toHaveLength(63);
  });
});

describe('podObject', () => {
  it('belongs to its owner, runs once, and has an end', () => {
    expect(podObject(request)).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'mover-1',
        namespace: 'velero',
        labels: { 'headway.io/pod': 'mover', 'headway.io/owner-uid': 'u1' },
        ownerReferences: [{ apiVersion: 'velero.io/v1', kind: 'Backup', name: 'b', uid: 'u1', controller: true }],
      },
      spec: {
        containers: [{ name: 'main', image: 'headway:dev' }],
        restartPolicy: 'Never',
        activeDeadlineSeconds: 91,
        automountServiceAccountToken: false,
      },
    });
  });

  it('has no owner in another namespace, where the cluster would delete it at once', () => {
    const { metadata } = podObject({ ...request, namespace: 'shop', labels: { app: 'x', 'headway.io/pod': 'other' } });
    expect(metadata).not.toHaveProperty('ownerReferences');
    expect(metadata.labels).toEqual({ app: 'x', 'headway.io/pod': 'mover', 'headway.io/owner-uid': 'u1' });
  });

  it('leaves to the caller what the caller decides', () => {
    const spec = { ...request.spec, restartPolicy: 'OnFailure', activeDeadlineSeconds: 5, serviceAccountName: 'sa' };
    expect(podObject({ ...request, spec })['spec']).toEqual(spec);
  });

  it('is not made for an owner that nobody could find again', () => {
    const nobody = { ...owner, object: { ...owner.object, metadata: { name: 'b', namespace: 'velero' } } };
    expect(() => podObject({ ...request, owner: nobody })).toThrow('its owner has no uid');
  });
});

it('is known again by its owner and its purpose', () => {
  const pod = podObject(request);
  expect(isOurs(pod, request)).toBe(true);
  expect(isOurs(pod, { ...request, purpose: 'stage' })).toBe(false);
  const other = { ...owner, object: { ...owner.object, metadata: { ...owner.object.metadata, uid: 'u2' } } };
  expect(isOurs(pod, { ...request, owner: other })).toBe(false);
  expect(isOurs({ ...pod, metadata: { name: 'mover-1' } }, request)).toBe(false);
});

it('has a container whose end counts', () => {
  expect(containerOf(request)).toBe('main');
  expect(containerOf({ ...request, container: 'other' })).toBe('other');
  expect(() => containerOf({ spec: {} })).toThrow('it has no container');
});
