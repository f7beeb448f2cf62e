import type { z } from 'zod';
import { duration, flag, integer, listOf, nullable, object, text, textMap, texts } from '../meta/field.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { TypedLocalReference } from '../meta/references.ts';
import { BackupHooks } from './exec-hook.ts';

const selection = {
  includedNamespaces: nullable(texts('Namespaces to back up, as names or globs; all if empty.')),
  excludedNamespaces: nullable(texts('Namespaces to leave out, as names or globs.')),
  includedResources: nullable(
    texts('Kinds to back up, as `resource.group`, plural, singular or short name; all if empty.'),
  ),
  excludedResources: nullable(texts('Kinds to leave out.')),
  includeClusterResources: nullable(
    flag('Whether cluster-scoped objects are backed up; if empty, those that namespaced ones need.'),
  ),
  includedClusterScopedResources: nullable(
    texts('Cluster-scoped kinds to back up; not together with includedResources.'),
  ),
  excludedClusterScopedResources: nullable(texts('Cluster-scoped kinds to leave out.')),
  includedNamespaceScopedResources: nullable(
    texts('Namespaced kinds to back up; not together with includedResources.'),
  ),
  excludedNamespaceScopedResources: nullable(texts('Namespaced kinds to leave out.')),
  labelSelector: nullable(LabelSelector.describe('Only objects with these labels are backed up.')),
  orLabelSelectors: nullable(
    listOf(
      LabelSelector.describe('One of the selectors.'),
      'Objects that match any of these are backed up; not together with labelSelector.',
    ),
  ),
  orderedResources: nullable(
    textMap(
      'Kind to a comma-separated list of `namespace/name` (or names) that are backed up first and in this order.',
    ),
  ),
  resourcePolicy: TypedLocalReference.describe('ConfigMap with rules on how volumes are treated.').optional(),
};

const volumes = {
  snapshotVolumes: nullable(flag('Whether persistent volumes are snapshotted; yes if empty.')),
  snapshotMoveData: nullable(flag('Whether the data of CSI snapshots is moved to the storage location.')),
  datamover: text('Who moves the data of snapshots; the built-in mover if empty or `velero`.').optional(),
  defaultVolumesToFsBackup: nullable(flag('Whether volumes are copied file by file unless a pod says otherwise.')),
  defaultVolumesToRestic: nullable(flag('Older name of defaultVolumesToFsBackup.')),
  volumeSnapshotLocations: texts('Snapshot locations to use, at most one for each provider.').optional(),
  volumeGroupSnapshotLabelKey: text('Label whose equal values put claims into one group snapshot.').optional(),
  csiSnapshotTimeout: duration('How long to wait for a CSI snapshot; 10m if empty.').optional(),
  uploaderConfig: nullable(
    object(
      {
        parallelFilesUpload: integer(
          'Files read at the same time; if 0, the number of CPUs, but at least 4.',
        ).optional(),
      },
      'How files are read and sent.',
    ),
  ),
};

export const BackupSpec = object(
  {
    metadata: object(
      { labels: textMap('Labels of the backups that a Schedule creates.').optional() },
      'Metadata of the backups that a Schedule creates.',
    ).optional(),
    ...selection,
    ...volumes,
    hooks: BackupHooks.optional(),
    storageLocation: text('BackupStorageLocation to write to; the default one if empty.').optional(),
    ttl: duration('How long the backup is kept; 720h if empty.').optional(),
    itemOperationTimeout: duration(
      'How long to wait for each operation that goes on in the background; 4h if empty.',
    ).optional(),
  },
  'What to back up, how, where to, and how long to keep it.',
);
export type BackupSpec = z.infer<typeof BackupSpec>;
