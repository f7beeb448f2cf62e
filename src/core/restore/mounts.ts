import { objectAt, objectsAt, textAt, type JsonObject } from '../../base/index.ts';
import { CUSTOM_RESOURCE_DEFINITIONS, NAMESPACES } from './priorities.ts';

/**
 * Types that never start a pod, nor make anybody else start one. All others wait for the data of the claims in their
 * namespace: nobody knows what the controller of a custom resource does.
 */
const PASSIVE: ReadonlySet<string> = new Set([
  CUSTOM_RESOURCE_DEFINITIONS,
  NAMESPACES,
  'persistentvolumes',
  'persistentvolumeclaims',
  'storageclasses.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'volumesnapshotclasses.snapshot.storage.k8s.io',
  'volumesnapshotcontents.snapshot.storage.k8s.io',
  'volumesnapshots.snapshot.storage.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'serviceaccounts',
  'secrets',
  'configmaps',
  'limitranges',
  'resourcequotas',
  'priorityclasses.scheduling.k8s.io',
  'services',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'controllerrevisions.apps',
  'events',
  'events.events.k8s.io',
]);

export function mayStartPods(groupResource: string): boolean {
  return !PASSIVE.has(groupResource);
}

/** Where the pods of a workload are described. */
const TEMPLATES: readonly (readonly string[])[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
];

/** Whether a pod, or the pods of a workload, would mount the claim of that name. */
export function claimsMountedBy(object: JsonObject): (claim: string) => boolean {
  const name = textAt(object, 'metadata', 'name') ?? '';
  const volumes = TEMPLATES.flatMap((path) => objectsAt(objectAt(object, ...path), 'volumes'));
  const named = new Set(volumes.flatMap((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? []));
  for (const volume of volumes)
    if (volume['ephemeral'] !== undefined) named.add(`${name}-${textAt(volume, 'name') ?? ''}`);
  // A stateful set's pods have claims of their own, with a number at the end.
  const numbered = objectsAt(object, 'spec', 'volumeClaimTemplates').map(
    (template) => `${textAt(template, 'metadata', 'name') ?? ''}-${name}-`,
  );
  const isNumbered = (claim: string): boolean =>
    numbered.some((head) => claim.startsWith(head) && /^\d+$/.test(claim.slice(head.length)));
  return (claim) => named.has(claim) || isNumbered(claim);
}
