import { flag, integer, listOf, object, text, texts, time } from '../meta/field.ts';
import { AGE, ETA, PERCENT, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { progressFields } from '../meta/progress.ts';
import { ObjectReference, objectReferenceFields } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';
import { LiveMigrationProgress, PodProgress, RsyncOperation } from './transfer-progress.ts';

const ClaimToMigrate = object({
  ...objectReferenceFields,
  targetStorageClass: text('Storage class at the destination.'),
  targetAccessModes: texts('Access modes at the destination.'),
  targetVolumeMode: text('Filesystem or Block at the destination.').optional(),
  targetNamespace: text('Namespace at the destination; the same if empty.').optional(),
  targetName: text('Name at the destination; the same if empty.').optional(),
  verify: flag('Whether the copied files are compared.').optional(),
});

const DirectVolumeMigrationSpec = object(
  {
    srcMigClusterRef: ObjectReference.describe('Cluster to copy from.').optional(),
    destMigClusterRef: ObjectReference.describe('Cluster to copy to.').optional(),
    persistentVolumeClaims: listOf(ClaimToMigrate, 'Claims to copy.').optional(),
    createDestinationNamespaces: flag('Whether missing namespaces are created.').optional(),
    deleteProgressReportingCRs: flag('Whether the progress objects are deleted at the end.').optional(),
    backOffLimit: integer('How many attempts each claim gets.').optional(),
    liveMigrate: flag('Whether volumes of running virtual machines are moved live.').optional(),
    migrationType: text('Stage, CutOver or Rollback.').optional(),
  },
  'Which claims to copy, from where to where.',
);

const pods = (doc: string) => listOf(PodProgress, doc).optional();
const live = (doc: string) => listOf(LiveMigrationProgress, doc).optional();

const DirectVolumeMigrationStatus = object(
  {
    itinerary: text('VolumeMigration, VolumeMigrationFailed or VolumeMigrationRollback.').optional(),
    phase: text('Phase that runs.').optional(),
    phaseDescription: text('What the phase does, for people.').optional(),
    progress: object(progressFields, 'How far the copy of all claims is.').optional(),
    conditions: migConditions,
    observedDigest,
    startTimestamp: time('When the copy began.').optional(),
    errors: texts('What went wrong, each once.').optional(),
    successfulPods: pods('Transfers that succeeded.'),
    failedPods: pods('Transfers that failed.'),
    runningPods: pods('Transfers that run.'),
    pendingPods: pods('Transfers whose pod does not run yet.'),
    unknownPods: pods('Transfers of which nothing is known.'),
    pendingSinceTimeLimitPods: pods('Transfers whose pod has not run for too long.'),
    successfulLiveMigration: live('Live moves that succeeded.'),
    failedLiveMigration: live('Live moves that failed.'),
    runningLiveMigration: live('Live moves that run.'),
    pendingLiveMigration: live('Live moves that wait.'),
    rsyncOperations: listOf(RsyncOperation, 'The attempts for each claim.').optional(),
    skippedVolumes: texts('Claims that were left out, as `namespace/name`.').optional(),
  },
  'How far the copy is, and what became of it.',
);

export const DirectVolumeMigration = defineKind({
  ...MIGRATION,
  kind: 'DirectVolumeMigration',
  plural: 'directvolumemigrations',
  shortNames: ['dvm'],
  doc: 'Copies volumes straight from one cluster to another.',
  fields: { spec: DirectVolumeMigrationSpec, status: DirectVolumeMigrationStatus },
  columns: [column('Phase', '.status.phase'), PERCENT, ETA, AGE],
});
export type DirectVolumeMigration = ObjectOf<typeof DirectVolumeMigration>;
