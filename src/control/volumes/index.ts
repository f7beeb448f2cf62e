/**
 * Volumes as operations see them. `Movers` runs a mover for either direction: `snapshot` copies the files of a claim,
 * `restore` fills one; `delete`, `maintain` and `list` work on a repository alone. A task says what (claim, node, uploader,
 * location, id), a call says who is told (validated progress, notes, attempts, waits) and what ends it. It makes the
 * pod, its Secret and its job file, takes a turn (`--movers`, `--movers-per-node`), tries a lost mover three times and
 * finds a kopia mover again after a restart when the task names its attempt. It throws the one sentence that belongs on
 * the volume's object.
 *
 * It must never decide which volumes are copied, nor put a key anywhere but into a mover's own Secret.
 */
export { Movers, type MoversDeps, type ReservedTurn } from './movers.ts';
export { DEFAULT_MOVERS, type MoverSettings } from './mover/settings.ts';
export { readJobSecret } from './mover/job-secret.ts';
export { removeMovers } from './mover/remove-movers.ts';
export { repositoryPassword } from './mover/repository-password.ts';
export { LIST_MS, MOVER_LABELS } from './mover/pod-mover.ts';
export { bothOf, obstaclesToo } from './mover/shown-waits.ts';
export { isUploader } from './mover/task.ts';
export type {
  MoverCall,
  MoverLocation,
  MoverTask,
  RepositoryTask,
  RestoreTask,
  SnapshotTask,
  Uploader,
} from './mover/task.ts';
export { catchUp } from './objects/catch-up.ts';
export { VolumeRun, type ShownVolume, type VolumeEnd, type VolumeRunDeps } from './objects/volume-run.ts';
