import { int64, integer, listOf, nullable, object, oneOf, text, texts, time } from '../meta/field.ts';
import { progressFields, STAGES } from '../meta/progress.ts';

export { attempt, recovery, waits } from '../meta/operation-fields.ts';

/** Fields that several Velero kinds have in their status under the same name and with the same meaning. */
export const startTimestamp = nullable(time('When work began.'));
export const completionTimestamp = nullable(time('When work ended, well or badly.'));
export const acceptedTimestamp = nullable(time('When a node took the work.'));
export const message = text('What happened, for people.').optional();
export const validationErrors = nullable(texts('Why the spec was refused, all reasons at once.'));

export const hookStatus = nullable(
  object(
    {
      hooksAttempted: integer('Hooks that were run.').optional(),
      hooksFailed: integer('Hooks that failed.').optional(),
    },
    'How the hooks went.',
  ),
);

/** Ours: how long each stage took, for the page and for `describe`. */
export const stages = listOf(
  object({
    stage: oneOf(STAGES, 'What the operation was doing.'),
    startedAt: time('When it began with that.'),
    endedAt: time('When it went on to the next stage, or ended; absent for the stage it is in.').optional(),
  }),
  'The stages so far, in order; a stage that is entered again is there again.',
).optional();

const itemCount = (doc: string) => integer(doc).min(0).optional();
/** Ours: the counts of the progress, per kind of object. */
export const itemsByKind = listOf(
  object({
    kind: text('Kind of the items, as `Service` or, where two groups have it, `Ingress.networking.k8s.io`.'),
    total: itemCount('Items of this kind so far found.'),
    created: itemCount('Items created, or put into the archive.'),
    updated: itemCount('Items changed.'),
    skipped: itemCount('Items left as they were.'),
    failed: itemCount('Items that failed.'),
  }),
  'What became of the items, for the 50 kinds with the most of them.',
).optional();

const DATA_PATH_PHASES = [
  'New',
  'Accepted',
  'Prepared',
  'InProgress',
  'Canceling',
  'Canceled',
  'Completed',
  'Failed',
] as const;
/** The phase of moving one volume's data. */
export const dataPathPhase = oneOf(DATA_PATH_PHASES, 'Where the work stands.').optional();

export const ByteProgress = object(progressFields);
export const incrementalBytes = int64('Bytes that were new since the last backup of the volume.').optional();
export const uploaderType = oneOf(
  ['kopia', 'restic', ''],
  'Program that reads and writes the data; kopia if empty.',
).optional();
