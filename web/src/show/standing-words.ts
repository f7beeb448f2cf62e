import type { Operation } from '../../../src/core/operations/index.ts';

/** How an operation is, in the one word that stands beside the sign. */
export type Standing = Operation['report']['state'] | 'stalled';

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  pending: 'pending',
  running: 'running',
  stalled: 'stalled',
  completed: 'completed',
  partiallyFailed: 'partially failed',
  failed: 'failed',
  canceled: 'canceled',
};
