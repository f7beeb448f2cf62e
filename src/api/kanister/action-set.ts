import { flag, freeForm, integer, listOf, mapOf, object, text, textMap, time } from '../meta/field.ts';
import { AGE, ETA, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { attempt, recovery, waits } from '../meta/operation-fields.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { ActionProgress, PhaseProgress, actionState } from './action-progress.ts';
import { actionRenames } from './action-renames.ts';
import { KANISTER } from './group.ts';
import { KanisterReference, artifacts } from './references.ts';

const ActionSpec = object({
  name: text('Action of the Blueprint to run, such as backup.').optional(),
  object: KanisterReference.describe('What the action is done to.').optional(),
  blueprint: text('Blueprint with the action, in the namespace of the ActionSet.').optional(),
  artifacts: artifacts('Artifacts of earlier actions, `.ArtifactsIn` in templates.').optional(),
  configMaps: mapOf(KanisterReference, 'ConfigMaps, `.ConfigMaps` in templates.').optional(),
  secrets: mapOf(KanisterReference, 'Secrets, `.Secrets` in templates.').optional(),
  profile: KanisterReference.describe('Profile with location and credentials, `.Profile` in templates.').optional(),
  repositoryServer: KanisterReference.describe('Repository server of older versions of Kanister.').optional(),
  podOverride: freeForm('Pod spec that is merged into the pods of functions.').optional(),
  options: textMap('Values, `.Options` in templates.').optional(),
  preferredVersion: text('Version of the functions to use; v0.0.0 if empty.').optional(),
  podLabels: textMap('Labels for the pods of functions.').optional(),
  podAnnotations: textMap('Annotations for the pods of functions.').optional(),
});

const Phase = object({
  name: text('Name of the phase in the Blueprint.').optional(),
  state: actionState,
  reason: text('Why the phase is in this state.').optional(),
  attempt: integer('Which attempt this is, from 1 on; more than one with `retries` in the Blueprint.')
    .min(1)
    .optional(),
  startTimestamp: time('When the phase began.').optional(),
  completionTimestamp: time('When the phase ended.').optional(),
  executed: flag(
    'Whether its work is done and only cleaning up is left: it is not done again after a restart.',
  ).optional(),
  output: freeForm('What the phase returned, `.Phases.NAME.Output` in templates.').optional(),
  progress: PhaseProgress.optional(),
});

const ActionStatus = object({
  name: text('Action that is run.').optional(),
  object: KanisterReference.describe('What the action is done to.').optional(),
  blueprint: text('Blueprint with the action.').optional(),
  phases: listOf(Phase, 'Phases in the order in which they run.').optional(),
  artifacts: artifacts('Artifacts the action leaves behind.').optional(),
  workload: freeForm('Pods of the object as they were when the action began; templates see these.').optional(),
  deferPhase: Phase.describe('Phase that runs last, whatever became of the others.').optional(),
});

export const ActionSet = defineKind({
  ...KANISTER,
  kind: 'ActionSet',
  plural: 'actionsets',
  doc: 'Runs actions of Blueprints.',
  fields: {
    spec: object(
      {
        actions: listOf(ActionSpec, 'Actions to run, at the same time.').optional(),
        ttlSecondsAfterFinished: integer('Seconds after its end until the set is deleted; kept if absent.')
          .min(0)
          .optional(),
      },
      'Which actions, on what.',
    ),
    status: object(
      {
        state: actionState,
        startTimestamp: time('When the set began to run.').optional(),
        completionTimestamp: time('When the set ended, deferPhases included.').optional(),
        progress: ActionProgress.optional(),
        conditions,
        attempt,
        recovery,
        waits,
        actions: listOf(ActionStatus, 'How each action stands, in the order of the spec.').optional(),
        error: object({ message: text('Why the set failed.').optional() }, 'What went wrong.').optional(),
      },
      'What became of the actions.',
    ),
  },
  renames: actionRenames,
  columns: [
    column('Progress', '.status.progress.percentCompleted'),
    ETA,
    column('Running Phase', '.status.progress.runningPhase'),
    column('Last Transition Time', '.status.progress.lastTransitionTime', 'string', { format: 'date-time' }),
    column('State', '.status.state'),
    AGE,
    column('SizeDownloadedB', '.status.progress.sizeDownloadedB', 'integer', { priority: 1 }),
    column('SizeUploadedB', '.status.progress.sizeUploadedB', 'integer', { priority: 1 }),
    column('EstimatedDownloadSizeB', '.status.progress.estimatedDownloadSizeB', 'integer', { priority: 1 }),
    column('EstimatedUploadSizeB', '.status.progress.estimatedUploadSizeB', 'integer', { priority: 1 }),
  ],
});
export type ActionSet = ObjectOf<typeof ActionSet>;
