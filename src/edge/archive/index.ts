/**
 * Velero's tar.gz: a streaming writer, and a bounded reader that checks the whole archive before anyone acts on it.
 * It must never trust what an archive says about itself, hold more than one item in memory, or know which objects to
 * choose.
 */
export { encodeItem, writeArchive, type ArchiveItem, type ArchiveSummary, type ArchiveWriter } from './writer.ts';
export { GoBytes } from './go-bytes.ts';
export { openArchive, type Archive } from './reader.ts';
export { inTurns } from './turns.ts';
export type { ItemProblem, ReadProgress } from './archive-pass.ts';
export type { ArchiveLimits } from './limits.ts';
export type { ArchiveLayout } from './layout.ts';
