import type { Command } from 'commander';
import type { LabelSelector } from '../../api/index.ts';
import { parseOrSelectors, parseSelector } from './label-selector.ts';
import { parseBoolean, parseCount, parseDuration, parseList, parseMap, parseOrder } from './values.ts';

/** What is chosen, for backups and restores alike. */
export interface SelectionFlags {
  includeNamespaces?: string[];
  excludeNamespaces?: string[];
  includeResources?: string[];
  excludeResources?: string[];
  includeClusterResources?: boolean;
  selector?: LabelSelector;
  orSelector?: LabelSelector[];
  itemOperationTimeout?: string;
  resourcePoliciesConfigmap?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface BackupFlags extends SelectionFlags {
  includeClusterScopedResources?: string[];
  excludeClusterScopedResources?: string[];
  includeNamespaceScopedResources?: string[];
  excludeNamespaceScopedResources?: string[];
  orderedResources?: Record<string, string>;
  storageLocation?: string;
  ttl?: string;
  snapshotVolumes?: boolean;
  snapshotMoveData?: boolean;
  dataMover?: string;
  defaultVolumesToFsBackup?: boolean;
  volumeSnapshotLocations?: string[];
  volumeGroupSnapshotLabelKey?: string;
  csiSnapshotTimeout?: string;
  parallelFilesUpload?: number;
  verifyVolumes?: boolean;
}

export function withSelection(command: Command): Command {
  return command
    .option('--include-namespaces <list>', 'only these namespaces, names or globs (default: all)', parseList)
    .option('--exclude-namespaces <list>', 'leave out these namespaces', parseList)
    .option('--include-resources <list>', 'only these kinds, such as pods,deployments.apps (default: all)', parseList)
    .option('--exclude-resources <list>', 'leave out these kinds', parseList)
    .option('--include-cluster-resources [bool]', 'whether cluster-scoped objects are included', parseBoolean)
    .option('-l, --selector <labels>', 'only objects with these labels, such as app=shop', parseSelector)
    .option('--or-selector <labels>', 'objects with any of these, such as "app=shop or app=mail"', parseOrSelectors)
    .option('--resource-policies-configmap <name>', 'ConfigMap with rules on how volumes are treated')
    .option('--item-operation-timeout <time>', 'how long to wait for each background operation', parseDuration)
    .option('--labels <map>', 'labels of the new object, key=value,…', parseMap)
    .option('--annotations <map>', 'annotations of the new object, key=value,…', parseMap);
}

/** The flags of `velero backup create`, under the same names. */
export function withBackupSpec(command: Command): Command {
  return withSelection(command)
    .option('--include-cluster-scoped-resources <list>', 'only these cluster-scoped kinds', parseList)
    .option('--exclude-cluster-scoped-resources <list>', 'leave out these cluster-scoped kinds', parseList)
    .option('--include-namespace-scoped-resources <list>', 'only these namespaced kinds', parseList)
    .option('--exclude-namespace-scoped-resources <list>', 'leave out these namespaced kinds', parseList)
    .option(
      '--ordered-resources <order>',
      'what to back up first, such as "pods=ns/a,ns/b;persistentvolumes=c"',
      parseOrder,
    )
    .option('--storage-location <name>', 'location to write to (default: the default location)')
    .option('--ttl <time>', 'how long the backup is kept, such as 720h', parseDuration)
    .option('--snapshot-volumes [bool]', 'whether volumes are snapshotted', parseBoolean)
    .option('--snapshot-move-data [bool]', 'whether the data of snapshots is moved to the location', parseBoolean)
    .option('--data-mover <name>', 'data mover for snapshots')
    .option('--default-volumes-to-fs-backup [bool]', 'whether volumes are copied file by file', parseBoolean)
    .option('--volume-snapshot-locations <list>', 'snapshot locations to use, one for each provider', parseList)
    .option('--volume-group-snapshot-label-key <key>', 'label that puts claims into one group snapshot')
    .option('--csi-snapshot-timeout <time>', 'how long to wait for a CSI snapshot', parseDuration)
    .option('--parallel-files-upload <n>', 'files read at the same time', parseCount)
    .option('--verify-volumes', 'record the SHA-256 of every file of a volume, to be compared when it is restored');
}
