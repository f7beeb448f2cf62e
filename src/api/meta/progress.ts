import { z } from 'zod';
import { int64, integer, oneOf, text, time } from './field.ts';
import { STAGES } from './stages.ts';

export { STAGES, type Stage } from './stages.ts';

const count = (doc: string) => integer(doc).min(0).optional();

/** What Headway adds to `status.progress` of every long-running kind, next to the fields upstream has there. */
export const progressFields = {
  percent: z
    .int()
    .min(0)
    .max(100)
    .describe('How far the operation is; never falls while it runs, and 100 only with success.')
    .optional(),
  stage: oneOf(STAGES, 'What the operation is doing.').optional(),
  current: text('The item or file that is worked on.').optional(),
  bytesDone: int64('Bytes moved so far.').optional(),
  totalBytes: int64('Bytes to move; absent while unknown.').optional(),
  ratePerSecond: z
    .number()
    .min(0)
    .describe('Recent speed: bytes a second where bytes are counted, else items a second.')
    .optional(),
  etaSeconds: integer('Seconds until the end at the recent speed; absent without evidence and while stalled.')
    .min(0)
    .optional(),
  lastProgressTime: time('When work last advanced.').optional(),
  created: count('Items created.'),
  updated: count('Items changed.'),
  skipped: count('Items left as they were.'),
  failed: count('Items that failed.'),
};
