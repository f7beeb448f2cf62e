import { scaledValue } from '../int-or-percent.ts';
import type { Deployment, ReplicaSet } from '../kinds/index.ts';
import { timeOf } from '../timestamp.ts';

/** How many replicas each ReplicaSet of a deployment should have next, by name; only those that change. */
export type Scaling = ReadonlyMap<string, number>;

export interface ReplicaSets {
  /** The one with the deployment's template, if it is there already. */
  current: ReplicaSet | undefined;
  /** All others, oldest first. */
  old: readonly ReplicaSet[];
}

export const wantedOf = (deployment: Deployment): number => deployment.spec.replicas ?? 1;
export const replicasOf = (set: ReplicaSet): number => set.spec.replicas ?? 1;
const availableOf = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const total = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + count(set), 0);

export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const older = timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp);
  return older || (a.metadata.name < b.metadata.name ? -1 : 1);
}

export function isRecreate(deployment: Deployment): boolean {
  return deployment.spec.strategy?.type === 'Recreate';
}

/** Percentages that both come to nothing would stop a rollout, so one pod may then be missing. */
export function limitsOf(deployment: Deployment): { maxSurge: number; maxUnavailable: number } {
  const wanted = wantedOf(deployment);
  if (isRecreate(deployment)) return { maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, wanted, 'up');
  const missing = scaledValue(maxUnavailable, wanted, 'down');
  return { maxSurge: surge, maxUnavailable: surge === 0 && missing === 0 ? 1 : Math.min(missing, wanted) };
}

/** What the new ReplicaSet may grow to while the old ones still have pods. */
export function newReplicas(deployment: Deployment, { current, old }: ReplicaSets): number {
  const wanted = wantedOf(deployment);
  const has = current === undefined ? 0 : replicasOf(current);
  if (has >= wanted || isRecreate(deployment)) return wanted;
  const room = wanted + limitsOf(deployment).maxSurge - has - total(old, replicasOf);
  return has + Math.max(0, Math.min(room, wanted - has));
}

/** The next step of a rolling update: first the new one grows, else the old ones shrink, unhealthy pods first. */
export function rollingStep(deployment: Deployment, sets: ReplicaSets & { current: ReplicaSet }): Scaling {
  const { current, old } = sets;
  const grown = newReplicas(deployment, sets);
  if (grown !== replicasOf(current)) return new Map([[current.metadata.name, grown]]);
  const active = old.filter((set) => replicasOf(set) > 0);
  const least = wantedOf(deployment) - limitsOf(deployment).maxUnavailable;
  const newMissing = replicasOf(current) - availableOf(current);
  const spare = replicasOf(current) + total(active, replicasOf) - least - newMissing;
  if (active.length === 0 || spare <= 0) return new Map();
  const next = new Map(active.map((set) => [set.metadata.name, replicasOf(set)]));
  takeAway(next, active, spare, (set) => replicasOf(set) - availableOf(set));
  takeAway(
    next,
    active,
    availableOf(current) + total(active, availableOf) - least,
    (set) => next.get(set.metadata.name) ?? 0,
  );
  return new Map([...next].filter(([name, count]) => count !== sizeOf(active, name)));
}

function sizeOf(sets: readonly ReplicaSet[], name: string): number {
  const set = sets.find((one) => one.metadata.name === name);
  return set === undefined ? 0 : replicasOf(set);
}

function takeAway(
  next: Map<string, number>,
  sets: readonly ReplicaSet[],
  most: number,
  mayLose: (set: ReplicaSet) => number,
): void {
  let left = most;
  for (const set of sets) {
    const has = next.get(set.metadata.name) ?? 0;
    const taken = Math.max(0, Math.min(left, has, mayLose(set)));
    next.set(set.metadata.name, has - taken);
    left -= taken;
  }
}

/** Recreate: nothing new before all that is old is gone. */
export function recreateStep(deployment: Deployment, { current, old }: ReplicaSets): Scaling {
  const active = old.filter((set) => replicasOf(set) > 0);
  if (active.length > 0) return new Map(active.map((set) => [set.metadata.name, 0]));
  if (current === undefined || replicasOf(current) === wantedOf(deployment)) return new Map();
  return new Map([[current.metadata.name, wantedOf(deployment)]]);
}

/** A paused deployment is only scaled: the difference goes to the only ReplicaSet with pods, or to the largest. */
export function pausedStep(deployment: Deployment, { current, old }: ReplicaSets): Scaling {
  const all = current === undefined ? [...old] : [...old, current];
  const active = all.filter((set) => replicasOf(set) > 0);
  const largest = active.toSorted((a, b) => replicasOf(b) - replicasOf(a))[0] ?? current ?? old.at(-1);
  if (largest === undefined) return new Map();
  const others = total(all, replicasOf) - replicasOf(largest);
  const next = Math.max(0, wantedOf(deployment) - others);
  return next === replicasOf(largest) ? new Map() : new Map([[largest.metadata.name, next]]);
}
