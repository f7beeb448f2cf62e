import { POD, type ResourceType } from '../../../api/index.ts';
import { isObject, objectAt, objectsAt, textAt, textsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import type { WorkloadFacts } from '../../../core/action/index.ts';
import { formatSelector } from '../../../core/selection/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';

const apps = (kind: string, plural: string): ResourceType => ({
  ...{ group: 'apps', version: 'v1', kind, plural, namespaced: true },
});
const REPLICA_SET = apps('ReplicaSet', 'replicasets');
const REPLICATION_CONTROLLER: ResourceType = {
  ...{ group: '', version: 'v1', kind: 'ReplicationController', plural: 'replicationcontrollers', namespaced: true },
};
const REVISION = 'deployment.kubernetes.io/revision';
const TYPES: Readonly<Record<WorkloadFacts['kind'], ResourceType>> = {
  Deployment: apps('Deployment', 'deployments'),
  StatefulSet: apps('StatefulSet', 'statefulsets'),
  DeploymentConfig: { ...apps('DeploymentConfig', 'deploymentconfigs'), group: 'apps.openshift.io' },
};

export function workloadType(kind: WorkloadFacts['kind']): ResourceType {
  return TYPES[kind];
}

type Selector = Parameters<typeof formatSelector>[0];

/** A DeploymentConfig has plain labels for a selector. */
export function selectorOf(workload: KubeObject): Selector | undefined {
  const selector = objectAt(workload, 'spec', 'selector');
  if (Object.keys(selector).length === 0) return undefined;
  const isLabels = !isObject(selector['matchLabels']) && !Array.isArray(selector['matchExpressions']);
  return isLabels ? { matchLabels: textsAt(workload, 'spec', 'selector') } : selector;
}

/** What templates see of a workload: its pods that run, their containers, and the claims they mount. */
export async function readWorkload(
  kind: WorkloadFacts['kind'],
  workload: KubeObject,
  kube: Kube,
  signal: AbortSignal,
): Promise<WorkloadFacts> {
  const { name, namespace = '' } = workload.metadata;
  const owner = await ownerOfPods(kind, workload, kube, signal);
  const pods = owner === undefined ? [] : await podsOf(owner, workload, kube, signal);
  return {
    ...{ kind, name, namespace },
    pods: pods.map(({ metadata }) => metadata.name),
    containers: pods.map((pod) =>
      objectsAt(pod, 'status', 'containerStatuses').map((status) => textAt(status, 'name') ?? ''),
    ),
    persistentVolumeClaims: Object.fromEntries(
      pods.map((pod) => [pod.metadata.name, claimsOf(pod)] as const).filter(([, claims]) => claims !== undefined),
    ) as WorkloadFacts['persistentVolumeClaims'],
  };
}

/** The uid of what the pods of a workload belong to; undefined while there is none. */
async function ownerOfPods(
  kind: WorkloadFacts['kind'],
  workload: KubeObject,
  kube: Kube,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { namespace = '', uid, annotations = {} } = workload.metadata;
  if (kind === 'StatefulSet') return uid;
  const isOfDeployment = kind === 'Deployment';
  const type = isOfDeployment ? REPLICA_SET : REPLICATION_CONTROLLER;
  const latest = valueAt(workload, 'status', 'latestVersion');
  const newest = `${workload.metadata.name}-${typeof latest === 'number' ? String(latest) : ''}`;
  for await (const { items } of kube.list({ type, namespace }, { signal })) {
    for (const { metadata } of items) {
      if (!ownersOf(metadata).includes(uid)) continue;
      const isCurrent = isOfDeployment
        ? metadata.annotations?.[REVISION] === annotations[REVISION]
        : metadata.name === newest;
      if (isCurrent) return metadata.uid;
    }
  }
  return undefined;
}

function ownersOf(metadata: KubeObject['metadata']): (string | undefined)[] {
  return objectsAt(metadata as unknown as JsonObject, 'ownerReferences').map((owner) => textAt(owner, 'uid'));
}

async function podsOf(owner: string, workload: KubeObject, kube: Kube, signal: AbortSignal): Promise<KubeObject[]> {
  const selector = selectorOf(workload);
  const { namespace = '' } = workload.metadata;
  const options = { signal, ...(selector === undefined ? {} : { labelSelector: formatSelector(selector) }) };
  const pods: KubeObject[] = [];
  for await (const { items } of kube.list({ type: POD, namespace }, options)) {
    for (const pod of items) {
      const isOwn = ownersOf(pod.metadata).includes(owner);
      if (isOwn && textAt(pod, 'status', 'phase') === 'Running') pods.push(pod);
    }
  }
  return pods;
}

/** Claim → where it is mounted; undefined for a pod without claims. */
function claimsOf(pod: KubeObject): Record<string, string> | undefined {
  const claims = objectsAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const claim = textAt(volume, 'persistentVolumeClaim', 'claimName');
    return claim === undefined ? [] : [{ claim, volume: textAt(volume, 'name') ?? '' }];
  });
  const mounts = objectsAt(pod, 'spec', 'containers').flatMap((container) => objectsAt(container, 'volumeMounts'));
  const found = claims.flatMap(({ claim, volume }) => {
    const mount = mounts.find((each) => textAt(each, 'name') === volume);
    const path = textAt(mount, 'mountPath');
    return path === undefined ? [] : [[claim, path] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
