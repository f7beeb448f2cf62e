import { z } from 'zod';
import { integerOrDigits, nullable, object, percentText, text, time } from '../meta/field.ts';
import { progressFields } from '../meta/progress.ts';

const STATES = ['', 'pending', 'running', 'failed', 'complete'] as const;
export type ActionState = (typeof STATES)[number];

// Upstream's CRD lists no values, so none is refused here; the seed's example says "completed".
export const actionState = z
  .string()
  .transform((word) => (word === 'completed' ? 'complete' : word))
  .pipe(z.enum(STATES))
  .describe('pending, running, failed or complete; empty for a phase that does not exist.')
  .optional();

const sizes = {
  sizeDownloadedB: integerOrDigits('Bytes fetched so far.').optional(),
  sizeUploadedB: integerOrDigits('Bytes sent so far.').optional(),
  estimatedDownloadSizeB: integerOrDigits('Bytes to fetch, as far as known.').optional(),
  estimatedUploadSizeB: integerOrDigits('Bytes to send, as far as known.').optional(),
  lastTransitionTime: nullable(time('When the progress last changed.')),
};

export const ActionProgress = object(
  {
    percentCompleted: percentText('Mean of the phases of all actions, as text.').optional(),
    runningPhase: text('Phase that runs; empty when none does.').optional(),
    ...sizes,
    ...progressFields,
  },
  'How far the whole set is.',
);

export const PhaseProgress = object(
  {
    progressPercent: percentText('How far the phase is, as text.').optional(),
    estimatedTimeSeconds: integerOrDigits('Seconds until the end of the phase, as far as known.').optional(),
    ...sizes,
  },
  'How far the phase is.',
);
