import { text, textMap } from '../meta/field.ts';
import { AGE, BYTES_DONE, ETA, PERCENT, TOTAL_BYTES, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { ByteProgress, completionTimestamp, message, startTimestamp } from './status-fields.ts';

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
};

export const pluginColumns = [
  column('Plugin', '.spec.plugin'),
  column('Status', '.status.phase'),
  PERCENT,
  BYTES_DONE,
  TOTAL_BYTES,
  ETA,
  column('Started', '.status.startTimestamp', 'date'),
  AGE,
];
