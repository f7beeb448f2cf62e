/**
 * What each phase of a migration does, in one sentence for people: of seed 000's tables and of MTC's own, whose names
 * tell little to anybody else. Phases that are not here are shown by their name.
 */
const PHASES: Readonly<Record<string, string>> = {
  // Seed 000, Final and Stage.
  Created: 'The migration was created.',
  Started: 'The migration begins.',
  Prepare: 'Both clusters are made ready: plan, storage, and what earlier attempts left behind.',
  EnsureCloudSecretPropagated: 'Waiting until both clusters use the current credentials of the storage.',
  PreBackupHooks: 'Running the hooks that come before the backup.',
  EnsureInitialBackup: 'Starting the backup of all objects except volume data.',
  InitialBackupCreated: 'Backing up all objects except volume data.',
  EnsureStagePodsFromRunning: 'Creating stage pods for the volumes of running pods.',
  EnsureStagePodsFromTemplates: 'Creating stage pods for the volumes of workloads that have no running pod.',
  EnsureStagePodsFromOrphanedPVCs: 'Creating stage pods for claims that no workload mounts.',
  StagePodsCreated: 'Waiting until the stage pods run.',
  AnnotateResources: 'Marking the objects that belong to the data backup.',
  RestartRestic: 'Ending volume movers that are left from earlier attempts.',
  ResticRestarted: 'Waiting until volume movers can start again.',
  QuiesceApplications: 'Stopping the application at the source.',
  EnsureQuiesced: 'Waiting until the pods of the application have ended.',
  EnsureStageBackup: 'Starting the backup of the data.',
  StageBackupCreated: 'Backing up the data of volumes and images.',
  EnsureStageBackupReplicated: 'Waiting until the destination sees the data backup.',
  EnsureStageRestore: 'Starting the restore of the data.',
  StageRestoreCreated: 'Restoring the data of volumes and images.',
  EnsureStagePodsDeleted: 'Deleting the stage pods.',
  EnsureStagePodsTerminated: 'Waiting until the stage pods are gone.',
  EnsureAnnotationsDeleted: 'Removing the marks of this migration from the objects.',
  EnsureInitialBackupReplicated: 'Waiting until the destination sees the backup of the objects.',
  PostBackupHooks: 'Running the hooks that come after the backup.',
  PreRestoreHooks: 'Running the hooks that come before the restore.',
  EnsureFinalRestore: 'Starting the restore of all objects.',
  FinalRestoreCreated: 'Restoring all objects.',
  EnsureLabelsDeleted: 'Removing the labels of this migration from the objects.',
  PostRestoreHooks: 'Running the hooks that come after the restore.',
  Verification: 'Checking that the migrated pods are healthy.',
  Completed: 'Everything is done.',

  // Seed 000, Failed, Cancel and Rollback.
  MigrationFailed: 'The migration has failed; what it left behind is cleaned up.',
  DeleteMigrated: 'Deleting what this migration has created at the destination.',
  EnsureMigratedDeleted: 'Waiting until what was created at the destination is gone.',
  UnQuiesceApplications: 'Starting the application at the source again.',
  Canceling: 'The migration is being canceled.',
  Canceled: 'The migration was canceled.',
  DeleteBackups: 'Deleting the backups of this migration.',
  DeleteRestores: 'Deleting the restores of this migration.',
  Rollback: 'The rollback begins.',

  // Only in MTC.
  StartRefresh: 'Asking for the plan, the storage and the clusters to be looked at again.',
  WaitForRefresh: 'Waiting until the plan has been looked at again.',
  CleanStaleAnnotations: 'Removing marks that earlier migrations left on the objects.',
  CleanStaleResticCRs: 'Deleting volume backups and restores that earlier migrations left unfinished.',
  CleanStaleVeleroCRs: 'Deleting backups and restores that earlier migrations left unfinished.',
  CleanStaleStagePods: 'Deleting stage pods of earlier migrations.',
  WaitForStaleStagePodsTerminated: 'Waiting until stage pods of earlier migrations are gone.',
  RestartVelero: 'Restarting Velero where unfinished work was deleted.',
  WaitForVeleroReady: 'Waiting until Velero is ready.',
  WaitForResticReady: 'Waiting until the volume movers are ready.',
  CreateRegistries: 'Creating the registries through which images travel.',
  WaitForRegistriesReady: 'Waiting until the registries are ready.',
  DeleteRegistries: 'Deleting the registries through which images travelled.',
  DeleteHookJobs: 'Deleting the jobs of the hooks.',
  CreateDirectImageMigration: 'Starting the direct copy of the images.',
  WaitForDirectImageMigrationToComplete: 'Copying images straight to the destination.',
  CreateDirectVolumeMigration: 'Starting the direct copy of the volumes.',
  CreateDirectVolumeMigrationStage: 'Starting the direct copy of the volumes.',
  CreateDirectVolumeMigrationFinal: 'Starting the last direct copy of the volumes.',
  CreateDirectVolumeMigrationRollback: 'Starting the direct copy of the volumes back to the source.',
  WaitForDirectVolumeMigrationToComplete: 'Copying volumes straight to the destination.',
  WaitForDirectVolumeMigrationToRollbackComplete: 'Copying volumes straight back to the source.',
  DeleteDirectVolumeMigrationResources: 'Deleting what the direct copy of the volumes left behind.',
  DeleteDirectImageMigrationResources: 'Deleting what the direct copy of the images left behind.',
  QuiesceSourceApplications: 'Stopping the application at the source.',
  EnsureSrcQuiesced: 'Waiting until the pods of the application at the source have ended.',
  QuiesceDestinationApplications: 'Stopping the application at the destination.',
  EnsureDestQuiesced: 'Waiting until the pods of the application at the destination have ended.',
  UnQuiesceSrcApplications: 'Starting the application at the source again.',
  UnQuiesceDestApplications: 'Starting the application at the destination.',
  SwapPVCReferences: 'Pointing the workloads to the new claims.',

  // Direct migrations.
  CleanStaleRsyncResources: 'Deleting what earlier direct copies left behind.',
  WaitForStaleRsyncResourcesTerminated: 'Waiting until what earlier direct copies left behind is gone.',
  CreateDestinationNamespaces: 'Creating namespaces at the destination.',
  DestinationNamespacesCreated: 'The namespaces at the destination are there.',
  CreateDestinationPVCs: 'Creating claims at the destination.',
  DestinationPVCsCreated: 'The claims at the destination are there.',
  CreateRsyncRoute: 'Opening a way into the destination for the data.',
  EnsureRsyncRouteAdmitted: 'Waiting until the way into the destination is open.',
  CreateRsyncConfig: 'Writing the configuration of the transfer.',
  CreateStunnelConfig: 'Writing the configuration of the encrypted connection.',
  CreatePVProgressCRs: 'Creating the objects that show the progress of each claim.',
  CreateRsyncTransferPods: 'Starting the pods that receive the data.',
  WaitForRsyncTransferPodsRunning: 'Waiting until the pods that receive the data run.',
  RunRsyncOperations: 'Copying the data of the claims.',
  DeleteRsyncResources: 'Deleting what the direct copy needed.',
  WaitForRsyncResourcesTerminated: 'Waiting until what the direct copy needed is gone.',
  ListImageStreams: 'Finding the images to copy.',
  CreateDirectImageStreamMigrations: 'Starting the copy of each image stream.',
  WaitingForDirectImageStreamMigrationsToComplete: 'Copying the image streams.',
};

/** Undefined for a phase that nobody has described. */
export function phaseSentence(phase: string): string | undefined {
  return Object.hasOwn(PHASES, phase) ? PHASES[phase] : undefined;
}

/** One name for a step that seed 000, seed 003 and MTC call differently; a name that only one of them has stays. */
const STEPS: Readonly<Record<string, string>> = {
  VolumeBackup: 'DataBackup',
  StageBackup: 'DataBackup',
  StateBackup: 'DataBackup',
  VolumeRestore: 'DataRestore',
  StageRestore: 'DataRestore',
  StateRestore: 'DataRestore',
  ResourceRestore: 'Restore',
};

export function stepName(step: string): string {
  return Object.hasOwn(STEPS, step) ? (STEPS[step] ?? step) : step;
}
