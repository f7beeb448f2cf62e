import { duration, flag, integer, listOf, nullable, object, oneOf, text, textMap, texts } from '../meta/field.ts';
import { AGE, ETA, PERCENT, STAGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { progressFields } from '../meta/progress.ts';
import { TypedLocalReference } from '../meta/references.ts';
import { RestoreHooks } from './exec-hook.ts';
import { VELERO } from './group.ts';
import { restoreRenames } from './renames.ts';
import {
  attempt,
  completionTimestamp,
  hookStatus,
  itemsByKind,
  recovery,
  stages,
  startTimestamp,
  validationErrors,
  waits,
} from './status-fields.ts';

const PHASES = [
  'New',
  'FailedValidation',
  'InProgress',
  'WaitingForPluginOperations',
  'WaitingForPluginOperationsPartiallyFailed',
  'Completed',
  'PartiallyFailed',
  'Failed',
  'Finalizing',
  'FinalizingPartiallyFailed',
] as const;
export type RestorePhase = (typeof PHASES)[number];

const RestoreSpec = object(
  {
    backupName: text('Backup to restore from; this or scheduleName.').optional(),
    scheduleName: text('Schedule whose newest completed backup is restored.').optional(),
    includedNamespaces: nullable(texts('Namespaces to restore, as names or globs; all if empty.')),
    excludedNamespaces: nullable(texts('Namespaces to leave out.')),
    includedResources: nullable(texts('Kinds to restore; all if empty.')),
    excludedResources: nullable(texts('Kinds to leave out; those that must never be restored are added.')),
    includeClusterResources: nullable(
      flag('Whether cluster-scoped objects are restored; if empty, only without a choice of namespaces.'),
    ),
    labelSelector: nullable(LabelSelector.describe('Only objects with these labels are restored.')),
    orLabelSelectors: nullable(
      listOf(
        LabelSelector.describe('One of the selectors.'),
        'Objects that match any of these are restored; not together with labelSelector.',
      ),
    ),
    namespaceMapping: textMap('Namespace of the backup to the namespace it is restored into.').optional(),
    restorePVs: nullable(flag('Whether persistent volumes are restored from their snapshots; yes if empty.')),
    restoreStatus: nullable(
      object(
        {
          includedResources: nullable(texts('Kinds whose status is restored.')),
          excludedResources: nullable(texts('Kinds whose status is not restored.')),
        },
        'Which objects get their status back; none if empty.',
      ),
    ),
    preserveNodePorts: nullable(flag('Whether services keep their node ports.')),
    existingResourcePolicy: nullable(text('What happens to an object that is there and differs: none or update.')),
    resourceModifier: nullable(
      TypedLocalReference.describe('ConfigMap with changes to make to objects as they are restored.'),
    ),
    resourcePolicy: nullable(
      TypedLocalReference.describe('ConfigMap with filters for single kinds, by labels and names.'),
    ),
    hooks: RestoreHooks.optional(),
    itemOperationTimeout: duration(
      'How long to wait for each operation that goes on in the background; 4h if empty.',
    ).optional(),
    uploaderConfig: nullable(
      object(
        {
          parallelFilesDownload: integer('Files written at the same time; the number of CPUs if 0.').optional(),
          writeSparseFiles: nullable(flag('Whether runs of zeros become holes.')),
        },
        'How files are fetched and written.',
      ),
    ),
  },
  'What to restore, from which backup, and where to.',
);

const count = (doc: string) => integer(doc).optional();

const RestoreStatus = object(
  {
    phase: oneOf(PHASES, 'Where the restore stands.').optional(),
    progress: nullable(
      object(
        {
          itemsRestored: count('Objects the API has answered for: created, updated, skipped and failed ones.'),
          totalItems: count('Objects to restore; grows when one of them brings others.'),
          ...progressFields,
        },
        'How far the restore is.',
      ),
    ),
    stages,
    itemsByKind,
    conditions,
    startTimestamp,
    completionTimestamp,
    validationErrors,
    failureReason: text('Why the restore failed as a whole.').optional(),
    warnings: count('Warnings in the log.'),
    errors: count('Errors in the log.'),
    restoreItemOperationsAttempted: count('Background operations that were begun.'),
    restoreItemOperationsCompleted: count('Background operations that succeeded.'),
    restoreItemOperationsFailed: count('Background operations that failed.'),
    hookStatus,
    attempt,
    recovery,
    waits,
    execHooks: listOf(
      object({
        namespace: text('Namespace of the pod.'),
        name: text('Name of the pod.'),
        begun: integer('How many of its hooks were started.'),
        ended: integer('How many of them have ended.'),
      }),
      'Hooks in restored pods so far; only while the restore runs, so that none is run twice.',
    ).optional(),
  },
  'What became of the restore.',
);

export const Restore = defineKind({
  ...VELERO,
  kind: 'Restore',
  plural: 'restores',
  doc: 'Puts the objects and volumes of a backup back into the cluster.',
  fields: { spec: RestoreSpec, status: RestoreStatus },
  renames: restoreRenames,
  columns: [
    column('Backup', '.spec.backupName'),
    column('Status', '.status.phase'),
    PERCENT,
    STAGE,
    column('Items', '.status.progress.itemsRestored', 'integer'),
    column('Total', '.status.progress.totalItems', 'integer'),
    ETA,
    column('Warnings', '.status.warnings', 'integer', { priority: 1 }),
    column('Errors', '.status.errors', 'integer'),
    AGE,
  ],
});
export type Restore = ObjectOf<typeof Restore>;
