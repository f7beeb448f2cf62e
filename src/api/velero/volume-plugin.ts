import { int64, text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { attempt, ByteProgress, completionTimestamp, message, startTimestamp } from './status-fields.ts';

/** What VolumePluginBackup and VolumePluginRestore have in common (seed 002). */
export const pluginSpecFields = {
  backup: text('Backup that the snapshot belongs to.'),
  plugin: text('Volume plugin that does the work.'),
  pluginSpecific: textMap('What the plugin wants to tell about itself.').optional(),
};

const PHASES = ['New', 'InProgress', 'Completed', 'Failed', 'Canceled'] as const;

// The seed does not restrict the phase, and plugins write their own CRs: any word is read, and these are the ones
// Headway writes.
export const pluginStatusFields = {
  phase: text(`Where the work stands: ${PHASES.join(', ')}, or a plugin's own word.`).optional(),
  progress: ByteProgress.describe('How far the plugin is; absent when it cannot report progress.').optional(),
  conditions,
  message,
  startTimestamp,
  completionTimestamp,
  // Ours. The progress counts sizes of files; what of them was sent is another number.
  attempt,
  reusedBytes: int64('Bytes of files that an earlier snapshot had, so that they were not read again.').optional(),
  uploadedBytes: int64(
    'Bytes that the store got, after equal parts were left out and the rest was compressed.',
  ).optional(),
  fileCount: int64('Files in the snapshot.').optional(),
  checksum: text('SHA-256 of the checksums of all files, with the verification of volumes.').optional(),
};

export const pluginColumns = [
  column('Claim', String.raw`.metadata.annotations.headway\.io/claim`),
  column('Plugin', '.spec.plugin'),
  column('Status', '.status.phase'),
  PERCENT,
  BYTES_DONE,
  TOTAL_BYTES,
  ETA,
  column('Started', '.status.startTimestamp', 'date'),
  column('Attempt', '.status.attempt', 'integer', { priority: 1 }),
  column('Uploaded Bytes', '.status.uploadedBytes', 'integer', { format: 'int64', priority: 1 }),
  AGE,
];
