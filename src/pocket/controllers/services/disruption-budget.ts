import type { JsonObject } from '../../../base/index.ts';
import { withCondition } from '../conditions.ts';
import { scaledValue } from '../int-or-percent.ts';
import {
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  PODS,
  REPLICA_SETS,
  STATEFUL_SETS,
  type DisruptionBudget,
  type Pod,
} from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { controllerOf } from '../owner-index.ts';
import { isActive, isFinished, isReady } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { matchesSelector } from '../selector.ts';
import { timestamp } from '../timestamp.ts';

/** Keeps the numbers of disruption budgets; evictions are not held to them. */
export function disruptionBudgetController(deps: ControllerDeps): Controller {
  const { client, clock } = deps;
  return {
    name: 'disruption',
    watches: [
      watch(DISRUPTION_BUDGETS),
      watch(PODS, function* ({ object }) {
        for (const { metadata, spec } of client.list(DISRUPTION_BUDGETS, object.metadata.namespace)) {
          if (matchesSelector(spec?.selector, object.metadata.labels)) yield keyOf(metadata);
        }
      }),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const budget = client.get(DISRUPTION_BUDGETS, namespace, name);
      if (budget === undefined) return undefined;
      const pods = client
        .list(PODS, namespace)
        .filter((pod) => !isFinished(pod) && matchesSelector(budget.spec?.selector, pod.metadata.labels));
      const status = budgetStatus(budget, pods, expectedCount(deps, pods), timestamp(clock.now()));
      await client.update(DISRUPTION_BUDGETS, { ...budget, status: { ...budget.status, ...status } }, 'status');
      return undefined;
    },
  };
}

/** How many pods there should be: what the controllers of these pods ask for, and the pods without one. */
function expectedCount(deps: ControllerDeps, pods: readonly Pod[]): number {
  const wanted = new Map<string, number>();
  let alone = 0;
  for (const pod of pods) {
    const scale = scaleOf(deps, pod);
    if (scale === undefined) alone += 1;
    else wanted.set(scale.uid, scale.replicas);
  }
  return alone + [...wanted.values()].reduce((sum, count) => sum + count, 0);
}

function scaleOf({ client }: ControllerDeps, pod: Pod): { uid: string; replicas: number } | undefined {
  const reference = controllerOf(pod);
  const namespace = pod.metadata.namespace ?? '';
  if (reference?.kind === 'StatefulSet') {
    const set = client.get(STATEFUL_SETS, namespace, reference.name);
    return { uid: reference.uid, replicas: set?.spec.replicas ?? 1 };
  }
  if (reference?.kind !== 'ReplicaSet') return undefined;
  const set = client.get(REPLICA_SETS, namespace, reference.name);
  const owner = set === undefined ? undefined : controllerOf(set);
  if (owner?.kind !== 'Deployment') return { uid: reference.uid, replicas: set?.spec.replicas ?? 1 };
  return { uid: owner.uid, replicas: client.get(DEPLOYMENTS, namespace, owner.name)?.spec.replicas ?? 1 };
}

export function budgetStatus(
  budget: DisruptionBudget,
  pods: readonly Pod[],
  expectedPods: number,
  now: string,
): JsonObject {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const currentHealthy = pods.filter((pod) => isActive(pod) && isReady(pod)).length;
  // A plain number is about the pods there are; all else is about the pods there should be.
  const expected = typeof minAvailable === 'number' ? pods.length : expectedPods;
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable ?? 1, expected, 'up')
      : Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up'));
  const allowed = Math.max(0, expected === 0 ? 0 : currentHealthy - desiredHealthy);
  const condition =
    allowed > 0
      ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '' }
      : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' };
  const observedGeneration = budget.metadata.generation ?? 0;
  return {
    currentHealthy,
    desiredHealthy,
    disruptionsAllowed: allowed,
    expectedPods: expected,
    observedGeneration,
    conditions: withCondition(budget.status?.conditions, { ...condition, observedGeneration }, now),
  };
}
