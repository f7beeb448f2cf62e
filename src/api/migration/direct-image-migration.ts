import { flag, listOf, object, text, texts, time } from '../meta/field.ts';
import { AGE, ETA, PERCENT, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { progressFields } from '../meta/progress.ts';
import { ObjectReference, objectReferenceFields } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';

const ImageStream = object({
  ...objectReferenceFields,
  destNamespace: text('Namespace at the destination.').optional(),
  notFound: flag('Whether the image stream is no longer there.').optional(),
  directMigration: ObjectReference.describe('Object that copies this image stream.').optional(),
  errors: texts('What went wrong.').optional(),
});
const imageStreams = (doc: string) => listOf(ImageStream, doc).optional();

export const DirectImageMigration = defineKind({
  ...MIGRATION,
  kind: 'DirectImageMigration',
  plural: 'directimagemigrations',
  shortNames: ['dim'],
  doc: 'Copies images straight from one registry to another.',
  fields: {
    spec: object(
      {
        srcMigClusterRef: ObjectReference.describe('Cluster to copy from.').optional(),
        destMigClusterRef: ObjectReference.describe('Cluster to copy to.').optional(),
        namespaces: texts('Namespaces whose image streams are copied, as `name` or `source:destination`.').optional(),
        labelSelector: LabelSelector.describe('Only image streams with these labels are copied.').optional(),
      },
      'Which images to copy, from where to where.',
    ),
    status: object(
      {
        itinerary: text('Itinerary that is walked.').optional(),
        phase: text('Phase that runs.').optional(),
        progress: object(progressFields, 'How far the copy of all images is.').optional(),
        conditions: migConditions,
        observedDigest,
        startTimestamp: time('When the copy began.').optional(),
        errors: texts('What went wrong, each once.').optional(),
        newISs: imageStreams('Image streams to copy.'),
        successfulISs: imageStreams('Image streams that were copied.'),
        deletedISs: imageStreams('Image streams that vanished meanwhile.'),
        failedISs: imageStreams('Image streams that could not be copied.'),
      },
      'How far the copy is, and what became of it.',
    ),
  },
  columns: [column('Phase', '.status.phase'), PERCENT, ETA, AGE],
});
export type DirectImageMigration = ObjectOf<typeof DirectImageMigration>;
