import { AppError } from '../../../base/index.ts';
import { present } from '../../../core/progress/index.ts';
import { repositoryAt, type KopiaJob, type MoverJob } from '../../../core/volumes/index.ts';
import type { StoreAccess } from '../../../edge/store/index.ts';
import type { RestoreRequest, SnapshotRequest } from '../../../edge/volumes/index.ts';
import { MOVER_PATHS } from './pod-spec.ts';
import type { MoverLocation, RestoreTask, SnapshotTask } from './task.ts';

/** What every job of kopia has, with the paths of its pod. */
export function kopiaBase(
  location: MoverLocation,
  access: StoreAccess,
  repositoryNamespace: string,
): Pick<KopiaJob, 'uploader' | 'repository' | 'program' | 'scratch' | 'secrets'> {
  const { provider, bucket, prefix, config } = location;
  const directory = access.kind === 'directory' ? { directory: MOVER_PATHS.repository } : {};
  const answer = repositoryAt({ provider, bucket, prefix, config, ...directory }, repositoryNamespace);
  if ('problem' in answer) throw new AppError('invalidConfig', `use location ${location.name}: ${answer.problem}`);
  return {
    uploader: 'kopia',
    repository: answer.repository,
    program: 'kopia',
    scratch: `${MOVER_PATHS.scratch}/kopia`,
    secrets: MOVER_PATHS.job,
  };
}

type Base = ReturnType<typeof kopiaBase>;

export function snapshotJob(
  request: SnapshotRequest,
  { parallel }: SnapshotTask,
  kopia: (Base & { isPreparing: boolean }) | undefined,
): MoverJob {
  const { id, path, isVerified, source, tags } = request;
  const common = { kind: 'snapshot' as const, id, path, ...present({ isVerified }) };
  if (kopia === undefined) return { ...common, uploader: 'stream' };
  return { ...common, ...kopia, source, ...present({ tags, parallel }) };
}

export function restoreJob(request: RestoreRequest, task: RestoreTask, kopia: Base | undefined): MoverJob {
  const { id, path, snapshotID, volumeId, totalBytes, isVerified, isExact, isBroughtUp } = request;
  const common = { kind: 'restore' as const, id, path, ...present({ totalBytes, isVerified, isExact, isBroughtUp }) };
  if (kopia === undefined) return { ...common, uploader: 'stream' };
  const { parallel, ignoresOwners } = task;
  return { ...common, ...kopia, snapshotID, volumeId, ...present({ parallel, ignoresOwners }) };
}
