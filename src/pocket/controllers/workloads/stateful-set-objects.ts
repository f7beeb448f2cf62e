import type { JsonObject } from '../../../base/index.ts';
import {
  PODS,
  STATEFUL_SETS,
  type Claim,
  type OwnerReference,
  type Pod,
  type PodTemplate,
  type StatefulSet,
} from '../kinds/index.ts';
import { controllerReference } from '../owned.ts';
import { controllerOf } from '../owner-index.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { REVISION_LABEL } from './revisions.ts';

export function statefulPod(
  set: StatefulSet,
  { ordinal, revision, template }: { ordinal: number; revision: string; template: PodTemplate },
): JsonObject {
  const { name: setName, namespace = '' } = set.metadata;
  const name = `${setName}-${ordinal}`;
  const pod = podFromTemplate(template, {
    namespace,
    name,
    generateName: `${setName}-`,
    owner: controllerReference(STATEFUL_SETS, set),
  });
  const claims = claimNames(set, ordinal);
  const volumes = [...claims].map(([volume, claimName]) => ({ name: volume, persistentVolumeClaim: { claimName } }));
  const others = (template.spec.volumes ?? []).filter((volume) => !claims.has(volume.name));
  const labels = {
    ...template.metadata?.labels,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [REVISION_LABEL]: revision,
  };
  const { serviceName = '' } = set.spec;
  return {
    metadata: { ...pod.metadata, labels },
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName === '' ? {} : { subdomain: serviceName }),
      ...(volumes.length + others.length === 0 ? {} : { volumes: [...volumes, ...others] }),
    },
  };
}

/** By the name of the volume. */
export function claimNames(set: StatefulSet, ordinal: number): Map<string, string> {
  const templates = set.spec.volumeClaimTemplates ?? [];
  return new Map(templates.map(({ metadata }) => [metadata.name, `${metadata.name}-${set.metadata.name}-${ordinal}`]));
}

export function statefulClaims(set: StatefulSet, ordinal: number): (JsonObject & { metadata: { name: string } })[] {
  const names = claimNames(set, ordinal);
  const isOwned = set.spec.persistentVolumeClaimRetentionPolicy?.whenDeleted === 'Delete';
  return (set.spec.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    metadata: {
      name: names.get(metadata.name) ?? '',
      namespace: set.metadata.namespace ?? '',
      labels: { ...metadata.labels, ...set.spec.selector.matchLabels },
      ...(metadata.annotations === undefined ? {} : { annotations: metadata.annotations }),
      ...(isOwned ? { ownerReferences: [controllerReference(STATEFUL_SETS, set)] } : {}),
    },
    spec,
  }));
}

/** The claim as the retention policy wants it: owned by the set, by a pod that is scaled away, or by nobody. */
export function retainedClaim(set: StatefulSet, claim: Claim, pod: Pod, isCondemned: boolean): Claim {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const others = (claim.metadata.ownerReferences ?? []).filter(
    ({ uid }) => uid !== set.metadata.uid && uid !== pod.metadata.uid,
  );
  const foreign = controllerOf({ metadata: { ...claim.metadata, ownerReferences: others } });
  const wanted: OwnerReference[] = [];
  if (foreign === undefined && isCondemned && whenScaled === 'Delete') wanted.push(controllerReference(PODS, pod));
  else if (foreign === undefined && !(isCondemned && whenScaled === 'Delete') && whenDeleted === 'Delete') {
    wanted.push(controllerReference(STATEFUL_SETS, set));
  }
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [...others, ...wanted] } };
}
