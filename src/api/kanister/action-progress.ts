import { z } from 'zod';
import { integerOrDigits, listOf, nullable, object, percentText, text, time } from '../meta/field.ts';
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

const RunningPhase = object({
  action: text('Action of the set.').optional(),
  phase: text('Phase of that action.').optional(),
});

export const ActionProgress = object(
  {
    percentCompleted: percentText(
      'Mean of the phases of all actions, with two decimals; 100.00 only with success.',
    ).optional(),
    runningPhase: text('Phase that runs, the first of them if several do; empty when none does.').optional(),
    runningPhases: listOf(RunningPhase, 'All phases that run; actions run at the same time.').optional(),
    ...sizes,
    ...progressFields,
  },
  'How far the whole set is.',
);

export const PhaseProgress = object(
  {
    progressPercent: percentText('How far the phase is, with two decimals.').optional(),
    estimatedTimeSeconds: integerOrDigits('Seconds until the end of the phase, as far as known.').optional(),
    ...sizes,
  },
  'How far the phase is.',
);
