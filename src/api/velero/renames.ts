import type { Rename } from '../meta/rename.ts';

const at = 'status.progress';
const seed2 = { at, source: 'seed 002, struct without JSON names' };
/** The alternative that the seed considered and rejected: counting restored and skipped items separately. */
const seed4 = { at, source: 'seed 004, alternative' };

export const pluginRenames: readonly Rename[] = [
  { ...seed2, from: 'TotalBytes', to: 'totalBytes' },
  { ...seed2, from: 'BytesDone', to: 'bytesDone' },
];

export const restoreRenames: readonly Rename[] = [
  { ...seed4, from: 'restoredItems', to: 'created' },
  { ...seed4, from: 'skippedItems', to: 'skipped' },
];
