import { describe, expect, it } from 'vitest';
import { deployment, NOW, replicaSet } from '../../../../test/pocket/sample-objects.ts';
import type { Condition, Deployment } from '../kinds/index.ts';
import { deadlineInMs, deploymentStatus } from './deployment-status.ts';

const conditionIn = (status: { conditions?: Condition[] }, type: string) =>
  status.conditions?.find((condition) => condition.type === type);
const then = '2026-01-01T11:00:00Z';
const progressing = (reason: string, status = 'True'): Condition => ({
  type: 'Progressing',
  status,
  reason,
  lastUpdateTime: then,
  lastTransitionTime: then,
});
const withStatus = (spec: Partial<Deployment['spec']>, status: NonNullable<Deployment['status']>) =>
  deployment(spec, { status });

describe('deploymentStatus', () => {
  it('adds up what the replica sets say', () => {
    const sets = {
      current: replicaSet('new', { replicas: 2, available: 1 }),
      old: [replicaSet('old', { replicas: 2 })],
    };
    expect(deploymentStatus(deployment(), sets, NOW)).toMatchObject({
      observedGeneration: 1,
      replicas: 4,
      updatedReplicas: 2,
      readyReplicas: 3,
      availableReplicas: 3,
      unavailableReplicas: 1,
    });
  });

  it('says when it is complete', () => {
    const status = deploymentStatus(deployment(), { current: replicaSet('new', { replicas: 3 }), old: [] }, NOW);
    expect(conditionIn(status, 'Available')).toMatchObject({ status: 'True', reason: 'MinimumReplicasAvailable' });
    expect(conditionIn(status, 'Progressing')).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "new" has successfully progressed.',
      lastUpdateTime: '2026-01-01T12:00:00Z',
    });
  });

  it('says that it began, that it goes on, and that it takes too long', () => {
    const sets = { current: replicaSet('new', { replicas: 3, available: 0, actual: 1 }), old: [] };
    const began = deploymentStatus(
      deployment(),
      { ...sets, current: replicaSet('new', { replicas: 3, available: 0, actual: 0 }) },
      NOW,
    );
    expect(conditionIn(began, 'Progressing')?.reason).toBe('NewReplicaSetCreated');
    expect(conditionIn(began, 'Available')?.status).toBe('False');
    const goesOn = deploymentStatus(withStatus({}, began), sets, NOW + 1000);
    expect(conditionIn(goesOn, 'Progressing')).toMatchObject({
      reason: 'ReplicaSetUpdated',
      lastTransitionTime: '2026-01-01T12:00:00Z',
    });
    expect(deadlineInMs(deployment(), goesOn, NOW + 1000)).toBe(601_000);
    const late = deploymentStatus(withStatus({}, goesOn), sets, NOW + 602_000);
    expect(conditionIn(late, 'Progressing')).toMatchObject({ status: 'False', reason: 'ProgressDeadlineExceeded' });
    expect(deadlineInMs(deployment(), late, NOW + 602_000)).toBeUndefined();
  });

  it('has no deadline once it was complete, even when pods fail later', () => {
    const complete = deploymentStatus(deployment(), { current: replicaSet('new', { replicas: 3 }), old: [] }, NOW);
    const sick = { current: replicaSet('new', { replicas: 3, available: 1 }), old: [] };
    const status = deploymentStatus(withStatus({}, complete), sick, NOW + 3_600_000);
    expect(conditionIn(status, 'Available')?.status).toBe('False');
    expect(conditionIn(status, 'Progressing')?.reason).toBe('NewReplicaSetAvailable');
    expect(deadlineInMs(deployment(), status, NOW + 3_600_000)).toBeUndefined();
  });

  it('does not call a pause a lack of progress', () => {
    const before = withStatus({ paused: true }, { conditions: [progressing('ReplicaSetUpdated')] });
    const sets = { current: replicaSet('new', { replicas: 3, available: 0 }), old: [] };
    const paused = deploymentStatus(before, sets, NOW);
    expect(conditionIn(paused, 'Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' });
    expect(deadlineInMs(before, paused, NOW)).toBeUndefined();
    const resumed = deploymentStatus(withStatus({}, paused), sets, NOW + 3_600_000);
    expect(conditionIn(resumed, 'Progressing')).toMatchObject({ status: 'Unknown', reason: 'DeploymentResumed' });
  });

  it('has no Progressing condition without a deadline', () => {
    const none = withStatus(
      { progressDeadlineSeconds: 2_147_483_647 },
      { conditions: [progressing('ReplicaSetUpdated')] },
    );
    const status = deploymentStatus(none, { current: replicaSet('new', { replicas: 3 }), old: [] }, NOW);
    expect(conditionIn(status, 'Progressing')).toBeUndefined();
  });

  it('passes on why replicas cannot be made', () => {
    const failure = {
      type: 'ReplicaFailure',
      status: 'True',
      reason: 'FailedCreate',
      message: 'no',
      lastTransitionTime: then,
    };
    const failing = replicaSet('new', { replicas: 3, available: 0, actual: 0 });
    const sets = { current: { ...failing, status: { ...failing.status, conditions: [failure] } }, old: [] };
    const status = deploymentStatus(deployment(), sets, NOW);
    expect(conditionIn(status, 'ReplicaFailure')).toMatchObject({ status: 'True', reason: 'FailedCreate' });
    const mended = deploymentStatus(withStatus({}, status), { current: failing, old: [] }, NOW);
    expect(conditionIn(mended, 'ReplicaFailure')).toBeUndefined();
  });

  it('changes nothing when nothing changed', () => {
    const sets = { current: replicaSet('new', { replicas: 3 }), old: [] };
    const first = deploymentStatus(deployment(), sets, NOW);
    expect(deploymentStatus(withStatus({}, first), sets, NOW + 60_000)).toEqual(first);
  });
});
