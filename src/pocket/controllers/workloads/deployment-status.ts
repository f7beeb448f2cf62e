import { withoutCondition } from '../conditions.ts';
import type { Condition, Deployment, ReplicaSet } from '../kinds/index.ts';
import { timeOf, timestamp } from '../timestamp.ts';
import { limitsOf, replicasOf, wantedOf, type ReplicaSets } from './deployment-scale.ts';

type Status = NonNullable<Deployment['status']>;

/** As the API reads it: no deadline at all. */
const NO_DEADLINE = 2_147_483_647;

export function deploymentStatus(deployment: Deployment, sets: ReplicaSets, now: number): Status {
  const all = sets.current === undefined ? sets.old : [...sets.old, sets.current];
  const count = (field: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas'): number =>
    all.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
  const available = count('availableReplicas');
  const { collisionCount, conditions } = deployment.status ?? {};
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: count('replicas'),
    updatedReplicas: sets.current?.status?.replicas ?? 0,
    readyReplicas: count('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, all.reduce((sum, set) => sum + replicasOf(set), 0) - available),
    terminatingReplicas: count('terminatingReplicas'),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
  const changed = [availableCondition(deployment, available), progressCondition(deployment, counts, sets.current, now)];
  let next = conditions ?? [];
  if (!hasDeadline(deployment)) next = withoutCondition(next, 'Progressing');
  for (const condition of changed) if (condition !== undefined) next = put(next, condition, timestamp(now));
  next = withReplicaFailure(next, all, sets.current);
  return { ...counts, ...(next.length === 0 ? {} : { conditions: next }) };
}

/** Milliseconds until a rollout without progress must be called late. */
export function deadlineInMs(deployment: Deployment, status: Status, now: number): number | undefined {
  const progressing = status.conditions?.find((condition) => condition.type === 'Progressing');
  if (!hasDeadline(deployment) || deployment.spec.paused === true || isComplete(deployment, status)) return undefined;
  const isDecided = ['ProgressDeadlineExceeded', 'NewReplicaSetAvailable'].includes(progressing?.reason ?? '');
  if (progressing === undefined || isDecided) return undefined;
  const last = timeOf(textOf(progressing['lastUpdateTime']));
  return Number.isNaN(last) ? undefined : Math.max(0, last + (deadlineOf(deployment) + 1) * 1000 - now);
}

export function isComplete(deployment: Deployment, status: Status): boolean {
  const wanted = wantedOf(deployment);
  const { updatedReplicas, replicas, availableReplicas, observedGeneration } = status;
  const hasAll = updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted;
  return hasAll && (observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

function deadlineOf(deployment: Deployment): number {
  return deployment.spec.progressDeadlineSeconds ?? 600;
}

function hasDeadline(deployment: Deployment): boolean {
  return deadlineOf(deployment) !== NO_DEADLINE;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function availableCondition(deployment: Deployment, available: number): Condition {
  const isEnough = available >= wantedOf(deployment) - limitsOf(deployment).maxUnavailable;
  return isEnough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

function progressCondition(
  deployment: Deployment,
  next: Status,
  current: ReplicaSet | undefined,
  now: number,
): Condition | undefined {
  if (!hasDeadline(deployment)) return undefined;
  const before = deployment.status?.conditions?.find((condition) => condition.type === 'Progressing');
  const paused = pauseCondition(deployment, before);
  if (paused !== undefined || deployment.spec.paused === true) return paused;
  if (next.replicas === next.updatedReplicas && before?.reason === 'NewReplicaSetAvailable') return undefined;
  return rolloutCondition(deployment, next, { before, current, now });
}

function rolloutCondition(
  deployment: Deployment,
  next: Status,
  { before, current, now }: { before: Condition | undefined; current: ReplicaSet | undefined; now: number },
): Condition | undefined {
  const subject =
    current === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${current.metadata.name}"`;
  if (isComplete(deployment, next)) {
    return progress('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`);
  }
  if (before === undefined && current !== undefined) {
    return progress('True', 'NewReplicaSetCreated', `Created new replica set "${current.metadata.name}"`);
  }
  if (hasProgressed(deployment.status ?? {}, next)) {
    return progress('True', 'ReplicaSetUpdated', `${subject} is progressing.`);
  }
  if (isLate(deployment, before, now)) {
    return progress('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`);
  }
  return undefined;
}

function progress(status: string, reason: string, message: string): Condition {
  return { type: 'Progressing', status, reason, message };
}

/** So that a long pause is not taken for a lack of progress. */
function pauseCondition(deployment: Deployment, before: Condition | undefined): Condition | undefined {
  const isPaused = deployment.spec.paused === true;
  const wasPaused = before?.reason === 'DeploymentPaused';
  if (isPaused === wasPaused || before?.reason === 'ProgressDeadlineExceeded') return undefined;
  return isPaused
    ? progress('Unknown', 'DeploymentPaused', 'Deployment is paused')
    : progress('Unknown', 'DeploymentResumed', 'Deployment is resumed');
}

function hasProgressed(before: Status, next: Status): boolean {
  const oldOnes = (status: Status): number => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (next.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldOnes(next) < oldOnes(before) ||
    (next.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isLate(deployment: Deployment, before: Condition | undefined, now: number): boolean {
  if (before === undefined || before.reason === 'NewReplicaSetAvailable') return false;
  if (before.reason === 'ProgressDeadlineExceeded') return true;
  return timeOf(textOf(before['lastUpdateTime'])) + deadlineOf(deployment) * 1000 < now;
}

/** Unlike other conditions these also say when they were last confirmed; each progress confirms anew. */
function put(conditions: readonly Condition[], next: Condition, now: string): Condition[] {
  const before = conditions.find((condition) => condition.type === next.type);
  const isProgress = next.reason === 'ReplicaSetUpdated';
  if (before?.status === next.status && before.reason === next.reason && !isProgress) return [...conditions];
  const lastTransitionTime = before?.status === next.status ? (before.lastTransitionTime ?? now) : now;
  const made = { ...next, lastUpdateTime: now, lastTransitionTime };
  return [...conditions.filter((condition) => condition !== before), made];
}

function withReplicaFailure(
  conditions: readonly Condition[],
  sets: readonly ReplicaSet[],
  current: ReplicaSet | undefined,
): Condition[] {
  const failures = [...(current === undefined ? [] : [current]), ...sets].flatMap((set) =>
    (set.status?.conditions ?? []).filter((condition) => condition.type === 'ReplicaFailure'),
  );
  const rest = withoutCondition(conditions, 'ReplicaFailure');
  const [failure] = failures;
  return failure === undefined ? rest : [...rest, { ...failure, lastUpdateTime: failure.lastTransitionTime ?? '' }];
}
