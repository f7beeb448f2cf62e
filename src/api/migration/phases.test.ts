import { expect, it } from 'vitest';
import { phaseSentence, stepName } from './phases.ts';

/** Seed 000's four tables. */
const SEED = `Created Started Prepare EnsureCloudSecretPropagated PreBackupHooks EnsureInitialBackup InitialBackupCreated
  EnsureStagePodsFromRunning EnsureStagePodsFromTemplates EnsureStagePodsFromOrphanedPVCs StagePodsCreated
  AnnotateResources RestartRestic ResticRestarted QuiesceApplications EnsureQuiesced EnsureStageBackup
  StageBackupCreated EnsureStageBackupReplicated EnsureStageRestore StageRestoreCreated EnsureStagePodsDeleted
  EnsureStagePodsTerminated EnsureAnnotationsDeleted EnsureInitialBackupReplicated PostBackupHooks PreRestoreHooks
  EnsureFinalRestore FinalRestoreCreated EnsureLabelsDeleted PostRestoreHooks Verification Completed MigrationFailed
  DeleteMigrated EnsureMigratedDeleted UnQuiesceApplications Canceling DeleteBackups DeleteRestores Canceled`;

it('explains every phase of seed 000 in one sentence', () => {
  for (const phase of SEED.split(/\s+/)) expect(phaseSentence(phase), phase).toMatch(/^[A-Z].+\.$/);
});

it('knows nothing of phases that nobody has described, nor of what every object inherits', () => {
  for (const phase of ['', 'Dancing', 'constructor', '__proto__']) expect(phaseSentence(phase)).toBeUndefined();
});

it('calls a step by one name, and never by one that sounds like a stage migration', () => {
  expect(['VolumeBackup', 'StageBackup', 'DataBackup'].map(stepName)).toEqual(Array(3).fill('DataBackup'));
  expect(['ResourceRestore', 'StageRestore', 'toString'].map(stepName)).toEqual(['Restore', 'DataRestore', 'toString']);
});
