import { duration, integer, listOf, object, text, textMap, time } from '../meta/field.ts';
import { AGE, ETA, PERCENT, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { progressFields } from '../meta/progress.ts';
import { ObjectReference } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';

const attemptFields = {
  podName: text('Pod of the attempt.').optional(),
  phase: text('Phase of the pod.').optional(),
  exitCode: integer('Exit code of rsync.').meta({ format: 'int32' }).optional(),
  containerElapsedTime: duration('How long the attempt ran.').optional(),
  logMessage: text('The last lines of the log.').optional(),
  lastObservedProgressPercent: text('How far the attempt is, such as `45%`.').optional(),
  lastObservedTransferRate: text('Recent speed, such as `9.76MB/s`.').optional(),
  creationTimestamp: time('When the pod was created.').optional(),
};

export const DirectVolumeMigrationProgress = defineKind({
  ...MIGRATION,
  kind: 'DirectVolumeMigrationProgress',
  plural: 'directvolumemigrationprogresses',
  shortNames: ['dvmp'],
  doc: 'How far the copy of one claim is.',
  fields: {
    spec: object(
      {
        clusterRef: ObjectReference.describe('Cluster in which the transfer pod runs.').optional(),
        podRef: ObjectReference.describe('The transfer pod; older form.').optional(),
        podNamespace: text('Namespace of the transfer pods.').optional(),
        podSelector: textMap('Labels of the transfer pods.').optional(),
      },
      'Which transfer to watch.',
    ),
    status: object(
      {
        ...attemptFields,
        rsyncPodStatuses: listOf(object(attemptFields), 'Attempts that are over.').optional(),
        rsyncElapsedTime: duration('How long all attempts took.').optional(),
        totalProgressPercentage: text('How far all attempts together are, such as `45%`.').optional(),
        progress: object(progressFields, 'How far the copy of the claim is.').optional(),
        conditions: migConditions,
        observedDigest,
      },
      'The newest attempt, and those before it.',
    ),
  },
  columns: [
    column('Cluster', '.spec.clusterRef.name'),
    column('Pod Name', '.status.podName'),
    column('Pod Namespace', '.spec.podNamespace'),
    column('Progress Percent', '.status.totalProgressPercentage'),
    column('Transfer Rate', '.status.lastObservedTransferRate'),
    PERCENT,
    ETA,
    AGE,
  ],
});
export type DirectVolumeMigrationProgress = ObjectOf<typeof DirectVolumeMigrationProgress>;
