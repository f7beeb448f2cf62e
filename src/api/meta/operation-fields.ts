import { z } from 'zod';
import { int64, integer, listOf, nullable, object, text, time } from './field.ts';

/** Ours: how many attempts were started, and what is known about those that did not end. */
export const attempt = integer(
  'How many times work on it was started; more than once after a restart of Headway.',
).optional();
export const recovery = nullable(
  object(
    {
      open: z.boolean().describe('An attempt is under way, or was when its process ended.').optional(),
      lost: integer('Attempts in a row that ended with their process without getting further.').min(0).optional(),
      failed: integer('Attempts in a row that could not be worked on.').min(0).optional(),
      error: text('Why the last of them could not be worked on.').optional(),
      stage: text('The stage that the best attempt reached.').optional(),
      done: int64('How much of that stage was done.').optional(),
    },
    'What is needed to begin again, and to stop beginning again.',
  ),
);

/** Ours: everything that the operation waits for, not only the cause of a stall. */
export const waits = listOf(
  object({ cause: text('What is waited for, and why.'), since: time('Since when.') }),
  'What the operation waits for, the oldest first; at most 20.',
).optional();
