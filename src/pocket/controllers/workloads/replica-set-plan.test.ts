import { describe, expect, it } from 'vitest';
import { going, NOW, pod, replicaSet } from '../../../../test/pocket/sample-objects.ts';
import { planReplicas, replicaStatus } from './replica-set-plan.ts';

describe('planReplicas', () => {
  it('makes what is missing; finished and leaving pods do not count', () => {
    const pods = [pod('a'), pod('b', { metadata: going }), pod('c', { status: { phase: 'Failed' } })];
    expect(planReplicas(replicaSet('web', { replicas: 3 }), pods)).toEqual({ create: 2, remove: [] });
  });

  it('makes no more than 500 at once', () => {
    expect(planReplicas(replicaSet('web', { replicas: 2000 }), []).create).toBe(500);
  });

  it.each([
    ['without a node', { spec: { containers: [], nodeName: '' } }],
    ['pending', { status: { phase: 'Pending' } }],
    ['not ready', { ready: false }],
    ['cheap', { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-1' } } }],
    ['young', { metadata: { creationTimestamp: '2026-01-01T11:30:00Z' } }],
  ])('removes first the pod that is %s', (_name, change) => {
    const pods = [pod('a'), pod('b', change), pod('c')];
    const { remove } = planReplicas(replicaSet('web', { replicas: 2 }), pods);
    expect(remove.map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('does nothing when there are enough', () => {
    expect(planReplicas(replicaSet('web', { replicas: 1 }), [pod('a')])).toEqual({ create: 0, remove: [] });
  });
});

describe('replicaStatus', () => {
  const set = replicaSet('web', { replicas: 4 });

  it('counts active, ready, fully labelled and leaving pods', () => {
    const labels = { app: 'web' };
    const pods = [pod('a', { metadata: { labels } }), pod('b', { ready: false }), pod('c', { metadata: going })];
    expect(replicaStatus(set, pods, NOW).status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 1,
    });
  });

  it('waits for minReadySeconds and says how long', () => {
    const patient = { ...set, spec: { ...set.spec, minReadySeconds: 3660 } };
    const { status, nextInMs } = replicaStatus(patient, [pod('a')], NOW);
    expect([status.readyReplicas, status.availableReplicas, nextInMs]).toEqual([1, 0, 60_000]);
    expect(replicaStatus(patient, [pod('a')], NOW + 60_000).status.availableReplicas).toBe(1);
  });

  it('shows a failure and takes it back', () => {
    const failed = replicaStatus(set, [], NOW, { reason: 'FailedCreate', message: 'no' }).status;
    expect(failed.conditions).toEqual([
      {
        type: 'ReplicaFailure',
        status: 'True',
        reason: 'FailedCreate',
        message: 'no',
        lastTransitionTime: '2026-01-01T12:00:00Z',
      },
    ]);
    expect(replicaStatus({ ...set, status: failed }, [], NOW).status.conditions).toBeUndefined();
  });
});
