import { z } from 'zod';
import { flag, int64, listOf, mapOf, object, text, texts, time } from '../meta/field.ts';
import { AGE, ETA, PERCENT, READY, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { progressFields } from '../meta/progress.ts';
import { ObjectReference } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';
import { migrationRenames } from './renames.ts';
import { unhealthyNamespaces } from './unhealthy.ts';

const MigMigrationSpec = object(
  {
    migPlanRef: ObjectReference.describe('Plan to run.').optional(),
    stage: flag('Whether only data is copied ahead, with the application running on.'),
    quiescePods: flag('Whether the application is stopped at the source before the last copy.').optional(),
    keepAnnotations: flag('Whether the annotations used on the way are left on the objects.').optional(),
    verify: flag('Whether the health of the migrated pods is checked at the end.').optional(),
    canceled: flag('Asks for the migration to be canceled.').optional(),
    rollback: flag('Whether an earlier migration is undone.').optional(),
    migrateState: flag('Whether only volumes are migrated, for good.').optional(),
    runAsRoot: flag('Whether transfer pods run as root.').optional(),
    runAsUser: int64('User id of transfer pods.').optional(),
    runAsGroup: int64('Group id of transfer pods.').optional(),
  },
  'Which plan to run, and how.',
);

const Step = object({
  name: text('Name of the step, such as Backup or DirectVolume.'),
  started: time('When the step began.').optional(),
  completed: time('When the step ended.').optional(),
  phase: text('Phase inside the step that runs.').optional(),
  message: text('What is being done, for people; `Not started` before.').optional(),
  progress: texts('How far it is, one line for each thing that moves.').optional(),
  failed: flag('Whether the migration failed in this step.').optional(),
  canceled: flag('Whether the migration was canceled in this step.').optional(),
  skipped: flag('Whether the step was cut off by a failure or a cancel.').optional(),
});
export type PipelineStep = z.infer<typeof Step>;

const MigMigrationStatus = object(
  {
    itinerary: text('Stage, Final, Failed, Cancel or Rollback.').optional(),
    phase: text('Phase that runs.').optional(),
    step: text('Step that the phase belongs to.').optional(),
    pipeline: listOf(Step, 'The steps of the itinerary, in order.').optional(),
    progress: object(progressFields, 'How far the migration is.').optional(),
    conditions: migConditions,
    flags: mapOf(z.boolean(), 'What the itinerary was built from; evaluated once, then kept.').optional(),
    startTimestamp: time('When the migration began.').optional(),
    errors: texts('What went wrong, each once.').optional(),
    namespaces: unhealthyNamespaces,
    observedDigest,
  },
  'How far the migration is, and what became of it.',
);

export const MigMigration = defineKind({
  ...MIGRATION,
  kind: 'MigMigration',
  plural: 'migmigrations',
  doc: 'Runs a plan.',
  fields: { spec: MigMigrationSpec, status: MigMigrationStatus },
  renames: migrationRenames,
  columns: [
    READY,
    column('Plan', '.spec.migPlanRef.name'),
    column('Stage', '.spec.stage'),
    column('Rollback', '.spec.rollback'),
    column('Itinerary', '.status.itinerary'),
    column('Step', '.status.step'),
    column('Phase', '.status.phase'),
    PERCENT,
    ETA,
    AGE,
  ],
});
export type MigMigration = ObjectOf<typeof MigMigration>;
