import { isEqual, type JsonObject } from '../../../base/index.ts';
import { DEPLOYMENTS, type Deployment, type PodTemplate, type ReplicaSet } from '../kinds/index.ts';
import { controllerReference } from '../owned.ts';
import { templateHash } from '../template-hash.ts';
import { byAge, limitsOf, newReplicas, wantedOf, type ReplicaSets } from './deployment-scale.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAX = 'deployment.kubernetes.io/max-replicas';
const HASH = 'pod-template-hash';
const LONGEST_HISTORY = 2000;
/** Annotations of the deployment that mean the deployment alone. */
const OWN = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  HISTORY,
  DESIRED,
  MAX,
]);

/** The ReplicaSet with the deployment's own template, and all others. Of several equal ones the oldest counts. */
export function sortReplicaSets(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSets {
  const sorted = sets.toSorted(byAge);
  const current = sorted.find((set) => isSameTemplate(set.spec.template, deployment.spec.template));
  return { current, old: sorted.filter((set) => set !== current) };
}

export function isSameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return isEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplate): PodTemplate {
  const { [HASH]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

export function newReplicaSet(
  deployment: Deployment,
  sets: ReplicaSets,
): JsonObject & { metadata: JsonObject & { name: string } } {
  const { namespace = '', name } = deployment.metadata;
  const { selector, template, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [HASH]: hash };
  return {
    metadata: {
      name: `${name.slice(0, 252 - hash.length)}-${hash}`,
      namespace,
      labels,
      annotations: annotationsFor(deployment, undefined, nextRevision(sets.old)),
      ownerReferences: [controllerReference(DEPLOYMENTS, deployment)],
    },
    spec: {
      replicas: newReplicas(deployment, sets),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The ReplicaSet as it should be beside its replicas, which is itself when nothing is to be done. */
export function syncedReplicaSet(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): ReplicaSet {
  const annotations = annotationsFor(deployment, current.metadata.annotations, nextRevision(old));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  if (isEqual(annotations, current.metadata.annotations) && minReadySeconds === (current.spec.minReadySeconds ?? 0)) {
    return current;
  }
  return {
    ...current,
    metadata: { ...current.metadata, annotations },
    spec: { ...current.spec, minReadySeconds },
  };
}

export function scaledReplicaSet(deployment: Deployment, set: ReplicaSet, replicas: number): ReplicaSet {
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
  return { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas } };
}

function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const wanted = wantedOf(deployment);
  return { [DESIRED]: String(wanted), [MAX]: String(wanted + limitsOf(deployment).maxSurge) };
}

export function revisionOf(object: { metadata: { annotations?: Record<string, string> } }): number {
  const revision = Number(object.metadata.annotations?.[REVISION] ?? '0');
  return Number.isSafeInteger(revision) ? revision : 0;
}

function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

function annotationsFor(
  deployment: Deployment,
  existing: Record<string, string> | undefined,
  next: number,
): Record<string, string> {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !OWN.has(key));
  const annotations = { ...existing, ...Object.fromEntries(copied) };
  const before = revisionOf({ metadata: { annotations } });
  if (before < next) annotations[REVISION] = String(next);
  // A revision that is rolled back to keeps the numbers it had.
  if (existing?.[REVISION] !== undefined && before < next) {
    annotations[HISTORY] = history(existing[HISTORY], existing[REVISION]);
  }
  return existing === undefined ? { ...annotations, ...sizeAnnotations(deployment) } : annotations;
}

function history(before: string | undefined, revision: string): string {
  const all = [...(before === undefined || before === '' ? [] : before.split(',')), revision];
  while (all.length > 1 && all.join(',').length > LONGEST_HISTORY) all.shift();
  return all.join(',');
}
