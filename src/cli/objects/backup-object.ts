import type { JsonObject } from '../../base/index.ts';
import type { BackupFlags, SelectionFlags } from '../flags/backup-flags.ts';
import { present } from '../../core/progress/index.ts';

export function backupSpec(flags: BackupFlags): JsonObject {
  return present({
    ...selectionOf(flags),
    includedClusterScopedResources: flags.includeClusterScopedResources,
    excludedClusterScopedResources: flags.excludeClusterScopedResources,
    includedNamespaceScopedResources: flags.includeNamespaceScopedResources,
    excludedNamespaceScopedResources: flags.excludeNamespaceScopedResources,
    orderedResources: flags.orderedResources,
    storageLocation: flags.storageLocation,
    ttl: flags.ttl,
    snapshotVolumes: flags.snapshotVolumes,
    snapshotMoveData: flags.snapshotMoveData,
    datamover: flags.dataMover,
    defaultVolumesToFsBackup: flags.defaultVolumesToFsBackup,
    volumeSnapshotLocations: flags.volumeSnapshotLocations,
    volumeGroupSnapshotLabelKey: flags.volumeGroupSnapshotLabelKey,
    csiSnapshotTimeout: flags.csiSnapshotTimeout,
    uploaderConfig:
      flags.parallelFilesUpload === undefined ? undefined : { parallelFilesUpload: flags.parallelFilesUpload },
  });
}

/** The fields that a Backup and a Restore have under the same names. */
export function selectionOf(flags: SelectionFlags): JsonObject {
  return present({
    includedNamespaces: flags.includeNamespaces,
    excludedNamespaces: flags.excludeNamespaces,
    includedResources: flags.includeResources,
    excludedResources: flags.excludeResources,
    includeClusterResources: flags.includeClusterResources,
    labelSelector: flags.selector,
    orLabelSelectors: flags.orSelector,
    itemOperationTimeout: flags.itemOperationTimeout,
    resourcePolicy: configMap(flags.resourcePoliciesConfigmap),
  });
}

export function configMap(name: string | undefined): JsonObject | undefined {
  return name === undefined ? undefined : { kind: 'configmap', name };
}
