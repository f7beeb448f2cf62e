import type { Restore } from '../../api/index.ts';
import type { ArchiveKey } from './actions/index.ts';
import { NAMESPACES } from './priorities.ts';
import { matchesSelector, nameFilter, type NameFilter, type ResourceNames } from '../selection/index.ts';

type RestoreSpec = Restore['spec'];

/** What a cluster stores about itself; restoring it would break the cluster or this very restore. */
export const NEVER_RESTORED: readonly string[] = [
  'nodes',
  'events',
  'events.events.k8s.io',
  'backups.velero.io',
  'restores.velero.io',
  'resticrepositories.velero.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'backuprepositories.velero.io',
];

/** Read whatever the filters say, because the data of volumes cannot be found without them. */
export const ALWAYS_READ: readonly string[] = [
  'datauploads.velero.io',
  'volumesnapshotcontents.snapshot.storage.k8s.io',
];

const REASONS = {
  neverRestored: 'items of this type are never restored',
  resourceExcluded: 'the restore leaves out this type',
  namespaceExcluded: 'the restore leaves out this namespace',
  clusterScoped: 'the restore takes no cluster-scoped items',
  labels: 'no selector matches its labels',
  policies: 'the resource policies of the restore leave it out',
  sameTarget: 'another namespace is mapped to the same one, and an item of that name from there comes first',
} as const;
export type LeftOutReason = keyof typeof REASONS;

export function explainLeftOut(reason: LeftOutReason): string {
  return REASONS[reason];
}

export interface RestoreFilters {
  /** Why an item of the archive is not restored, ignoring its labels; undefined if it is. */
  leaveOut(key: ArchiveKey): LeftOutReason | undefined;
  /** The same for an item that another one needs: cluster-scoped ones are admitted unless that is forbidden. */
  leaveOutAdditional(key: ArchiveKey): LeftOutReason | undefined;
  /** Undefined if the spec has no selectors, so that nobody has to read labels. */
  matchesLabels: ((labels: Readonly<Record<string, string>>) => boolean) | undefined;
}

export function restoreFilters(spec: RestoreSpec, names: ResourceNames): RestoreFilters {
  const resources = resourceFilter(spec.includedResources, spec.excludedResources, names);
  const namespaces = nameFilter(spec.includedNamespaces, spec.excludedNamespaces);
  const takesCluster = spec.includeClusterResources ?? namespaces.isEverything;
  const decide = (key: ArchiveKey, isClusterTaken: boolean): LeftOutReason | undefined => {
    if (ALWAYS_READ.includes(key.groupResource)) return undefined;
    if (NEVER_RESTORED.includes(key.groupResource)) return 'neverRestored';
    if (!resources.includes(key.groupResource)) return 'resourceExcluded';
    if (key.namespace === undefined && !isClusterTaken) return 'clusterScoped';
    const namespace = key.groupResource === NAMESPACES ? key.name : key.namespace;
    return namespace === undefined || namespaces.includes(namespace) ? undefined : 'namespaceExcluded';
  };
  return {
    leaveOut: (key) => decide(key, takesCluster),
    leaveOutAdditional: (key) => decide(key, spec.includeClusterResources !== false),
    matchesLabels: labelMatcher(spec),
  };
}

/** Users name types in many ways, the archive and this folder in one. A name the cluster does not know is kept. */
function resourceFilter(
  included: readonly string[] | null | undefined,
  excluded: readonly string[] | null | undefined,
  names: ResourceNames,
): NameFilter {
  const resolve = (name: string): string => names.resolve(name) ?? name;
  return nameFilter((included ?? []).map(resolve), (excluded ?? []).map(resolve));
}

function labelMatcher({ labelSelector, orLabelSelectors }: RestoreSpec): RestoreFilters['matchesLabels'] {
  const selectors = labelSelector === undefined ? (orLabelSelectors ?? []) : [labelSelector];
  if (selectors.length === 0) return undefined;
  return (labels) => selectors.some((selector) => matchesSelector(selector, labels));
}

/** Whether the spec asks for the status of a type; by default it does for none. */
export function statusFilter({ restoreStatus }: RestoreSpec, names: ResourceNames): (groupResource: string) => boolean {
  if (restoreStatus === undefined) return () => false;
  const filter = resourceFilter(restoreStatus.includedResources, restoreStatus.excludedResources, names);
  return (groupResource) => filter.includes(groupResource);
}
