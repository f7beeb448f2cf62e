import { flag, listOf, object, text, texts } from '../meta/field.ts';
import { AGE, READY, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectReference } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';
import { PlanVolume } from './persistent-volume.ts';
import { unhealthyNamespaces } from './unhealthy.ts';

const PlanHook = object({
  reference: ObjectReference.describe('The MigHook.'),
  phase: text('PreBackup, PostBackup, PreRestore or PostRestore.'),
  executionNamespace: text('Namespace the hook runs in.'),
  serviceAccount: text('Service account the hook runs as.'),
});

const GroupKind = object({ group: text('API group.'), kind: text('Kind.') });

const MigPlanSpec = object(
  {
    srcMigClusterRef: ObjectReference.describe('Cluster to migrate from.').optional(),
    destMigClusterRef: ObjectReference.describe('Cluster to migrate to.').optional(),
    migStorageRef: ObjectReference.describe('Store that backups go through.').optional(),
    namespaces: texts('Namespaces to migrate, as `name` or `source:destination`.').optional(),
    persistentVolumes: listOf(PlanVolume, 'Volumes that were found, with what to do with each.').optional(),
    hooks: listOf(PlanHook, 'Hooks and when they run.').optional(),
    includedResources: listOf(GroupKind, 'Kinds to migrate; all if empty.').optional(),
    labelSelector: LabelSelector.describe('Only objects with these labels are migrated.').optional(),
    indirectImageMigration: flag('Whether images go through the store instead of straight across.').optional(),
    indirectVolumeMigration: flag('Whether volumes go through the store instead of straight across.').optional(),
    liveMigrate: flag('Whether volumes of running virtual machines are moved live.').optional(),
    closed: flag('Whether the plan is done with and takes no more migrations.').optional(),
    refresh: flag('Asks for all checks to be made again; goes back to false once done.').optional(),
  },
  'What to migrate, from where to where.',
);

const StorageClass = object({
  name: text('Name of the class.').optional(),
  provisioner: text('Who makes its volumes.').optional(),
  default: flag('Whether it is the default class.').optional(),
  accessModes: texts('Access modes it is known to support; older form.').optional(),
  volumeAccessModes: listOf(
    object({
      volumeMode: text('Filesystem or Block.').optional(),
      accessModes: texts('Access modes in that mode.').optional(),
    }),
    'Access modes it is known to support, for each volume mode.',
  ).optional(),
});

const Gvk = object({ group: text('API group.'), kind: text('Kind.'), version: text('Version.') });
const IncompatibleNamespace = object({
  name: text('Name of the namespace.'),
  gvks: listOf(Gvk, 'Kinds that the destination does not serve.'),
});

const MigPlanStatus = object(
  {
    conditions: migConditions,
    observedDigest,
    namespaces: unhealthyNamespaces,
    incompatibleNamespaces: listOf(IncompatibleNamespace, 'Namespaces with kinds that cannot be migrated.').optional(),
    excludedResources: texts('Kinds that are never migrated.').optional(),
    srcStorageClasses: listOf(StorageClass, 'Storage classes of the source.').optional(),
    destStorageClasses: listOf(StorageClass, 'Storage classes of the destination.').optional(),
    suffix: text('Four letters that end the names of converted claims.').optional(),
  },
  'Whether the plan can be run.',
);

export const MigPlan = defineKind({
  ...MIGRATION,
  kind: 'MigPlan',
  plural: 'migplans',
  doc: 'Which namespaces go from which cluster to which, and how their volumes go along.',
  fields: { spec: MigPlanSpec, status: MigPlanStatus },
  columns: [
    READY,
    column('Source', '.spec.srcMigClusterRef.name'),
    column('Target', '.spec.destMigClusterRef.name'),
    column('Storage', '.spec.migStorageRef.name'),
    AGE,
  ],
});
export type MigPlan = ObjectOf<typeof MigPlan>;
