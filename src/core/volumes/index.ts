/**
 * What all copies of volumes have in common: the output of kopia and restic, which volumes are copied and by what, names
 * and objects, and how a mover is spoken to. It must never do I/O, read a clock, or know a cluster.
 */
export { LineCutter } from './output/line-cutter.ts';
export { advance, copyMeasure, copyPercent, type CopyProgress } from './output/copy-progress.ts';
export { parseKopiaSnapshot } from './output/kopia-snapshot.ts';
export { parseKopiaRestore } from './output/kopia-restore.ts';
export { storedAllItself } from './output/kopia-reuse.ts';
export { KopiaListing, type KopiaEntry } from './output/kopia-list.ts';
export { parseKopiaProblem, plainLine, type FileProblem } from './output/kopia-problem.ts';
export { parseResticLine, type ResticLine, type ResticSummary } from './output/restic.ts';

export { fileSystemVolumes } from './choose/pod-volumes.ts';
export {
  chooseVolumes,
  type UncopiedPodVolume,
  type VolumeAnswer,
  type VolumeChoice,
  type VolumeQuestion,
} from './choose/choose-volumes.ts';
export { claimUses, type Claim, type ClaimUse, type Pod } from './choose/claim.ts';

export { isVolumeIdOf, nameForSnapshot, volumeId, volumeRestoreId } from './objects/names.ts';
export { isVolumeEnded, mayVolumeBecome, readVolumePhase, type VolumePhase } from './objects/phases.ts';
export { answerInstead, judgeNative, type NativeVerdict } from './objects/native-plugin.ts';
export {
  BROUGHT_UP_ANNOTATION,
  CLAIM_ANNOTATION,
  pluginBackupObject,
  pluginRestoreObject,
  podVolumeObject,
  podVolumeRestoreObject,
  type BackedUpVolume,
  type VolumeOwner,
  type VolumePod,
} from './objects/volume-objects.ts';
export { podVolumeRestoreStatus, podVolumeStatus } from './objects/pod-volume-status.ts';
export { skippedVolume, type BackupVolumeInfo } from './objects/volume-info.ts';
export { nativeVolumeInfo, podVolumeInfo, streamedVolumeInfo } from './objects/volume-infos.ts';
export { restoreVolumeInfo, type RestoreVolumeInfo } from './objects/restore-infos.ts';
export { toImported, toImportedEnd, toStored, type ImportTarget } from './objects/stored-volumes.ts';
export {
  readVolumeData,
  storedSize,
  type ClaimName,
  type VolumeData,
  type VolumeFiles,
  type VolumeFinding,
} from './restore/volume-data.ts';

export {
  REPOSITORY_SECRET,
  REPOSITORY_USER,
  REQUESTER_TAGS,
  SNAPSHOT_DESCRIPTION,
  SNAPSHOT_PIN,
  snapshotSource,
  type VolumeSource,
} from './repository/velero-repository.ts';
export {
  isFullMaintenanceDue,
  maintenanceDueAt,
  repositoryObject,
  withMaintenance,
  type MaintenanceRun,
  type RepositoryPlace,
} from './repository/repository-object.ts';
export { repositoryAt, type RepositoryLocation } from './repository/repository-at.ts';
export {
  CHECKSUMS_TAG,
  isSnapshotId,
  leftoversOf,
  readSnapshots,
  VOLUME_TAG,
  type ListedSnapshot,
} from './repository/snapshots.ts';
export { doomedSnapshots, KOPIA_SNAPSHOT, type DoomedSnapshots } from './repository/doomed.ts';

export {
  formatJob,
  parseJob,
  type KopiaJob,
  type KopiaRepository,
  type MoverJob,
  type StreamJob,
} from './mover/job.ts';
export { formatLine, formatListed } from './mover/format.ts';
export {
  parseLine,
  type MoverCompleted,
  type MoverFailed,
  type MoverLine,
  type MoverProgress,
  type MoverStep,
} from './mover/line.ts';
export { parseListed, type ListedVolumeFile } from './mover/listed-file.ts';
export { endOfMover, newMoverReport, readMover, type MoverReport } from './mover/mover-report.ts';
